//! The DATA DIVISION as its data description entries, read once in one way for all who ask what an
//! item is.
//!
//! What: level, name, group, clauses and place of each entry, of words or of items with their EXEC
//! blocks; a record is laid out from the same entries. Why: pointers, slack bytes, hexadecimal
//! literals, documents, host variables and interfaces must mean the same item by a name. Not here:
//! bytes and offsets (`transom_copybook`), what becomes of an item.

mod clauses;
mod layout;

pub(crate) use clauses::{Clauses, Usage};
pub(crate) use layout::{layout, options};

use crate::blocks::Item;
use crate::token::{Kind, Token};
use std::ops::Range;

/// Words by their places.
pub(crate) trait Words {
    /// The word that stands there; `None`: an EXEC block, or nothing.
    fn word(&self, at: usize) -> Option<&Token>;
}

impl Words for [Token] {
    fn word(&self, at: usize) -> Option<&Token> {
        self.get(at)
    }
}

impl Words for [Item] {
    fn word(&self, at: usize) -> Option<&Token> {
        match self.get(at) {
            Some(Item::Word(token)) => Some(token),
            _ => None,
        }
    }
}

/// One data description entry.
#[derive(Debug, Clone)]
pub(crate) struct Entry {
    /// 01-49, 66, 77, 78 or 88.
    pub(crate) level: u8,
    /// In upper case; `None`: FILLER, or none.
    pub(crate) name: Option<String>,
    /// Place of its level.
    pub(crate) start: usize,
    /// Behind its period.
    pub(crate) end: usize,
    /// Number of the group it is in; of a level 88 that of the item it is about.
    pub(crate) parent: Option<usize>,
    /// Items are in it.
    pub(crate) has_children: bool,
    /// It stands in a LINKAGE SECTION.
    pub(crate) in_linkage: bool,
    /// Nothing stands between it and the entry before.
    follows: bool,
    pub(crate) clauses: Clauses,
}

impl Entry {
    /// It describes storage: no condition-name, renaming or constant.
    pub(crate) fn is_item(&self) -> bool {
        matches!(self.level, 1..=49 | 77)
    }

    /// It is no part of another item.
    pub(crate) fn is_outermost(&self) -> bool {
        matches!(self.level, 1 | 77)
    }
}

/// Entries in their order.
#[derive(Debug, Default)]
pub(crate) struct Data {
    pub(crate) entries: Vec<Entry>,
}

impl Data {
    /// Reads the entries at these places. Sentences that begin with no level number are passed
    /// over, EXEC blocks and directives too.
    pub(crate) fn read(
        source: &(impl Words + ?Sized),
        places: impl IntoIterator<Item = usize>,
    ) -> Self {
        let mut scan = Scan {
            source,
            data: Self::default(),
            sentence: Vec::new(),
            in_linkage: false,
            follows: false,
            exec: false,
        };
        for at in places {
            scan.step(at);
        }
        scan.sentence_ends();
        scan.data
    }

    /// The entries of all DATA DIVISIONs of a file.
    pub(crate) fn of_file(tokens: &[Token]) -> Self {
        Self::read(tokens, divisions(tokens).into_iter().flatten())
    }

    /// Records: an entry without a group before it, up to the next 01 or 77 or to what is no entry.
    pub(crate) fn records(&self) -> impl Iterator<Item = Range<usize>> {
        let begins = |at: usize| {
            let entry = self.entries.get(at);
            entry.is_none_or(|entry| entry.is_outermost() || !entry.follows)
        };
        let starts = (0..self.entries.len()).filter(move |at| begins(*at));
        starts.map(move |start| {
            let end = (start + 1..).find(|at| begins(*at));
            start..end.unwrap_or(start)
        })
    }

    /// An item with all that is in it.
    pub(crate) fn item(&self, at: usize) -> Range<usize> {
        let level = self.entries.get(at).map_or(0, |entry| entry.level);
        let inside = |entry: &&Entry| entry.follows && entry.level > level && entry.level != 77;
        let behind = self.entries.iter().skip(at + 1);
        at..at + 1 + behind.take_while(inside).count()
    }

    /// Numbers of the items with this name in groups of these names, from the inside out.
    pub(crate) fn named<'a>(
        &'a self,
        name: &'a str,
        groups: &'a [String],
    ) -> impl Iterator<Item = usize> + 'a {
        let all = self.entries.iter().enumerate();
        let same = move |entry: &Entry| entry.is_item() && entry.name.as_deref() == Some(name);
        all.filter(move |(at, entry)| same(entry) && self.lies_in(*at, groups))
            .map(|(at, _)| at)
    }

    /// Groups around it have these names, from the inside out.
    fn lies_in(&self, at: usize, groups: &[String]) -> bool {
        let mut around = self.around(at);
        let named = |at: usize, group: &String| self.entries[at].name.as_ref() == Some(group);
        groups.iter().all(|group| around.any(|at| named(at, group)))
    }

    /// Numbers of the groups around it, the innermost first.
    pub(crate) fn around(&self, at: usize) -> impl Iterator<Item = usize> {
        let up = |at: &usize| self.entries.get(*at).and_then(|entry| entry.parent);
        std::iter::successors(up(&at), up)
    }
}

/// Places of the DATA DIVISIONs of a file, each up to the next division.
fn divisions(tokens: &[Token]) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut open = None;
    for (at, pair) in tokens.windows(2).enumerate() {
        if pair[1].is("DIVISION") {
            out.extend(open.take().map(|start| start..at));
            open = pair[0].is("DATA").then_some(at);
        }
    }
    out.extend(open.map(|start| start..tokens.len()));
    out
}

struct Scan<'a, W: ?Sized> {
    source: &'a W,
    data: Data,
    /// Places of its words.
    sentence: Vec<usize>,
    in_linkage: bool,
    follows: bool,
    exec: bool,
}

impl<W: Words + ?Sized> Scan<'_, W> {
    fn step(&mut self, at: usize) {
        let source = self.source;
        let Some(token) = source.word(at) else {
            return self.block();
        };
        if token.is_any(&["EXEC", "EXECUTE"]) {
            self.exec = true;
        }
        if self.exec {
            self.block();
            self.exec = !token.is("END-EXEC");
            return;
        }
        let before = self.sentence.last().and_then(|at| source.word(*at));
        if let Some(before) = before.filter(|_| token.is("SECTION")) {
            self.in_linkage = before.is("LINKAGE");
        }
        match token.kind {
            Kind::Directive => {}
            Kind::Period => {
                self.sentence.push(at);
                self.sentence_ends();
            }
            _ => self.sentence.push(at),
        }
    }

    /// What stands before a block is no entry, and one begins behind it.
    fn block(&mut self) {
        self.sentence.clear();
        self.follows = false;
    }

    fn sentence_ends(&mut self) {
        let sentence = std::mem::take(&mut self.sentence);
        let source = self.source;
        let words: Vec<&Token> = sentence.iter().filter_map(|at| source.word(*at)).collect();
        let (Some(start), Some(last)) = (sentence.first(), sentence.last()) else {
            return;
        };
        let [first, rest @ ..] = words.as_slice() else {
            return;
        };
        let Some(level) = level(first) else {
            // A period alone stands behind a block or a directive.
            self.follows &= rest.is_empty();
            return;
        };
        let (name, clauses) = clauses::read(rest);
        let parent = self.parent(level);
        if let Some(parent) = parent.filter(|_| level != 88) {
            self.data.entries[parent].has_children = true;
        }
        self.data.entries.push(Entry {
            level,
            name,
            start: *start,
            end: last + 1,
            parent,
            has_children: false,
            in_linkage: self.in_linkage,
            follows: self.follows,
            clauses,
        });
        self.follows = true;
    }

    /// The last item with a smaller level.
    fn parent(&self, level: u8) -> Option<usize> {
        let entries = &self.data.entries;
        let mut at = entries.iter().rposition(Entry::is_item)?;
        match level {
            88 => return Some(at),
            2..=49 => {}
            _ => return None,
        }
        while entries[at].level >= level {
            at = entries[at].parent?;
        }
        Some(at)
    }
}

fn level(token: &Token) -> Option<u8> {
    let short = token.kind == Kind::Word && token.text.len() <= 2;
    let number = token.text.parse().ok().filter(|_| short);
    number.filter(|n| matches!(n, 1..=49 | 66 | 77 | 78 | 88))
}

#[cfg(test)]
mod tests;
