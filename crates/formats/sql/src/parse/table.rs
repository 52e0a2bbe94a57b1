//! What stands in FROM.

use super::parser::{Parsed, Parser};
use crate::tree::node::Condition;
use crate::tree::node::Table;
use crate::tree::words::{Alias, Join};

impl Parser<'_> {
    /// A table with its joins.
    pub(super) fn table(&mut self) -> Parsed<Table> {
        self.enter()?;
        let mut left = self.table_operand()?;
        let mut joins = 0;
        while let Some(kind) = self.join()? {
            let right = self.table_operand()?;
            let on = if kind == Join::Cross {
                None
            } else {
                Some(Box::new(self.on()?))
            };
            left = Table::Join {
                left: Box::new(left),
                kind,
                right: Box::new(right),
                on,
            };
            joins += 1;
            self.bound_tables(joins)?;
        }
        self.leave();
        Ok(left)
    }

    fn on(&mut self) -> Parsed<Condition> {
        if self.is("USING") {
            return Err(self.illegal("ON"));
        }
        self.expect("ON")?;
        self.condition()
    }

    fn join(&mut self) -> Parsed<Option<Join>> {
        if self.eat_all(&["CROSS", "JOIN"]) {
            return Ok(Some(Join::Cross));
        }
        let kind = match self.eat_any(&["JOIN", "INNER", "LEFT", "RIGHT", "FULL"]) {
            None => return Ok(None),
            Some("JOIN") => return Ok(Some(Join::Inner)),
            Some("INNER") => Join::Inner,
            Some("LEFT") => Join::Left,
            Some("RIGHT") => Join::Right,
            Some(_) => Join::Full,
        };
        if kind != Join::Inner {
            self.eat("OUTER");
        }
        self.expect("JOIN")?;
        Ok(Some(kind))
    }

    fn table_operand(&mut self) -> Parsed<Table> {
        let at = self.at();
        for (words, old) in [
            (["FINAL", "TABLE"], false),
            (["NEW", "TABLE"], false),
            (["OLD", "TABLE"], true),
        ] {
            if self.are(&words) && self.is_symbol_at(2, "(") {
                self.eat_all(&words);
                self.expect_symbol("(")?;
                let change = Box::new(self.change()?);
                self.expect_symbol(")")?;
                self.alias()?;
                return Ok(Table::Changed { old, change, at });
            }
        }
        if self.is_any(&["TABLE", "LATERAL", "XMLTABLE"]) && self.is_symbol_at(1, "(") {
            return self.table_function();
        }
        if self.is_query_in_brackets() {
            return self.derived();
        }
        if self.eat_symbol("(") {
            let inner = self.table()?;
            self.expect_symbol(")")?;
            return Ok(inner);
        }
        let name = self.qualified()?;
        if self.is("FOR") && self.peek_at(1).is_some_and(|t| t.text.ends_with("_TIME")) {
            return Err(self.refused("temporal tables are not done"));
        }
        let alias = self.alias()?;
        Ok(Table::Named { name, alias, at })
    }

    fn derived(&mut self) -> Parsed<Table> {
        self.expect_symbol("(")?;
        let query = Box::new(self.query()?);
        self.expect_symbol(")")?;
        let alias = self.alias()?;
        Ok(Table::Derived { query, alias })
    }

    /// `TABLE(SELECT ..) T`. A correlated one would need a lateral join, which SQLite has not.
    fn table_function(&mut self) -> Parsed<Table> {
        let word = self.any_word()?;
        if word == "TABLE" && self.is_query_in_brackets() {
            return self.derived();
        }
        Err(self.refused("table functions, LATERAL and XMLTABLE are not done"))
    }

    /// `[AS] name [(columns)]`
    pub(super) fn alias(&mut self) -> Parsed<Option<Alias>> {
        if !self.eat("AS") && !self.is_name() {
            return Ok(None);
        }
        let name = self.name()?;
        let columns = if self.is_symbol("(") {
            self.name_list()?
        } else {
            Vec::new()
        };
        Ok(Some(Alias { name, columns }))
    }
}
