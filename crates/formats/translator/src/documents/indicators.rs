//! INDICATING of JSON PARSE: the items that tell whether others are null.
//!
//! Not here: when they are told (`filling`).

use super::parsing::{Indicator, Truths};
use super::reader::Reference;
use super::record::{Record, all_of};
use transom_copybook::{Field, FieldId};

/// COBOL that makes an indicator say null, and that makes it say that there is a value.
pub(super) type Indicated = [String; 2];

impl Indicator {
    /// What it names, items and condition-names.
    pub(super) fn names(&self) -> Vec<&Reference> {
        match (&self.truths, &self.item) {
            (Truths::Literals(..), item) => item.iter().collect(),
            (Truths::Condition(one), _) => vec![one],
            (Truths::Conditions(yes, no), _) => vec![yes, no],
        }
    }
}

impl Record {
    /// The indicator of an item with these subscripts.
    pub(super) fn indicated(
        &self,
        id: FieldId,
        indicator: &Indicator,
        subscripts: &str,
    ) -> Result<Indicated, String> {
        let beside = |wanted: &Reference| self.beside(id, wanted, subscripts);
        Ok(match (&indicator.truths, &indicator.item) {
            (Truths::Literals(yes, no), Some(item)) => {
                let item = beside(item)?;
                [yes, no].map(|literal| format!("MOVE {literal} TO {item}"))
            }
            (Truths::Literals(..), None) => return Err("INDICATING without IN".to_owned()),
            (Truths::Condition(one), _) => {
                let one = beside(one)?;
                ["TRUE", "FALSE"].map(|to| format!("SET {one} TO {to}"))
            }
            (Truths::Conditions(yes, no), _) => {
                [beside(yes)?, beside(no)?].map(|one| format!("SET {one} TO TRUE"))
            }
        })
    }

    /// The item of this name, or that with this condition-name; `None`: it is none of this record.
    pub(super) fn variable(&self, wanted: &Reference) -> Result<Option<FieldId>, String> {
        let mut found = all_of(&self.layout, &wanted.names);
        if found.is_empty() {
            let (name, groups) = (&wanted.names[0], &wanted.names[1..]);
            let has = |field: &Field| {
                let mut names = field.conditions.iter().map(|condition| &condition.name);
                names.any(|known| known.eq_ignore_ascii_case(name))
            };
            let all = self.layout.ids().filter(|id| has(&self.layout[*id]));
            found = all.filter(|id| self.lies_in(*id, groups)).collect();
        }
        match found.as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            _ => Err(format!("{}, which several items may be", wanted.written)),
        }
    }

    /// It or groups around it have these names, from the inside out.
    fn lies_in(&self, id: FieldId, groups: &[String]) -> bool {
        let up = |id: &FieldId| self.layout[*id].parent;
        let mut around = std::iter::successors(Some(id), up);
        let named = |id: FieldId, group: &String| self.layout[id].name.eq_ignore_ascii_case(group);
        groups.iter().all(|group| around.any(|id| named(id, group)))
    }

    /// An indicator as COBOL names the one that belongs to an item with these subscripts.
    pub(super) fn beside(
        &self,
        id: FieldId,
        wanted: &Reference,
        subscripts: &str,
    ) -> Result<String, String> {
        let variable = self.variable(wanted)?;
        let Some(variable) = variable.filter(|_| wanted.subscripts.is_empty()) else {
            return Ok(wanted.written.clone());
        };
        let (tables, own) = (self.tables(variable), self.tables(id));
        if !own.starts_with(&tables) {
            return Err(format!("{}, which is in another table", wanted.written));
        }
        let words: Vec<&str> = subscripts.split_whitespace().collect();
        let subscripts = match tables.len() {
            0 => return Ok(wanted.written.clone()),
            all if all == own.len() => subscripts.to_owned(),
            some if words.len() == own.len() => words[..some].join(" "),
            _ => {
                return Err(format!(
                    "expressions as subscripts beside {}",
                    wanted.written
                ));
            }
        };
        Ok(format!("{} ( {subscripts} )", wanted.written))
    }

    /// Tables it is in or is, the outermost first.
    fn tables(&self, id: FieldId) -> Vec<FieldId> {
        let up = |id: &FieldId| self.layout[*id].parent;
        let around = std::iter::successors(Some(id), up);
        let mut tables: Vec<FieldId> = around
            .filter(|id| self.layout[*id].occurs.is_some())
            .collect();
        tables.reverse();
        tables
    }
}
