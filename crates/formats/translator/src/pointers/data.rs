//! Data items of a program, and what becomes of the description of a pointer.
//!
//! Why a table: a statement names an item, and only its description says that it is a pointer.

use super::edits::{Edits, words};
use crate::blocks::Item;
use crate::data::{self, Data, Entry};
use crate::structure::Program;
use crate::token::Session;
use transom_messages as messages;

/// What kind of address an item of four bytes holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    Data,
    Function,
}

/// The items of a program.
#[derive(Debug)]
pub(super) struct Table {
    data: Data,
    /// Of each entry: its kind or that of a group above; none where a PICTURE says otherwise.
    usages: Vec<Option<Usage>>,
}

const USAGES: &[&str] = &["POINTER", "POINTER-32", "FUNCTION-POINTER"];

impl Table {
    /// Reads the DATA DIVISION of a program (`own`: items that are its own).
    pub(super) fn read(items: &[Item], program: &Program, own: impl Fn(usize) -> bool) -> Self {
        let end = program.procedure.map_or(program.end, |(at, _)| at);
        let start = program.data.unwrap_or(end);
        let data = Data::read(items, (start..end.min(items.len())).filter(|at| own(*at)));
        let mut usages: Vec<Option<Usage>> = Vec::with_capacity(data.entries.len());
        for entry in &data.entries {
            // Groups hand their USAGE down.
            let above = entry.parent.and_then(|parent| usages[parent]);
            let own = match entry.clauses.usage {
                Some(data::Usage::Pointer) => Some(Usage::Data),
                Some(data::Usage::FunctionPointer) => Some(Usage::Function),
                _ => None,
            };
            let plain = entry.clauses.picture.is_none() && entry.is_item();
            usages.push(own.or(above).filter(|_| plain));
        }
        Self { data, usages }
    }

    /// What an item of this name is: `None` when there is none, `Some(None)` when it is no pointer.
    pub(super) fn usage(&self, name: &str, qualifiers: &[String]) -> Option<Option<Usage>> {
        let mut found = None;
        for at in self.data.named(name, qualifiers) {
            found = Some(self.usages[at].filter(|_| !self.data.entries[at].has_children));
            if found == Some(None) {
                break;
            }
        }
        found
    }

    /// The item is one whose address can be set: 01 or 77 of the LINKAGE SECTION.
    pub(super) fn has_settable_address(&self, name: &str) -> bool {
        let entries = &self.data.entries;
        let settable = |at: usize| entries[at].in_linkage && entries[at].is_outermost();
        self.data.named(name, &[]).any(settable)
    }

    /// Writes the descriptions anew. `keep`: the file has INITIALIZE or MOVE CORRESPONDING, which
    /// leave pointers as they are.
    pub(super) fn rewrite(
        &self,
        items: &[Item],
        keep: bool,
        edits: &mut Edits,
        session: &mut Session,
    ) {
        let all = self.data.entries.iter().zip(&self.usages);
        let all = all.filter(|(entry, _)| entry.is_item()).enumerate();
        for (number, (entry, usage)) in all {
            let word = |at: usize| match items.get(at) {
                Some(Item::Word(token)) => Some(token),
                _ => None,
            };
            let is = |at: usize, list: &[&str]| word(at).is_some_and(|t| t.is_any(list));
            let place = word(entry.start).map(|t| t.at).unwrap_or_default();
            let has = |list: &[&str]| (entry.start..entry.end).any(|at| is(at, list));
            if usage.is_none() {
                continue;
            }
            if entry.has_children {
                self.drop_usage(entry, items, edits);
                continue;
            }
            let redefines = entry.clauses.redefines;
            let plain = entry.parent.is_none() || entry.name.is_none() || redefines;
            if !keep || plain {
                self.plain(entry, items, edits);
                continue;
            }
            let refused = if has(&["DEPENDING"]) {
                Some("OCCURS DEPENDING ON")
            } else if entry.level >= 49 {
                Some("level 49")
            } else {
                None
            };
            let name = entry.name.as_deref().unwrap_or_default();
            if let Some(why) = refused {
                session.problem(messages::tr::pointer_not_kept(name, why), place);
                continue;
            }
            self.kept(number, entry, items, edits);
        }
    }

    /// In place of the USAGE: four bytes, first byte first.
    fn plain(&self, entry: &Entry, items: &[Item], edits: &mut Edits) {
        let mut written = false;
        self.each_clause(entry, items, |at, to, clause| match clause {
            Clause::Usage(place) => {
                written = true;
                edits.replace(at, to, words(PICTURE, place));
            }
            Clause::Null(place) => edits.replace(at, to, words("0", place)),
        });
        if !written {
            let period = entry.end - 1;
            if let Some(Item::Word(last)) = items.get(period - 1) {
                edits.insert(period, words(PICTURE, last.at));
            }
        }
    }

    /// INITIALIZE passes FILLER and items that redefine: the storage becomes the one, the name the
    /// other.
    fn kept(&self, number: usize, entry: &Entry, items: &[Item], edits: &mut Edits) {
        let Some(Item::Word(first)) = items.get(entry.start) else {
            return;
        };
        let (place, level) = (first.at, entry.level);
        let word = |at: usize| match items.get(at) {
            Some(Item::Word(token)) if at < entry.end => Some(token),
            _ => None,
        };
        let find = |list: &[&str]| {
            (entry.start..entry.end).find(|at| word(*at).is_some_and(|t| t.is_any(list)))
        };
        let value = find(&["VALUE"]).map_or("", |_| " VALUE 0");
        let times = find(&["OCCURS"]).and_then(|at| word(at + 1));
        let occurs = times.map_or(String::new(), |t| format!(" OCCURS {} TIMES", t.text));
        let storage = format!(
            "{level:02} TXM-STORAGE-{number} . {:02} FILLER {PICTURE}{value}{occurs} . ",
            level + 1
        );
        edits.insert(entry.start, words(&storage, place));
        edits.insert(
            entry.start + 2,
            words(&format!("REDEFINES TXM-STORAGE-{number} {PICTURE}"), place),
        );
        self.each_clause(entry, items, |at, to, clause| {
            if matches!(clause, Clause::Usage(_)) {
                edits.replace(at, to, Vec::new());
            }
        });
        if let Some(at) = find(&["VALUE"]) {
            let is = usize::from(word(at + 1).is_some_and(|t| t.is("IS")));
            edits.replace(at, at + 2 + is, Vec::new());
        }
    }

    fn drop_usage(&self, entry: &Entry, items: &[Item], edits: &mut Edits) {
        self.each_clause(entry, items, |at, to, clause| {
            if matches!(clause, Clause::Usage(_)) {
                edits.replace(at, to, Vec::new());
            }
        });
    }

    fn each_clause(
        &self,
        entry: &Entry,
        items: &[Item],
        mut found: impl FnMut(usize, usize, Clause),
    ) {
        let is = |at: usize, list: &[&str]| matches!(items.get(at), Some(Item::Word(t)) if t.is_any(list));
        for at in entry.start + 1..entry.end {
            let Some(Item::Word(token)) = items.get(at) else {
                continue;
            };
            if token.is_any(USAGES) {
                let mut from = at;
                while is(from - 1, &["USAGE", "IS"]) {
                    from -= 1;
                }
                found(from, at + 1, Clause::Usage(token.at));
            } else if token.is_any(&["NULL", "NULLS"]) {
                found(at, at + 1, Clause::Null(token.at));
            }
        }
    }
}

enum Clause {
    Usage(crate::token::At),
    Null(crate::token::At),
}

const PICTURE: &str = "PIC X(4) COMP-X";
