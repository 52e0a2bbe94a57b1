//! Data items of a program, as far as hexadecimal literals need them: does an item hold
//! characters, or bytes that mean something else?
//!
//! Why: the same literal is a blank in an alphanumeric item and a number in one that a binary item
//! redefines. Layouts come from the copybook format; what cannot be laid out is not clear. Not
//! here: what a statement does with an item (see `operand`).

use crate::clauses::join;
use crate::data::{Data, Entry};
use crate::token::Token;
use std::collections::HashMap;
use transom_copybook::{FieldId, FieldKind, Layout, ParseOptions, Profile, SourceFormat};

/// What an item holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Holds {
    /// Characters, zoned numbers among them.
    Characters,
    /// Characters or the flags of a field of a map.
    Flag,
    /// Numbers that are no characters, or storage shared with such.
    Binary,
    /// Codes of CICS, the same bytes on both sides.
    Codes,
    /// A record that VALUEs with control characters fill: a data stream.
    Stream,
    /// It cannot be told.
    Unclear,
}

/// The items of one DATA DIVISION.
#[derive(Debug, Default)]
pub(super) struct Items {
    /// By name, upper case: what it holds, with the names of its groups.
    named: HashMap<String, Vec<(Holds, Vec<String>)>>,
    /// Of each entry: index of its first word, what its item holds (for 88: the item above).
    entries: Vec<(usize, Holds)>,
}

impl Items {
    /// Reads `tokens[start..end]`, a DATA DIVISION without its header.
    pub(super) fn read(tokens: &[Token], start: usize, end: usize) -> Self {
        let mut items = Self::default();
        let data = Data::read(tokens, start..end);
        let mut record = 0;
        for (at, entry) in data.entries.iter().enumerate() {
            if entry.is_outermost() && !entry.clauses.redefines {
                items.record(tokens, &data.entries[record..at]);
                record = at;
            }
        }
        items.record(tokens, &data.entries[record..]);
        items
    }

    /// What an item holds; `None` when no item has the name. Items of one name must agree.
    pub(super) fn named(&self, name: &str, groups: &[String]) -> Option<Holds> {
        let all = self.named.get(name)?;
        let mut found = all
            .iter()
            .filter(|(_, above)| groups.iter().all(|g| above.contains(g)))
            .map(|(holds, _)| *holds);
        let first = found.next()?;
        Some(match found.all(|other| other == first) {
            true => first,
            false => Holds::Unclear,
        })
    }

    /// What the item of the entry holds in which a word stands.
    pub(super) fn of_entry(&self, at: usize) -> Holds {
        let after = self.entries.partition_point(|(start, _)| *start <= at);
        match after.checked_sub(1).and_then(|n| self.entries.get(n)) {
            Some((_, holds)) => *holds,
            None => Holds::Unclear,
        }
    }

    /// One record with those that redefine it.
    fn record(&mut self, tokens: &[Token], entries: &[Entry]) {
        let words = |entry: &Entry| &tokens[entry.start..entry.end];
        let described: Vec<&Entry> = entries.iter().filter(|e| e.is_item()).collect();
        let text: Vec<String> = described.iter().map(|entry| join(words(entry))).collect();
        let options = ParseOptions {
            format: SourceFormat::Free,
            ..ParseOptions::default()
        };
        let (copybook, _) = transom_copybook::parse(&text.join("\n"), &options);
        let layout = Layout::new(&copybook, Profile::Native).ok();
        let layout = layout.filter(|layout| layout.fields.len() == described.len());
        let mut holds = match &layout {
            Some(layout) => judge(layout),
            None => vec![Holds::Unclear; described.len()],
        };
        if entries.iter().any(|entry| is_stream(words(entry))) {
            for one in holds.iter_mut().filter(|h| **h != Holds::Binary) {
                *one = Holds::Stream;
            }
        }
        if let Some(layout) = &layout {
            for (id, holds) in layout.ids().zip(&holds) {
                let field = &layout[id];
                if !field.is_filler() {
                    let known = self.named.entry(field.name.to_ascii_uppercase());
                    known.or_default().push((*holds, groups(layout, id)));
                }
            }
        }
        let mut number = 0usize;
        for entry in entries {
            number += usize::from(entry.is_item());
            let above = number.checked_sub(1).and_then(|n| holds.get(n));
            let holds = match entry.level {
                66 => Holds::Unclear,
                _ => above.copied().unwrap_or(Holds::Unclear),
            };
            self.entries.push((entry.start, holds));
        }
    }
}

/// VALUE with a control character in hexadecimal, other than in a condition.
fn is_stream(words: &[Token]) -> bool {
    let control = |b: &u8| matches!(b, 0x01..=0x3F);
    !words.first().is_some_and(|t| t.is("88"))
        && words
            .iter()
            .filter_map(super::literal::bytes)
            .any(|bytes| bytes.iter().any(control))
}

fn groups(layout: &Layout, id: FieldId) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = layout[id].parent;
    while let Some(group) = at {
        out.push(layout[group].name.to_ascii_uppercase());
        at = layout[group].parent;
    }
    out
}

/// What each field of a layout holds.
fn judge(layout: &Layout) -> Vec<Holds> {
    let mut holds: Vec<Holds> = layout
        .fields
        .iter()
        .map(|field| match field.kind {
            FieldKind::Alphanumeric { .. }
            | FieldKind::AlphanumericEdited { .. }
            | FieldKind::NumericEdited { .. }
            | FieldKind::Zoned { .. }
            | FieldKind::Group => Holds::Characters,
            _ => Holds::Binary,
        })
        .collect();
    for id in layout.ids() {
        let field = &layout[id];
        if field.redefined_by.is_empty() {
            continue;
        }
        let branches: Vec<FieldId> = [id]
            .into_iter()
            .chain(field.redefined_by.iter().copied())
            .collect();
        for branch in &branches {
            let mut ranges = Vec::new();
            each_leaf(layout, *branch, None, &mut |leaf, range| {
                if is_binary(layout, leaf) {
                    ranges.push(range);
                }
            });
            for other in branches
                .iter()
                .filter(|other| *other != branch && !ranges.is_empty())
            {
                each_leaf(layout, *other, None, &mut |leaf, (start, end)| {
                    if ranges.iter().any(|(from, to)| start < *to && *from < end) {
                        holds[leaf.0 as usize] = Holds::Binary;
                    }
                });
            }
        }
        if is_map_flag(layout, id) {
            holds[id.0 as usize] = Holds::Flag;
        }
    }
    // Groups are what their items are; children come after their group.
    for at in (0..layout.fields.len()).rev() {
        let binary = |child: &FieldId| holds[child.0 as usize] == Holds::Binary;
        if layout.fields[at].children.iter().any(binary) {
            holds[at] = Holds::Binary;
        }
    }
    holds
}

fn is_binary(layout: &Layout, leaf: FieldId) -> bool {
    !matches!(
        layout[leaf].kind,
        FieldKind::Alphanumeric { .. }
            | FieldKind::AlphanumericEdited { .. }
            | FieldKind::NumericEdited { .. }
            | FieldKind::Zoned { .. }
    )
}

/// Shows elementary items with the bytes they take; those of a table take all of it.
fn each_leaf(
    layout: &Layout,
    id: FieldId,
    table: Option<(usize, usize)>,
    see: &mut dyn FnMut(FieldId, (usize, usize)),
) {
    let field = &layout[id];
    let all = (field.offset, field.offset + field.extent());
    let table = table.or(field.occurs.as_ref().map(|_| all));
    if field.children.is_empty() {
        see(id, table.unwrap_or(all));
    }
    for child in &field.children {
        each_leaf(layout, *child, table, see);
    }
}

/// `xF`, redefined by a FILLER with `xA` in it: flag and attribute of a field in a symbolic map.
fn is_map_flag(layout: &Layout, id: FieldId) -> bool {
    let field = &layout[id];
    let name = field.name.to_ascii_uppercase();
    let Some(stem) = name.strip_suffix('F').filter(|_| field.len == 1) else {
        return false;
    };
    let attribute = format!("{stem}A");
    let named = |child: &FieldId| layout[*child].name.eq_ignore_ascii_case(&attribute);
    field
        .redefined_by
        .iter()
        .any(|group| layout[*group].children.iter().any(named))
}
