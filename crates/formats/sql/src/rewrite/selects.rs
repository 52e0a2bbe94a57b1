//! One SELECT: its columns, clauses and order.

use super::api::ResultColumn;
use super::scope::Scope;
use super::tables::Joined;
use super::typed::{Form, Text, Typed, Written, column};
use super::writer::Writer;
use crate::problem::{At, SqlProblem};
use crate::tree::node::Expr;
use crate::tree::node::{Item, Order, Select};

impl Writer<'_> {
    pub(super) fn select(
        &mut self,
        select: &Select,
        order: &[Order],
        names: Option<&[String]>,
        row_id: bool,
    ) -> Written<Text> {
        let (targets, unified) = (self.targets.take(), self.unified.take());
        let mut scope = Scope::default();
        let mut joined = Vec::new();
        for table in &select.from {
            joined.push(self.gather(table, &mut scope)?);
        }
        super::grouping::check(select, order, &scope)?;
        self.scopes.push(scope);
        self.targets = targets;
        self.unified = unified;
        let text = self.select_in_scope(select, &joined, order, names, row_id);
        self.scopes.pop();
        text
    }

    pub(super) fn select_in_scope(
        &mut self,
        select: &Select,
        joined: &[Joined<'_>],
        order: &[Order],
        names: Option<&[String]>,
        row_id: bool,
    ) -> Written<Text> {
        let (mut words, columns) = self.items(select, names)?;
        self.targets = None;
        self.unified = None;
        if row_id {
            let exposed = self.scopes.last().and_then(|s| s.tables.first());
            let exposed = exposed.map_or("", |t| t.exposed.as_str());
            let row = if self.is_sqlite() { "_rowid_" } else { "ctid" };
            words.push(format!("{}.{row}", self.quoted(exposed)));
        }
        let distinct = if select.distinct { "DISTINCT " } else { "" };
        let mut text = format!("SELECT {distinct}{}", words.join(", "));
        let mut from = Vec::new();
        for table in joined {
            from.push(self.joined_text(table, joined.len() > 1)?);
        }
        text += &format!(" FROM {}", from.join(", "));
        if let Some(filter) = &select.filter {
            text += &format!(" WHERE {}", self.condition(filter)?);
        }
        if !select.group.is_empty() {
            let mut words = Vec::new();
            for value in &select.group {
                let value = self.expr(value)?;
                words.push(self.sortable(value).sql);
            }
            text += &format!(" GROUP BY {}", words.join(", "));
        }
        if let Some(having) = &select.having {
            text += &format!(" HAVING {}", self.condition(having)?);
        }
        let text = self.ordered(text, select, order, &columns)?;
        Ok((text, columns))
    }

    pub(super) fn items(
        &mut self,
        select: &Select,
        names: Option<&[String]>,
    ) -> Written<(Vec<String>, Vec<ResultColumn>)> {
        let mut values: Vec<(Typed, String, At)> = Vec::new();
        for item in &select.items {
            match item {
                Item::All(at) | Item::AllOf(_, at) => {
                    let qualifier = match item {
                        Item::AllOf(name, _) => Some(name),
                        _ => None,
                    };
                    let Some(all) = self.all_of(qualifier, *at)? else {
                        return self.star(select, names, qualifier, *at);
                    };
                    values.extend(all.into_iter().map(|(v, name)| (v, name, *at)));
                }
                Item::Value(expr, alias) => {
                    let value = self.expr(expr)?;
                    if matches!(value.form, Form::Duration(_)) {
                        return Err(SqlProblem::new(-182, &[], select.at));
                    }
                    let name = match (alias, expr) {
                        (Some(alias), _) => alias.clone(),
                        (None, Expr::Column { name, .. }) => name.clone(),
                        _ => String::new(),
                    };
                    values.push((value, name, select.at));
                }
            }
        }
        self.item_words(values, names, select.at)
    }

    /// `*` of tables nobody described, alone.
    pub(super) fn star(
        &self,
        select: &Select,
        names: Option<&[String]>,
        qualifier: Option<&crate::tree::Name>,
        at: At,
    ) -> Written<(Vec<String>, Vec<ResultColumn>)> {
        if names.is_some() || self.targets.is_some() || select.items.len() > 1 {
            return Err(SqlProblem::refused(
                "* of a table that is not described stands alone",
                at,
            ));
        }
        let star = match qualifier {
            Some(name) => format!("{}.*", self.quoted(&name.name)),
            None => "*".to_owned(),
        };
        Ok((vec![star], Vec::new()))
    }

    pub(super) fn item_words(
        &mut self,
        values: Vec<(Typed, String, At)>,
        names: Option<&[String]>,
        at: At,
    ) -> Written<(Vec<String>, Vec<ResultColumn>)> {
        if names.is_some_and(|names| names.len() != values.len()) {
            return Err(SqlProblem::new(-158, &[], at));
        }
        let targets = self.targets.take();
        if targets.as_ref().is_some_and(|t| t.len() != values.len()) {
            return Err(SqlProblem::new(-117, &[], at));
        }
        let unified = self.unified.take();
        let mut words = Vec::new();
        let mut columns = Vec::new();
        for (n, (value, name, at)) in values.into_iter().enumerate() {
            let mut value = value;
            if let Some(target) = targets.as_ref().and_then(|t| t.get(n)) {
                value = self.assigned(value, target, at)?;
            } else if let Some(kind) = unified.as_ref().and_then(|k| k.get(n)) {
                value = self.as_result(value, *kind, at)?;
            }
            let value = self.sortable(value);
            let name = names.and_then(|names| names.get(n)).unwrap_or(&name);
            columns.push(column(&value, name));
            let plain = value.form == Form::Column && names.is_none() || name.is_empty();
            words.push(if plain && !renamed(&value.sql, name) {
                value.sql
            } else {
                format!("{} AS {}", value.sql, self.quoted(name))
            });
        }
        Ok((words, columns))
    }
}

/// Whether a column is given another name.
fn renamed(sql: &str, name: &str) -> bool {
    !name.is_empty() && !sql.ends_with(&format!("\"{}\"", name.replace('"', "\"\"")))
}
