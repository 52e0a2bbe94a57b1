//! Data items of a program, and what becomes of the description of a pointer.
//!
//! Why a table: a statement names an item, and only its description says that it is a pointer.

use super::edits::{Edits, words};
use crate::blocks::Item;
use crate::structure::Program;
use crate::token::{Kind, Session, Token};
use transom_messages as messages;

/// What kind of address an item of four bytes holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Usage {
    Data,
    Function,
}

/// One data description entry.
#[derive(Debug)]
struct Entry {
    /// First item, and its period.
    start: usize,
    end: usize,
    level: u8,
    name: Option<String>,
    /// Entry of the group it stands in.
    parent: Option<usize>,
    has_children: bool,
    has_picture: bool,
    usage: Option<Usage>,
    /// It or a group above says USAGE POINTER and it is elementary.
    is_pointer: bool,
    in_linkage: bool,
}

/// All of a program.
#[derive(Debug)]
pub(super) struct Table {
    entries: Vec<Entry>,
}

const USAGES: &[&str] = &["POINTER", "POINTER-32", "FUNCTION-POINTER"];

impl Table {
    /// Reads the DATA DIVISION of a program (`own`: items that are its own).
    pub(super) fn read(items: &[Item], program: &Program, own: impl Fn(usize) -> bool) -> Self {
        let mut table = Self {
            entries: Vec::new(),
        };
        let end = program.procedure.map_or(program.end, |(at, _)| at);
        let linkage = program.linkage.map_or(usize::MAX, |(at, _)| at);
        let mut at = program.data.unwrap_or(end);
        let mut after_period = false;
        while at < end.min(items.len()) {
            let Item::Word(token) = &items[at] else {
                at += 1;
                continue;
            };
            let level = token
                .text
                .parse::<u8>()
                .ok()
                .filter(|_| token.text.len() <= 2);
            let period = token.kind == Kind::Period;
            if let (Some(level), true, true) = (level, after_period, own(at)) {
                at = table.entry(items, at, end, level, at > linkage);
                after_period = true;
                continue;
            }
            after_period = period;
            at += 1;
        }
        table.inherit();
        table
    }

    /// Adds the entry that begins here; answers the item behind its period.
    fn entry(
        &mut self,
        items: &[Item],
        start: usize,
        limit: usize,
        level: u8,
        in_linkage: bool,
    ) -> usize {
        let word = |at: usize| match items.get(at) {
            Some(Item::Word(token)) if at < limit => Some(token),
            _ => None,
        };
        let end = (start..limit).find(|at| word(*at).is_some_and(|t| t.kind == Kind::Period));
        let end = end.unwrap_or(limit);
        let name = word(start + 1).filter(|t| t.kind == Kind::Word && !t.is_any(CLAUSES));
        let usage = (start + 1..end)
            .filter_map(word)
            .find(|t| t.is_any(USAGES))
            .map(|t| {
                if t.is("FUNCTION-POINTER") {
                    Usage::Function
                } else {
                    Usage::Data
                }
            });
        let has_picture = (start + 1..end)
            .filter_map(word)
            .any(|t| t.is_any(&["PIC", "PICTURE"]));
        let parent = match level {
            1 | 66 | 77 | 78 | 88 => None,
            _ => self.parent_of(level),
        };
        if let Some(parent) = parent {
            self.entries[parent].has_children = true;
        }
        if !matches!(level, 66 | 78 | 88) {
            self.entries.push(Entry {
                start,
                end,
                level,
                name: name.filter(|t| !t.is("FILLER")).map(Token::upper),
                parent,
                has_children: false,
                has_picture,
                usage,
                is_pointer: false,
                in_linkage,
            });
        }
        end + 1
    }

    /// The last entry with a smaller level.
    fn parent_of(&self, level: u8) -> Option<usize> {
        let mut at = self.entries.len().checked_sub(1)?;
        while self.entries[at].level >= level || self.entries[at].level == 77 {
            at = self.entries[at].parent?;
        }
        Some(at)
    }

    /// Groups hand their USAGE down.
    fn inherit(&mut self) {
        for at in 0..self.entries.len() {
            let above = self.entries[at].parent.and_then(|p| self.entries[p].usage);
            let entry = &mut self.entries[at];
            entry.usage = entry.usage.or(above).filter(|_| !entry.has_picture);
            entry.is_pointer = entry.usage.is_some() && !entry.has_children;
        }
    }

    /// What an item of this name is: `None` when there is none, `Some(None)` when it is no pointer.
    pub(super) fn usage(&self, name: &str, qualifiers: &[String]) -> Option<Option<Usage>> {
        let mut found = None;
        for entry in self.named(name, qualifiers) {
            found = Some(entry.usage.filter(|_| entry.is_pointer));
            if found == Some(None) {
                break;
            }
        }
        found
    }

    /// The item is one whose address can be set: 01 or 77 of the LINKAGE SECTION.
    pub(super) fn has_settable_address(&self, name: &str) -> bool {
        self.named(name, &[])
            .any(|e| e.in_linkage && matches!(e.level, 1 | 77))
    }

    fn named<'t>(
        &'t self,
        name: &'t str,
        qualifiers: &'t [String],
    ) -> impl Iterator<Item = &'t Entry> {
        self.entries.iter().filter(move |entry| {
            let mut above = entry.parent;
            entry.name.as_deref() == Some(name)
                && qualifiers.iter().all(|wanted| {
                    while let Some(at) = above {
                        above = self.entries[at].parent;
                        if self.entries[at].name.as_ref() == Some(wanted) {
                            return true;
                        }
                    }
                    false
                })
        })
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
        for (number, entry) in self.entries.iter().enumerate() {
            let word = |at: usize| match items.get(at) {
                Some(Item::Word(token)) => Some(token),
                _ => None,
            };
            let is = |at: usize, list: &[&str]| word(at).is_some_and(|t| t.is_any(list));
            let place = word(entry.start).map(|t| t.at).unwrap_or_default();
            let has = |list: &[&str]| (entry.start..entry.end).any(|at| is(at, list));
            if !entry.is_pointer {
                if entry.usage.is_some() {
                    self.drop_usage(entry, items, edits);
                }
                continue;
            }
            let plain = entry.parent.is_none() || entry.name.is_none() || has(&["REDEFINES"]);
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
            let Some(Item::Word(last)) = items.get(entry.end.saturating_sub(1)) else {
                return;
            };
            edits.insert(entry.end, words(PICTURE, last.at));
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

/// Words that begin a clause where a name is left out.
const CLAUSES: &[&str] = &[
    "BLANK",
    "EXTERNAL",
    "GLOBAL",
    "JUST",
    "JUSTIFIED",
    "OCCURS",
    "PIC",
    "PICTURE",
    "POINTER",
    "POINTER-32",
    "FUNCTION-POINTER",
    "REDEFINES",
    "SIGN",
    "SYNC",
    "SYNCHRONIZED",
    "USAGE",
    "VALUE",
    "VALUES",
];
