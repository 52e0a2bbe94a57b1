//! INSERT, UPDATE, DELETE, MERGE, TRUNCATE.

use super::parser::{Parsed, Parser};
use crate::problem::{At, SqlProblem};
use crate::statement::{Count, Current, Role};
use crate::tree::node::Expr;
use crate::tree::node::{
    Action, Assignment, Branch, Change, Delete, Insert, Merge, Rows, Source, Update,
};

/// What INSERT says of rows, and WHERE CURRENT OF of a row.
#[derive(Default)]
pub(super) struct Extra {
    pub(super) rows: Option<Count>,
    pub(super) not_atomic: bool,
    pub(super) current: Option<Current>,
}

impl Parser<'_> {
    /// A change inside FINAL TABLE.
    pub(super) fn change(&mut self) -> Parsed<Change> {
        let mut extra = Extra::default();
        let change = self.change_with(&mut extra)?;
        if extra.rows.is_some() || extra.current.is_some() {
            return Err(
                self.refused("FINAL TABLE of a positioned change or of several rows is not done")
            );
        }
        Ok(change)
    }

    pub(super) fn change_with(&mut self, extra: &mut Extra) -> Parsed<Change> {
        let at = self.at();
        match self.eat_any(&["INSERT", "UPDATE", "DELETE", "MERGE", "TRUNCATE"]) {
            Some("INSERT") => self.insert(extra, at),
            Some("UPDATE") => self.update(extra, at),
            Some("DELETE") => self.delete(extra, at),
            Some("MERGE") => self.merge(at),
            Some(_) => {
                self.eat("TABLE");
                let table = self.qualified()?;
                while self.eat_any(TRUNCATE).is_some() {}
                Ok(Change::Truncate(table, at))
            }
            None => Err(self.illegal("INSERT UPDATE DELETE MERGE")),
        }
    }

    fn insert(&mut self, extra: &mut Extra, at: At) -> Parsed<Change> {
        self.expect("INTO")?;
        let table = self.qualified()?;
        let columns = if self.is_symbol("(") && !self.is_query_in_brackets() {
            self.placed_names()?
        } else {
            Vec::new()
        };
        if self.is("INCLUDE") {
            return Err(self.refused("INCLUDE columns are not done"));
        }
        if self.eat_all(&["OVERRIDING", "USER", "VALUE"]) {
            return Err(self.refused("OVERRIDING USER VALUE is not done"));
        }
        // Db2 takes FOR n ROWS in front of VALUES too.
        self.for_rows(extra)?;
        let source = if self.eat("VALUES") {
            Source::Values(self.value_rows()?)
        } else {
            Source::Query(Box::new(self.query()?))
        };
        self.for_rows(extra)?;
        if self.eat_all(&["NOT", "ATOMIC", "CONTINUE", "ON", "SQLEXCEPTION"]) {
            extra.not_atomic = true;
        } else {
            self.eat("ATOMIC");
        }
        self.isolation();
        self.query_number()?;
        Ok(Change::Insert(Insert {
            table,
            columns,
            source,
            at,
        }))
    }

    fn for_rows(&mut self, extra: &mut Extra) -> Parsed<()> {
        if extra.rows.is_some() || !self.eat("FOR") {
            return Ok(());
        }
        extra.rows = Some(self.number_or_host(Role::Control)?);
        self.rows_word()
    }

    fn value_rows(&mut self) -> Parsed<Vec<Vec<Expr>>> {
        self.list(|p| {
            if p.is_symbol("(") {
                return p.bracketed(Self::value);
            }
            Ok(vec![p.value()?])
        })
    }

    /// An expression, NULL or DEFAULT.
    fn value(&mut self) -> Parsed<Expr> {
        if self.is("DEFAULT") && !self.is_symbol_at(1, ".") {
            self.advance();
            return Ok(Expr::Default);
        }
        self.expression()
    }

    fn placed_names(&mut self) -> Parsed<Vec<(String, At)>> {
        self.bracketed(|p| {
            let at = p.at();
            Ok((p.name()?, at))
        })
    }

    pub(super) fn rows_word(&mut self) -> Parsed<()> {
        match self.eat_any(&["ROWS", "ROW"]) {
            Some(_) => Ok(()),
            None => Err(self.illegal("ROWS")),
        }
    }

    pub(super) fn number_or_host(&mut self, role: Role) -> Parsed<Count> {
        if self.is_host() {
            return Ok(Count::Host(self.host(role)?));
        }
        Ok(Count::Number(self.integer()?))
    }

    fn query_number(&mut self) -> Parsed<()> {
        if self.eat("QUERYNO") {
            self.integer::<u64>()?;
        }
        Ok(())
    }

    /// A correlation name; SET and WHERE are reserved.
    fn correlation(&mut self) -> Parsed<Option<String>> {
        if !self.eat("AS") && !self.is_name() {
            return Ok(None);
        }
        Ok(Some(self.name()?))
    }

    fn update(&mut self, extra: &mut Extra, at: At) -> Parsed<Change> {
        let table = self.qualified()?;
        if self.are(&["FOR", "PORTION"]) {
            return Err(self.refused("FOR PORTION OF is not done"));
        }
        let alias = self.correlation()?;
        self.expect("SET")?;
        let set = self.assignments()?;
        let rows = self.rows(extra)?;
        let isolation = self.isolation();
        self.skip_locked()?;
        self.query_number()?;
        Ok(Change::Update(Update {
            table,
            alias,
            set,
            rows,
            isolation,
            at,
        }))
    }

    fn skip_locked(&mut self) -> Parsed<()> {
        if self.is("SKIP") {
            return Err(self.refused("SKIP LOCKED DATA of a change is not done"));
        }
        Ok(())
    }

    fn assignments(&mut self) -> Parsed<Vec<Assignment>> {
        let groups = self.list(Self::assignment)?;
        Ok(groups.into_iter().flatten().collect())
    }

    /// `A = 1`, `T.A = 1`, `(A, B) = (1, 2)`.
    fn assignment(&mut self) -> Parsed<Vec<Assignment>> {
        let at = self.at();
        if self.eat_symbol("(") {
            let columns = self.list(Self::assigned_column)?;
            self.expect_symbol(")")?;
            self.expect_symbol("=")?;
            if self.is_query_in_brackets() {
                return Err(self.refused("several columns set by one SELECT are not done"));
            }
            let values = self.bracketed(Self::value)?;
            if columns.len() != values.len() {
                return Err(SqlProblem::new(-117, &[], at));
            }
            let pairs = columns.into_iter().zip(values);
            return Ok(pairs
                .map(|(column, value)| Assignment { column, value, at })
                .collect());
        }
        let column = self.assigned_column()?;
        self.expect_symbol("=")?;
        let value = self.value()?;
        Ok(vec![Assignment { column, value, at }])
    }

    fn assigned_column(&mut self) -> Parsed<String> {
        let mut column = self.name()?;
        while self.eat_symbol(".") {
            column = self.any_word()?;
        }
        Ok(column)
    }

    fn rows(&mut self, extra: &mut Extra) -> Parsed<Rows> {
        if !self.eat("WHERE") {
            return Ok(Rows::All);
        }
        if !self.eat_all(&["CURRENT", "OF"]) {
            return Ok(Rows::Where(Box::new(self.condition()?)));
        }
        let cursor = self.object()?;
        let row = if self.eat_all(&["FOR", "ROW"]) {
            // The engine looks for the row, and is given its number with the values.
            let row = self.number_or_host(Role::Input)?;
            self.expect("OF")?;
            self.expect("ROWSET")?;
            Some(row)
        } else {
            None
        };
        extra.current = Some(Current { cursor, row });
        Ok(Rows::Current)
    }

    fn delete(&mut self, extra: &mut Extra, at: At) -> Parsed<Change> {
        self.expect("FROM")?;
        let table = self.qualified()?;
        if self.are(&["FOR", "PORTION"]) {
            return Err(self.refused("FOR PORTION OF is not done"));
        }
        let alias = self.correlation()?;
        let rows = self.rows(extra)?;
        let mut first = None;
        if self.eat_all(&["FETCH", "FIRST"]) {
            first = Some(self.count()?);
            self.rows_word()?;
            self.expect("ONLY")?;
        }
        let isolation = self.isolation();
        self.skip_locked()?;
        self.query_number()?;
        Ok(Change::Delete(Delete {
            table,
            alias,
            rows,
            first,
            isolation,
            at,
        }))
    }

    fn merge(&mut self, at: At) -> Parsed<Change> {
        self.expect("INTO")?;
        let table = self.qualified()?;
        let alias = self.correlation()?;
        self.expect("USING")?;
        let source = self.merge_source()?;
        let Some(source_alias) = self.alias()? else {
            return Err(self.illegal("AS"));
        };
        if self.eat("FOR") {
            return Err(self.refused("MERGE of several rows of host variable arrays is not done"));
        }
        self.expect("ON")?;
        let on = self.condition()?;
        let mut branches = Vec::new();
        while self.eat("WHEN") {
            branches.push(self.branch()?);
        }
        if branches.is_empty() {
            return Err(self.illegal("WHEN"));
        }
        self.eat_all(&["ELSE", "IGNORE"]);
        if self.are(&["NOT", "ATOMIC"]) {
            self.eat_all(&["NOT", "ATOMIC", "CONTINUE", "ON", "SQLEXCEPTION"]);
        }
        self.query_number()?;
        Ok(Change::Merge(Box::new(Merge {
            table,
            alias,
            source,
            source_alias,
            on,
            branches,
            at,
        })))
    }

    fn merge_source(&mut self) -> Parsed<Vec<Vec<Expr>>> {
        if self.is_query_in_brackets() || !self.is_symbol("(") {
            return Err(self.refused("MERGE is done for a source of VALUES"));
        }
        self.expect_symbol("(")?;
        self.expect("VALUES")?;
        let rows = self.value_rows()?;
        if self.is("FOR") {
            return Err(self.refused("MERGE of several rows of host variable arrays is not done"));
        }
        self.expect_symbol(")")?;
        Ok(rows)
    }

    fn branch(&mut self) -> Parsed<Branch> {
        let matched = !self.eat("NOT");
        self.expect("MATCHED")?;
        let condition = if self.eat("AND") {
            Some(self.condition()?)
        } else {
            None
        };
        self.expect("THEN")?;
        let action = match self.eat_any(&["UPDATE", "DELETE", "INSERT"]) {
            Some("UPDATE") => {
                self.expect("SET")?;
                Action::Update(self.assignments()?)
            }
            Some("DELETE") => Action::Delete,
            Some(_) => {
                let columns = if self.is_symbol("(") {
                    self.placed_names()?
                } else {
                    Vec::new()
                };
                self.expect("VALUES")?;
                let mut rows = self.value_rows()?;
                Action::Insert(columns, rows.remove(0))
            }
            None => return Err(self.refused("this action of MERGE is not done")),
        };
        Ok(Branch {
            matched,
            condition,
            action,
        })
    }
}

/// What says how a table is emptied, and changes nothing of the result.
const TRUNCATE: &[&str] = &[
    "DROP",
    "REUSE",
    "STORAGE",
    "IGNORE",
    "RESTRICT",
    "WHEN",
    "DELETE",
    "TRIGGERS",
    "IMMEDIATE",
];
