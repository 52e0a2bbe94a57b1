//! Queries: SELECT, its clauses, UNION and its kin, common table expressions.

use super::parser::{Parsed, Parser};
use crate::problem::SqlProblem;
use crate::statement::Role;
use crate::tree::node::Condition;
use crate::tree::node::{Body, Common, Item, Order, Query, Select};
use crate::tree::words::SetOperator;

/// Tables of one SELECT; Db2 has 225 for a statement.
pub(super) const TABLES_MAX: usize = 225;

impl Parser<'_> {
    /// A query without INTO.
    pub(super) fn query(&mut self) -> Parsed<Query> {
        self.query_with(false)
    }

    /// A query whose outermost SELECT may have INTO; its targets are the hosts with role Output.
    pub(super) fn query_with(&mut self, into: bool) -> Parsed<Query> {
        self.enter()?;
        let with = if self.eat("WITH") {
            self.list(Self::common)?
        } else {
            Vec::new()
        };
        let mut query = Query {
            with,
            body: self.body(into)?,
            ..Query::default()
        };
        self.tail(&mut query)?;
        self.leave();
        Ok(query)
    }

    fn common(&mut self) -> Parsed<Common> {
        let name = self.name()?;
        let columns = if self.is_symbol("(") {
            self.name_list()?
        } else {
            Vec::new()
        };
        self.expect("AS")?;
        self.expect_symbol("(")?;
        let query = self.query()?;
        self.expect_symbol(")")?;
        Ok(Common {
            name,
            columns,
            query,
        })
    }

    /// UNION and EXCEPT, of one rank; INTERSECT goes before them.
    fn body(&mut self, into: bool) -> Parsed<Body> {
        let first = self.intersection(into)?;
        let mut rest = Vec::new();
        loop {
            let operator = match self.eat_any(&["UNION", "EXCEPT"]) {
                Some("UNION") => SetOperator::Union,
                Some(_) => SetOperator::Except,
                None => break,
            };
            let all = self.set_all();
            rest.push((operator, all, self.intersection(false)?));
            self.bound_tables(rest.len())?;
        }
        Ok(set(first, rest))
    }

    fn intersection(&mut self, into: bool) -> Parsed<Body> {
        let first = self.operand(into)?;
        let mut rest = Vec::new();
        while self.eat("INTERSECT") {
            let all = self.set_all();
            rest.push((SetOperator::Intersect, all, self.operand(false)?));
            self.bound_tables(rest.len())?;
        }
        Ok(set(first, rest))
    }

    fn set_all(&mut self) -> bool {
        if self.eat("ALL") {
            return true;
        }
        self.eat("DISTINCT");
        false
    }

    pub(super) fn bound_tables(&self, tables: usize) -> Parsed<()> {
        if tables > TABLES_MAX {
            return Err(SqlProblem::new(-129, &[], self.at()));
        }
        Ok(())
    }

    fn operand(&mut self, into: bool) -> Parsed<Body> {
        let at = self.at();
        if self.is_symbol("(") {
            self.expect_symbol("(")?;
            let query = self.query()?;
            self.expect_symbol(")")?;
            return Ok(Body::Nested(Box::new(query)));
        }
        if self.eat("VALUES") {
            let rows = self.list(|p| {
                if p.is_symbol("(") && !p.is_query_in_brackets() {
                    return p.bracketed(Self::expression);
                }
                Ok(vec![p.expression()?])
            })?;
            return Ok(Body::Values(rows, at));
        }
        if !self.eat("SELECT") {
            return Err(self.illegal("SELECT"));
        }
        let mut select = Select {
            at,
            ..Select::default()
        };
        if self.eat("DISTINCT") {
            select.distinct = true;
        } else {
            self.eat("ALL");
        }
        select.items = self.list(Self::item)?;
        if into && self.eat("INTO") {
            self.hosts(Role::Output)?;
        }
        self.expect("FROM")?;
        select.from = self.list(Self::table)?;
        self.bound_tables(select.from.len())?;
        select.filter = self.clause(&["WHERE"])?;
        if self.eat_all(&["GROUP", "BY"]) {
            self.refuse_grouping()?;
            select.group = self.list(Self::expression)?;
        }
        select.having = self.clause(&["HAVING"])?;
        Ok(Body::Select(Box::new(select)))
    }

    fn clause(&mut self, words: &[&str]) -> Parsed<Option<Condition>> {
        if !self.eat_all(words) {
            return Ok(None);
        }
        Ok(Some(self.condition()?))
    }

    fn refuse_grouping(&self) -> Parsed<()> {
        let extended = self.are(&["GROUPING", "SETS"])
            || (self.is_any(&["ROLLUP", "CUBE"]) && self.is_symbol_at(1, "("));
        if extended {
            return Err(self.refused("GROUPING SETS, ROLLUP and CUBE are not done"));
        }
        Ok(())
    }

    fn item(&mut self) -> Parsed<Item> {
        let at = self.at();
        if self.eat_symbol("*") {
            return Ok(Item::All(at));
        }
        // `T.*`, `S.T.*`
        for dots in [1, 2] {
            let star = 2 * dots;
            if self.is_symbol_at(star - 1, ".") && self.is_symbol_at(star, "*") {
                let mut name = crate::tree::Name {
                    qualifier: None,
                    name: self.name()?,
                };
                self.expect_symbol(".")?;
                if dots == 2 {
                    name.qualifier = Some(std::mem::take(&mut name.name));
                    name.name = self.any_word()?;
                    self.expect_symbol(".")?;
                }
                self.expect_symbol("*")?;
                return Ok(Item::AllOf(name, at));
            }
        }
        let value = self.expression()?;
        let alias = if self.eat("AS") {
            Some(self.any_word()?)
        } else if self.is_name() {
            Some(self.name()?)
        } else {
            None
        };
        Ok(Item::Value(value, alias))
    }

    pub(super) fn order_item(&mut self) -> Parsed<Order> {
        let value = self.expression()?;
        let descending = self.eat("DESC");
        if !descending {
            self.eat("ASC");
        }
        let nulls_first = if self.eat_all(&["NULLS", "FIRST"]) {
            Some(true)
        } else if self.eat_all(&["NULLS", "LAST"]) {
            Some(false)
        } else {
            None
        };
        Ok(Order {
            value,
            descending,
            nulls_first,
        })
    }
}

fn set(first: Body, rest: Vec<(SetOperator, bool, Body)>) -> Body {
    if rest.is_empty() {
        return first;
    }
    Body::Set(Box::new(first), rest)
}
