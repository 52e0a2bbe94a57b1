//! The resources a line means, one after the other, and a page of them.
//!
//! Why: a system has fifty thousand definitions and a screen twenty lines. A page is read from a
//! mark near it, and no further than the screen goes; words of the line choose before that. Not
//! here: what of a resource is shown (`list`).

use super::line::Line;
use super::list::{self, HEX_DIGITS, Row, condition};
use crate::call::InternalCall;
use crate::session::Session;
use std::vec::IntoIter;
use transom_commands::{cmd, opt};
use transom_messages::{self as messages, Message};
use transom_resources::{ColumnKind, List, View};
use transom_wire::{language, pattern};
use transom_workers::seam::Call;

/// Most marks of a list; beyond it every other one goes.
const MARKS_MAX: usize = 200;

language! {
    /// Where a row of a list was found, for an input that wants it again.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub(super) struct Mark {
        /// Number of the row.
        pub row: usize,
        pub key: Vec<u8>,
    }

    /// A part of a list.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub(super) struct Page {
        /// Number of the first row.
        pub top: usize,
        pub rows: Vec<Row>,
        /// There are rows behind it.
        pub more: bool,
        /// Of pages seen, in the order of the rows.
        pub marks: Vec<Mark>,
    }
}

/// `room` rows from number `top` on; the last one where there are not so many. The error tells the
/// condition of the INQUIRE.
pub(super) fn page(
    session: &mut Session<'_>,
    line: &Line,
    (top, room): (usize, usize),
    mut marks: Vec<Mark>,
) -> Result<Page, Message> {
    marks.retain(|mark| mark.row <= top);
    let Some(mut walk) = Walk::start(session, line, marks.last())? else {
        return Ok(Page::default());
    };
    let begin = walk.row;
    let read = walk.page(session, (top, room));
    walk.end(session);
    let (mut page, key) = read?;
    if page.rows.is_empty() && begin > 0 {
        // Everything from the mark on has gone.
        return self::page(session, line, (begin - 1, room), marks_before(marks, begin));
    }
    if marks.last().is_none_or(|mark| mark.row < page.top) {
        marks.push(Mark { row: page.top, key });
    }
    if marks.len() > MARKS_MAX {
        let mut at = 0;
        marks.retain(|_| {
            at += 1;
            at % 2 == 1
        });
    }
    page.marks = marks;
    if page.rows.is_empty() && line.words.is_empty() {
        // Each name is told to be nowhere.
        page.rows = line
            .names
            .iter()
            .take(room)
            .map(|name| list::missing(name))
            .collect();
    }
    Ok(page)
}

fn marks_before(mut marks: Vec<Mark>, row: usize) -> Vec<Mark> {
    marks.retain(|mark| mark.row < row);
    marks
}

/// The names of all resources the line means.
pub(super) fn names(session: &mut Session<'_>, line: &Line) -> Result<Vec<String>, Message> {
    let Some(mut walk) = Walk::start(session, line, None)? else {
        return Ok(Vec::new());
    };
    let mut names = Vec::new();
    let read = loop {
        match walk.next(session) {
            Ok(Some((row, _))) => names.push(row.key),
            Ok(None) => break Ok(names),
            Err(problem) => break Err(problem),
        }
    };
    walk.end(session);
    read
}

/// Where resources come from.
enum Source {
    /// The names stand in the line.
    Named(IntoIter<String>),
    /// What is there but once.
    One,
    Tasks(IntoIter<String>),
    Browse,
    Over,
}

struct Walk<'l> {
    line: &'l Line,
    resource: &'static View,
    source: Source,
    words: Vec<Word<'l>>,
    /// Number of the next row.
    row: usize,
}

/// A word of an INQUIRE, which selects resources in that state.
enum Word<'l> {
    /// DISABLED; whether a resource came so far, and whether one said so.
    State(&'l str, bool, bool),
    /// TRANID(PAY*): the cell, and what it must be like.
    Cell(Option<usize>, String),
}

impl<'l> Walk<'l> {
    /// Begins at a mark where INQUIRE can, else with the first.
    fn start(
        session: &mut Session<'_>,
        line: &'l Line,
        mark: Option<&Mark>,
    ) -> Result<Option<Self>, Message> {
        let Some(resource) = line.resource else {
            return Ok(None);
        };
        let words = line.words.iter();
        let words = words.map(|(word, value)| Word::of(resource, word, value));
        let mut walk = Self {
            line,
            resource,
            source: Source::One,
            words: words.collect::<Result<_, _>>()?,
            row: 0,
        };
        walk.source = match resource.list {
            List::One => Source::One,
            List::Tasks => Source::Tasks(tasks(session)?.into_iter()),
            List::Browse | List::Hex if line.is_plain() && !browse_only(resource) => {
                Source::Named(line.names.clone().into_iter())
            }
            List::Browse | List::Hex => walk.browse(session, mark)?,
        };
        Ok(Some(walk))
    }

    fn browse(
        &mut self,
        session: &mut Session<'_>,
        mark: Option<&Mark>,
    ) -> Result<Source, Message> {
        let mut start = InternalCall::new(self.resource.inquire).flag(opt::START);
        let at = |call: &InternalCall| call.row().is_some_and(|row| row.option("AT").is_some());
        // AT takes a zero for a blank.
        if let Some(mark) = mark.filter(|mark| at(&start) && !mark.key.contains(&0)) {
            start = start.text(opt::AT, &mark.key);
            self.row = mark.row;
        }
        let start = session.ran(start);
        match start.is_normal() {
            true => Ok(Source::Browse),
            false => Err(condition(&start)),
        }
    }

    /// The next resource that the line means, with its whole name.
    fn next(&mut self, session: &mut Session<'_>) -> Result<Option<(Row, Vec<u8>)>, Message> {
        loop {
            let found = match &mut self.source {
                Source::Over => None,
                Source::One => {
                    self.source = Source::Over;
                    Some((list::one(session, self.resource, "")?, Vec::new()))
                }
                Source::Named(names) => match names.next() {
                    Some(name) => {
                        let row = list::named(session, self.resource, &name)?;
                        Some((row, Vec::new()))
                    }
                    None => None,
                },
                Source::Tasks(names) => {
                    // A task may have ended since.
                    let row = names.find_map(|name| list::one(session, self.resource, &name).ok());
                    row.map(|row| (row, Vec::new()))
                }
                Source::Browse => self.browsed(session),
            };
            let Some((row, key)) = found else {
                self.known_words()?;
                return Ok(None);
            };
            if self.selects(&row) {
                self.row += 1;
                return Ok(Some((row, key)));
            }
        }
    }

    fn browsed(&self, session: &mut Session<'_>) -> Option<(Row, Vec<u8>)> {
        let resource = self.resource;
        let next = list::inquiry(resource).out_bytes(resource.key, resource.key_chars);
        let next = session.ran(next.flag(opt::NEXT));
        if !next.is_normal() {
            return None;
        }
        let hex = || list::hex(&next, resource.key);
        let row = Row {
            key: match resource.list {
                List::Hex => hex().chars().take(HEX_DIGITS).collect(),
                _ => list::printable(&next.got_text(resource.key)),
            },
            cells: list::cells(resource, &next),
            note: String::new(),
        };
        let key = Call::bytes(&next, resource.key).unwrap_or_default();
        Some((row, key.to_vec()))
    }

    fn selects(&mut self, row: &Row) -> bool {
        let named = matches!(self.source, Source::Tasks(_) | Source::Browse);
        if named && !self.line.selects(&row.key) {
            return false;
        }
        let resource = self.resource;
        self.words
            .iter_mut()
            .all(|word| word.selects(resource, row))
    }

    /// A word that is none of the kind and that no resource said is a mistake.
    fn known_words(&self) -> Result<(), Message> {
        let unknown = self.words.iter().find_map(|word| match word {
            Word::State(word, true, false) if self.resource.word(word).is_none() => Some(word),
            _ => None,
        });
        match unknown {
            // Resources before the mark said it.
            Some(word) if self.row == 0 => {
                Err(messages::mt::no_attribute(self.resource.name, *word))
            }
            _ => Ok(()),
        }
    }

    /// A page, and the whole name of its first row.
    fn page(
        &mut self,
        session: &mut Session<'_>,
        (top, room): (usize, usize),
    ) -> Result<(Page, Vec<u8>), Message> {
        let mut page = Page::default();
        let mut first = Vec::new();
        while let Some((row, key)) = self.next(session)? {
            let number = self.row - 1;
            if number <= top {
                page.rows.clear();
                (page.top, first) = (number, key);
            } else if page.rows.len() >= room {
                page.more = true;
                break;
            }
            page.rows.push(row);
        }
        Ok((page, first))
    }

    fn end(self, session: &mut Session<'_>) {
        if matches!(self.source, Source::Browse) {
            session.ran(InternalCall::new(self.resource.inquire).flag(opt::END));
        }
    }
}

impl<'l> Word<'l> {
    fn of(resource: &View, word: &'l str, value: &str) -> Result<Self, Message> {
        if value.is_empty() {
            return Ok(Self::State(word, false, false));
        }
        let column = resource.column(word);
        let column = column.ok_or_else(|| messages::mt::no_attribute(resource.name, word))?;
        let mut columns = resource.columns.iter();
        let at = columns.position(|known| known.option == column.option);
        Ok(Self::Cell(at, value.to_ascii_uppercase()))
    }

    fn selects(&mut self, resource: &View, row: &Row) -> bool {
        match self {
            Self::State(word, came, said) => {
                *came = true;
                let says = says(resource, row, word);
                *said |= says;
                says
            }
            Self::Cell(at, wanted) => {
                let cell = at.and_then(|at| row.cells.get(at));
                cell.is_some_and(|cell| {
                    pattern::matches(wanted.as_bytes(), cell.to_ascii_uppercase().as_bytes())
                })
            }
        }
    }
}

/// A state of the resource is this word, or begins with it.
fn says(resource: &View, row: &Row, word: &str) -> bool {
    let mut values = resource.columns.iter().zip(&row.cells);
    values.any(|(column, cell)| {
        let short = cell.to_ascii_uppercase();
        column.kind == ColumnKind::Value
            && !short.is_empty()
            && (word.starts_with(&short) || short.starts_with(word))
    })
}

/// INQUIRE finds these only by a browse.
fn browse_only(resource: &View) -> bool {
    resource.key == opt::RESOURCE
}

/// Numbers of all tasks, as they are shown.
fn tasks(session: &mut Session<'_>) -> Result<Vec<String>, Message> {
    let list = InternalCall::new(cmd::INQUIRE_TASK_LIST)
        .out(opt::LISTSIZE)
        .out(opt::SET);
    let list = session.ran(list);
    if !list.is_normal() {
        return Err(condition(&list));
    }
    let count = usize::try_from(list.got_number(opt::LISTSIZE)).unwrap_or(0);
    let address = list.pointer(opt::SET).unwrap_or(0);
    let bytes = match count {
        0 => Vec::new(),
        _ => session.host.memory(address, count * 4).to_vec(),
    };
    let numbers = bytes.chunks_exact(4).filter_map(|n| n.try_into().ok());
    // Packed decimal: seven digits and a sign.
    let numbers = numbers.map(|n: [u8; 4]| format!("{:07x}", u32::from_be_bytes(n) >> 4));
    Ok(numbers.collect())
}
