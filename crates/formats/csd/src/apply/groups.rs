//! DELETE, COPY, RENAME and the commands of lists.

use super::selection::{Selection, selections};
use super::{Context, find, resource_name};
use crate::definition::Definition;
use crate::scan::Statement;
use crate::store::Group;
use crate::value::{matches, name};
use crate::verbs::Verb;
use transom_messages as messages;

/// What COPY does where the target has a definition already.
#[derive(Clone, Copy, PartialEq, Eq)]
enum There {
    Told,
    /// MERGE.
    Kept,
    /// REPLACE.
    Replaced,
}

impl Context<'_> {
    pub(super) fn delete(&mut self, statement: &Statement) {
        let Some(selected) = self.one_selection(statement) else {
            return;
        };
        if selected.is_none() && find(statement, "GROUP").is_none() {
            let Some(list) = self.required(statement, "LIST") else {
                return;
            };
            if self.csd.lists.remove(&list).is_none() {
                self.nothing(statement, &format!("list {list}"));
            }
            return;
        }
        let Some(group) = self.required(statement, "GROUP") else {
            return;
        };
        let gone = match &selected {
            Some(selection) => {
                let group = self.csd.groups.get_mut(&group);
                group.map_or(0, |g| g.remove(|d| selection.fits(d)))
            }
            None => self
                .csd
                .groups
                .remove(&group)
                .map_or(0, |g| g.definitions().len().max(1)),
        };
        self.count = self.count.saturating_sub(gone);
        self.csd.groups.retain(|_, g| !g.definitions().is_empty());
        if find(statement, "REMOVE").is_some() && !self.csd.groups.contains_key(&group) {
            for list in self.csd.lists.values_mut() {
                list.retain(|name| *name != group);
            }
            self.csd.lists.retain(|_, list| !list.is_empty());
        }
        if gone == 0 {
            let what = match &selected {
                Some(s) => format!("{}({}) in group {group}", s.kind.keyword(), s.pattern),
                None => format!("group {group}"),
            };
            self.nothing(statement, &what);
        }
    }

    /// The resources a statement means, if it names some; `None`: it names two, which is told.
    fn one_selection<'s>(&mut self, statement: &'s Statement) -> Option<Option<Selection<'s>>> {
        let mut all = selections(statement);
        let (first, second) = (all.next(), all.next());
        if let (Some(first), Some(second)) = (&first, &second) {
            let word = |s: &Selection<'_>| format!("{}({})", s.kind.keyword(), s.pattern);
            let message = messages::cs::two_resources(&statement.word, word(first), word(second));
            self.unchanged(statement.line, message);
            return None;
        }
        Some(first)
    }

    pub(super) fn add(&mut self, statement: &Statement) {
        let (group, list) = (
            self.required(statement, "GROUP"),
            self.required(statement, "LIST"),
        );
        let (Some(group), Some(list)) = (group, list) else {
            return;
        };
        let before = self.optional(statement, "BEFORE").flatten();
        let after = self.optional(statement, "AFTER").flatten();
        let groups = self.csd.lists.entry(list.clone()).or_default();
        if groups.contains(&group) {
            let message = messages::cs::already_in_list(&group, &list);
            return self.unchanged(statement.line, message);
        }
        let place = |name: Option<String>| name.and_then(|n| groups.iter().position(|g| *g == n));
        let at = place(before)
            .or_else(|| place(after).map(|at| at + 1))
            .unwrap_or(groups.len());
        groups.insert(at, group);
    }

    pub(super) fn remove(&mut self, statement: &Statement) {
        let (group, list) = (
            self.required(statement, "GROUP"),
            self.required(statement, "LIST"),
        );
        let (Some(group), Some(list)) = (group, list) else {
            return;
        };
        let groups = self.csd.lists.get_mut(&list);
        let removed = groups.is_some_and(|groups| {
            let before = groups.len();
            groups.retain(|name| !matches(&group, name));
            groups.len() != before
        });
        self.csd.lists.retain(|_, groups| !groups.is_empty());
        if !removed {
            self.nothing(statement, &format!("group {group} in list {list}"));
        }
    }

    pub(super) fn append(&mut self, statement: &Statement) {
        let (from, to) = (
            self.required(statement, "LIST"),
            self.required(statement, "TO"),
        );
        let (Some(from), Some(to)) = (from, to) else {
            return;
        };
        let Some(groups) = self.csd.lists.get(&from).cloned() else {
            self.unchanged(
                statement.line,
                messages::cs::list_not_found("APPEND", &from),
            );
            return;
        };
        let target = self.csd.lists.entry(to).or_default();
        for group in groups {
            if !target.contains(&group) {
                target.push(group);
            }
        }
    }

    /// COPY and RENAME: `kind(name) GROUP(a) [TO(b)] [AS(new)]` or `GROUP(a) TO(b)`.
    pub(super) fn copy(&mut self, statement: &Statement) {
        let Some(selected) = self.one_selection(statement) else {
            return;
        };
        let Some(group) = self.required(statement, "GROUP") else {
            return;
        };
        let to = match self.optional(statement, "TO") {
            Some(Some(to)) => to,
            Some(None) => return,
            None => group.clone(),
        };
        let source = self
            .csd
            .groups
            .get(&group)
            .map_or(&[] as &[Definition], Group::definitions);
        let fits = |d: &&Definition| selected.as_ref().is_none_or(|s| s.fits(d));
        let copies: Vec<Definition> = source.iter().filter(fits).cloned().collect();
        if copies.is_empty() {
            let what = selected.map_or("anything".to_string(), |s| {
                format!("{}({})", s.kind.keyword(), s.pattern)
            });
            self.missing(statement, &what, &group);
            return;
        }
        let new_name = find(statement, "AS").and_then(|o| o.value.clone());
        let there = match (find(statement, "REPLACE"), find(statement, "MERGE")) {
            (Some(_), _) => There::Replaced,
            (None, Some(_)) => There::Kept,
            (None, None) => There::Told,
        };
        if self.whole && there == There::Told {
            let target = self.csd.groups.get(&to);
            let name = |d: &Definition| new_name.clone().unwrap_or_else(|| d.name.clone());
            let taken = copies.iter().find(|d| {
                target
                    .is_some_and(|target| target.contains(d.kind, &resource_name(d.kind, &name(d))))
            });
            if let Some(taken) = taken {
                let what = format!("{}({})", taken.kind.keyword(), name(taken));
                let message = messages::cs::not_replaced(what, &to);
                return self.unchanged(statement.line, message);
            }
        }
        for old in copies {
            self.copy_one(statement, &old, &to, new_name.as_deref(), there);
        }
    }

    fn copy_one(
        &mut self,
        statement: &Statement,
        old: &Definition,
        to: &str,
        new_name: Option<&str>,
        there_is: There,
    ) {
        let mut new = Definition {
            group: to.to_string(),
            ..old.clone()
        };
        if let Some(wanted) = new_name {
            let kind = old.kind;
            match name(&resource_name(kind, wanted), kind.name_length()) {
                Ok(name) => new.name = name,
                Err(reason) => {
                    self.problem(
                        statement.line,
                        messages::cs::name_not_valid("AS", wanted, &reason),
                    );
                    return;
                }
            }
        }
        let there = self
            .csd
            .groups
            .get(to)
            .is_some_and(|g| g.contains(new.kind, &new.name));
        if there && there_is == There::Kept {
            return;
        }
        if there && there_is == There::Told {
            self.unchanged(
                statement.line,
                messages::cs::not_replaced(
                    format_args!("{}({})", new.kind.keyword(), new.name),
                    to,
                ),
            );
            return;
        }
        if !there && self.room(statement.line).is_none() {
            return;
        }
        if statement.verb == Some(Verb::Rename)
            && let Some(group) = self.csd.groups.get_mut(&old.group)
        {
            group.remove(|d| d.kind == old.kind && d.name == old.name);
            self.count = self.count.saturating_sub(1);
        }
        self.csd.groups.entry(to.to_string()).or_default().put(new);
        self.csd.groups.retain(|_, g| !g.definitions().is_empty());
    }
}
