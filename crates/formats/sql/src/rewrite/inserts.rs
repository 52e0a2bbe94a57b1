//! INSERT: values, defaults, identity columns.

use super::api::Value;
use super::changes::{Piece, Target};
use super::typed::Written;
use super::writer::Writer;
use crate::catalog::Column;
use crate::problem::{At, SqlProblem};
use crate::tree::node::Expr;
use crate::tree::node::Query;
use crate::tree::node::{Insert, Source};
use crate::types::Type;

impl Writer<'_> {
    pub(super) fn insert(&mut self, insert: &Insert) -> Written<String> {
        let target = self.target(&insert.table, insert.at)?;
        let named = self.named_columns(&target, &insert.columns)?;
        match &insert.source {
            Source::Values(rows) => {
                let mut lines = Vec::new();
                let mut columns = Vec::new();
                for row in rows {
                    let pieces = self.pieces(row);
                    let (names, values) = self.row(&target, &named, &pieces, insert.at)?;
                    columns = names;
                    lines.push(format!("({})", values.join(", ")));
                }
                Ok(self.insert_text(&target, &columns, &format!("VALUES {}", lines.join(", "))))
            }
            Source::Query(query) => self.insert_query(&target, named, query, insert.at),
        }
    }

    pub(super) fn insert_text(&self, target: &Target, columns: &[String], source: &str) -> String {
        let names: Vec<String> = columns.iter().map(|c| self.quoted(c)).collect();
        let names = if names.is_empty() {
            String::new()
        } else {
            format!(" ({})", names.join(", "))
        };
        format!(
            "INSERT INTO {}{names} {source}",
            self.table_name(&target.name)
        )
    }

    /// The columns an INSERT names, or all; empty: not known.
    pub(super) fn named_columns(
        &self,
        target: &Target,
        named: &[(String, At)],
    ) -> Written<Vec<Column>> {
        let mut out: Vec<Column> = Vec::new();
        for (name, at) in named {
            if out.iter().any(|c| c.name == *name) {
                return Err(SqlProblem::new(-121, &[name], *at));
            }
            out.push(target.column(name, *at)?);
        }
        if let (true, Some(table)) = (named.is_empty(), &target.table) {
            out.clone_from(&table.columns);
        }
        Ok(out)
    }

    pub(super) fn pieces<'e>(&self, row: &'e [Expr]) -> Vec<Piece<'e>> {
        let mut out = Vec::new();
        for expr in row {
            let elements = match expr {
                Expr::Host(index, _) => self.setting.hosts.get(*index).map_or(1, Vec::len),
                _ => 1,
            };
            match expr {
                Expr::Host(index, _) if elements > 1 => {
                    out.extend((0..elements).map(|n| Piece::Element(*index, n)));
                }
                _ => out.push(Piece::Expr(expr)),
            }
        }
        out
    }

    /// Columns and values of one row, those with defaults among them.
    pub(super) fn row(
        &mut self,
        target: &Target,
        named: &[Column],
        pieces: &[Piece<'_>],
        at: At,
    ) -> Written<(Vec<String>, Vec<String>)> {
        if !named.is_empty() && named.len() != pieces.len() {
            return Err(SqlProblem::new(-117, &[], at));
        }
        self.sequences.clear();
        let (mut names, mut values) = (Vec::new(), Vec::new());
        let nameless = Column {
            nullable: true,
            ..Column::default()
        };
        for (n, piece) in pieces.iter().enumerate() {
            let column = named.get(n).unwrap_or(&nameless);
            let value = match piece {
                Piece::Expr(expr) => self.value_for(expr, column, at)?,
                Piece::Element(index, element) => {
                    let kind = match column.kind {
                        Type::Unknown => self.setting.hosts[*index][*element],
                        kind => kind,
                    };
                    self.parameter(Value::Host(*index, *element), kind).sql
                }
            };
            let is_default = matches!(piece, Piece::Expr(Expr::Default));
            let Some(value) = self.identity(target, column, Some(value), is_default, at)? else {
                continue;
            };
            if !named.is_empty() {
                names.push(column.name.clone());
            }
            values.push(value);
        }
        if let Some(table) = &target.table {
            for column in &table.columns {
                if named.iter().any(|c| c.name == column.name) {
                    continue;
                }
                let value = self.default_for(column, at)?;
                if let Some(value) = self.identity(target, column, Some(value), true, at)? {
                    names.push(column.name.clone());
                    values.push(value);
                }
            }
        }
        Ok((names, values))
    }

    /// The value of an identity column: the run time numbers.
    pub(super) fn identity(
        &self,
        target: &Target,
        column: &Column,
        value: Option<String>,
        is_default: bool,
        at: At,
    ) -> Written<Option<String>> {
        let Some(identity) = &column.identity else {
            return Ok(value);
        };
        if !is_default && identity.always {
            return Err(SqlProblem::new(-798, &[&column.name], at));
        }
        let table = self.text(&self.full(&target.name).to_string())?;
        let name = self.text(&column.name)?;
        Ok(Some(match value.filter(|_| !is_default) {
            Some(value) => format!("db2_identity({table}, {name}, {value})"),
            None => format!("db2_next_identity({table}, {name})"),
        }))
    }

    pub(super) fn insert_query(
        &mut self,
        target: &Target,
        named: Vec<Column>,
        query: &Query,
        at: At,
    ) -> Written<String> {
        if let Some(always) = named
            .iter()
            .find(|c| c.identity.as_ref().is_some_and(|i| i.always))
        {
            return Err(SqlProblem::new(-798, &[&always.name], at));
        }
        let mut names: Vec<String> = named.iter().map(|c| c.name.clone()).collect();
        let count = names.len();
        let mut defaults = Vec::new();
        for column in target.table.iter().flat_map(|t| &t.columns) {
            if names[..count].contains(&column.name) {
                continue;
            }
            let value = self.default_for(column, at)?;
            if let Some(value) = self.identity(target, column, Some(value), true, at)? {
                names.push(column.name.clone());
                defaults.push(value);
            }
        }
        self.targets = (!named.is_empty()).then_some(named);
        // Names for the columns, so that defaults can stand beside them.
        let inner: Vec<String> = (1..=count).map(|n| format!("C{n}")).collect();
        let renames = (!defaults.is_empty()).then_some(inner.as_slice());
        let (text, columns) = self.query_text(query, renames, false)?;
        self.targets = None;
        if count > 0 && !columns.is_empty() && columns.len() != count {
            return Err(SqlProblem::new(-117, &[], at));
        }
        let text = if defaults.is_empty() {
            text
        } else {
            let mut words: Vec<String> = inner.iter().map(|c| self.quoted(c)).collect();
            words.extend(defaults);
            format!("SELECT {} FROM ({text}) AS \"#Q\"", words.join(", "))
        };
        Ok(self.insert_text(target, &names, &text))
    }
}
