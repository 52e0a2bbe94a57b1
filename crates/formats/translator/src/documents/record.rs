//! The item a document is made from, in the layout of its record.
//!
//! Not here: reading descriptions (`transom_copybook`), what becomes of the items (`emit`).

use super::reader::Reference;
use crate::data::{Data, Entry, layout};
use crate::token::Token;
use std::ops::Range;
use transom_copybook::{FieldId, FieldKind, Layout, ParseOptions};

/// An item of a record.
#[derive(Debug)]
pub(super) struct Record {
    pub(super) layout: Layout,
    pub(super) item: FieldId,
}

/// The item of this name in the program's own data, else in that of the programs around it.
pub(super) fn find(
    tokens: &[Token],
    data: &[Range<usize>],
    wanted: &Reference,
    options: &ParseOptions,
) -> Result<Record, String> {
    for range in data {
        let mut found = Vec::new();
        let data = Data::read(tokens, range.clone());
        for record in data.records() {
            let entries = &data.entries[record];
            let named = |e: &Entry| e.name.as_ref() == Some(&wanted.names[0]);
            if !entries[0].is_outermost() || !entries.iter().any(named) {
                continue;
            }
            let layout = layout(tokens, entries, options).map_err(|(_, why)| why)?;
            for item in all_of(&layout, &wanted.names) {
                found.push(Record {
                    layout: layout.clone(),
                    item,
                });
            }
        }
        if found.len() > 1 {
            return Err(format!("{}, which several items may be", wanted.written));
        }
        if let Some(found) = found.pop() {
            return Ok(found);
        }
    }
    Err(format!(
        "{}, which is no item of this program",
        wanted.written
    ))
}

/// Items with this name in groups of these names.
pub(super) fn all_of(layout: &Layout, names: &[String]) -> Vec<FieldId> {
    let all = layout.ids().filter(|id| is_named(layout, *id, names));
    all.collect()
}

fn is_named(layout: &Layout, id: FieldId, names: &[String]) -> bool {
    let Some((name, groups)) = names.split_first() else {
        return false;
    };
    let field = &layout[id];
    if field.is_filler() || !field.name.eq_ignore_ascii_case(name) {
        return false;
    }
    let mut up = field.parent;
    for group in groups {
        loop {
            let Some(parent) = up else { return false };
            up = layout[parent].parent;
            if layout[parent].name.eq_ignore_ascii_case(group) {
                break;
            }
        }
    }
    true
}

impl Record {
    /// The item under this one that a phrase names.
    pub(super) fn inside(&self, wanted: &Reference) -> Result<FieldId, String> {
        let all = all_of(&self.layout, &wanted.names);
        let mut under = all.into_iter().filter(|id| self.is_under(*id));
        match (under.next(), under.next()) {
            (Some(id), None) => Ok(id),
            (None, _) => Err(format!("{}, which is not in the item", wanted.written)),
            _ => Err(format!("{}, which several items may be", wanted.written)),
        }
    }

    /// As [`Self::inside`], where the phrase takes no group.
    pub(super) fn alone(&self, wanted: &Reference, phrase: &str) -> Result<FieldId, String> {
        let id = self.inside(wanted)?;
        match self.is_elementary(id) {
            true => Ok(id),
            false => Err(format!("{phrase} of a group")),
        }
    }

    pub(super) fn is_elementary(&self, id: FieldId) -> bool {
        self.layout[id].kind != FieldKind::Group
    }

    /// Items in a document: elementary ones with a name, and groups that have some.
    pub(super) fn is_eligible(&self, id: FieldId) -> bool {
        let field = &self.layout[id];
        if id != self.item && field.redefines.is_some() {
            return false;
        }
        match self.is_elementary(id) {
            true => !field.is_filler(),
            false => field.children.iter().any(|child| self.is_eligible(*child)),
        }
    }

    /// Tables around an item.
    pub(super) fn tables_around(&self, id: FieldId) -> usize {
        let up = |id: &FieldId| self.layout[*id].parent;
        let around = std::iter::successors(up(&id), up);
        around
            .filter(|id| self.layout[*id].occurs.is_some())
            .count()
    }

    fn is_under(&self, id: FieldId) -> bool {
        let mut at = Some(id);
        while let Some(id) = at {
            if id == self.item {
                return true;
            }
            at = self.layout[id].parent;
        }
        false
    }

    /// Name and groups, so that it means this item alone.
    pub(super) fn qualified(&self, id: FieldId) -> String {
        let mut out = self.layout[id].name.clone();
        let mut up = self.layout[id].parent;
        while let Some(parent) = up {
            let group = &self.layout[parent];
            if !group.is_filler() {
                out += &format!(" OF {}", group.name);
            }
            up = group.parent;
        }
        out
    }
}
