//! MERGE.
//!
//! PostgreSQL has it. On SQLite a MERGE of one row is an UPDATE, and the INSERT where it changed
//! none.

use super::api::{ResultColumn, Rewritten};
use super::changes::Target;
use super::scope::ScopeTable;
use super::typed::Written;
use super::writer::Writer;
use crate::problem::SqlProblem;
use crate::tree::node::{Action, Branch, Merge};

impl Writer<'_> {
    pub(super) fn merge(&mut self, merge: &Merge) -> Written<Rewritten> {
        let target = self.target(&merge.table, merge.at)?;
        let exposed = merge.alias.clone().unwrap_or(merge.table.name.clone());
        let [row] = merge.source.as_slice() else {
            return Err(SqlProblem::refused(
                "MERGE is done for a source of VALUES with one row",
                merge.at,
            ));
        };
        let names = &merge.source_alias.columns;
        let mut values = Vec::new();
        for expr in row {
            values.push(self.expr(expr)?);
        }
        if names.len() != values.len() {
            return Err(SqlProblem::new(-158, &[&merge.source_alias.name], merge.at));
        }
        self.push_target(&target, exposed.clone());
        if let Some(scope) = self.scopes.last_mut() {
            let columns = names.iter().zip(&values).map(|(name, value)| ResultColumn {
                name: name.clone(),
                kind: value.kind,
                nullable: value.nullable,
            });
            scope.tables.push(ScopeTable {
                exposed: merge.source_alias.name.clone(),
                qualifier: None,
                columns: Some(columns.collect()),
                values,
            });
        }
        let steps = self.steps(merge, &target, &exposed);
        self.scopes.pop();
        let (first, second) = steps?;
        let parameters = std::mem::take(&mut self.parameters);
        let part = |text: String| Rewritten {
            text,
            parameters: parameters.clone(),
            ..Rewritten::default()
        };
        let second = second.map(|text| Box::new(part(text)));
        Ok(Rewritten {
            otherwise: second,
            ..part(first)
        })
    }

    /// What is run for a row that is there, and what when there was none. Both have the same
    /// parameters, used or not.
    fn steps(
        &mut self,
        merge: &Merge,
        target: &Target,
        exposed: &str,
    ) -> Written<(String, Option<String>)> {
        let branch = |matched: bool| {
            let mut found = merge.branches.iter().filter(|b| b.matched == matched);
            (found.next(), found.next())
        };
        let ((matched, more), (missing, others)) = (branch(true), branch(false));
        let conditional = |b: Option<&Branch>| b.is_some_and(|b| b.condition.is_some());
        if more.is_some() || others.is_some() || conditional(matched) || conditional(missing) {
            return Err(SqlProblem::refused(
                "MERGE is done with one WHEN MATCHED and one WHEN NOT MATCHED, without AND",
                merge.at,
            ));
        }
        let name = self.table_name(&target.name);
        let alias = self.quoted(exposed);
        let on = self.condition(&merge.on)?;
        let insert = match missing.map(|b| &b.action) {
            Some(Action::Insert(columns, values)) => {
                let named = self.named_columns(target, columns)?;
                let pieces = self.pieces(values);
                let (names, values) = self.row(target, &named, &pieces, merge.at)?;
                let names: Vec<String> = names.iter().map(|n| self.quoted(n)).collect();
                let values = values.join(", ");
                Some(format!(
                    "INSERT INTO {name} ({}) SELECT {values} WHERE NOT EXISTS (SELECT 1 FROM \
                     {name} AS {alias} WHERE {on})",
                    names.join(", ")
                ))
            }
            Some(_) => return Err(SqlProblem::new(-84, &[], merge.at)),
            None => None,
        };
        let change = match matched.map(|b| &b.action) {
            Some(Action::Update(set)) => {
                let set = self.set_words(set, target)?;
                Some(format!("UPDATE {name} AS {alias} SET {set} WHERE {on}"))
            }
            Some(Action::Delete) => Some(format!("DELETE FROM {name} AS {alias} WHERE {on}")),
            Some(Action::Insert(..)) => return Err(SqlProblem::new(-84, &[], merge.at)),
            None => None,
        };
        match (change, insert) {
            (Some(change), insert) => Ok((change, insert)),
            (None, Some(insert)) => Ok((insert, None)),
            (None, None) => Err(SqlProblem::new(-84, &[], merge.at)),
        }
    }
}
