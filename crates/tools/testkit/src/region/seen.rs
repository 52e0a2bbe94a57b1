//! What clients of a region saw whose memory is stored over, and what came of all its lives.
//!
//! Not here: the clients, and who stores (`scribble`).

use super::told::Told;
use crate::report::Part;
use std::collections::HashSet;
use std::time::Duration;

/// What a client that looks at its own data saw.
#[derive(Debug, Default)]
pub(super) struct Seen {
    pub(super) own: u64,
    pub(super) refused: u64,
    pub(super) abends: u64,
    pub(super) silent: u64,
    pub(super) wrong: Option<String>,
    /// Numbers of the named counter that it was given.
    drawn: Vec<u64>,
}

impl Seen {
    /// Its own data came back, and a number.
    pub(super) fn own(&mut self, number: &[u8]) {
        self.own += 1;
        let text = std::str::from_utf8(number).unwrap_or("").trim_end();
        match text.parse() {
            Ok(number) => self.drawn.push(number),
            Err(_) => self.wrong = Some(format!("number {text:?} of a named counter")),
        }
    }
}

/// What came of it.
#[derive(Debug, Default)]
pub(super) struct Figures {
    pub(super) words: u64,
    own: u64,
    refused: u64,
    abends: u64,
    silent: u64,
    pub(super) went_on: u64,
    pub(super) served_less: u64,
    pub(super) ended: u64,
    pub(super) slowest: Duration,
    pub(super) lines: u64,
    pub(super) closed: u64,
    /// Numbers that were given, in all lives on one store.
    pub(super) drawn: HashSet<u64>,
    numbers: u64,
}

impl Figures {
    /// Counts what clients saw; an error when it was not their own, or came twice.
    pub(super) fn take(&mut self, all: Vec<Seen>) -> Result<(), String> {
        for one in &all {
            self.own += one.own;
            self.refused += one.refused;
            self.abends += one.abends;
            self.silent += one.silent;
        }
        for number in all.iter().flat_map(|one| &one.drawn) {
            self.numbers += 1;
            if !self.drawn.insert(*number) {
                return Err(format!("a named counter gave {number} twice"));
            }
        }
        match all.into_iter().find_map(|one| one.wrong) {
            None => Ok(()),
            Some(wrong) => Err(wrong),
        }
    }

    /// Adds all of it to the summary.
    pub(super) fn note(&self, part: &mut Part, told: &Told) {
        part.notes.push(format!(
            "{} words overwritten; {} tasks got their own data, {} were refused, {} abends, {} without reply",
            self.words, self.own, self.refused, self.abends, self.silent
        ));
        part.notes.push(format!(
            "definitions of {} regions could not be overwritten; {} numbers of a named counter drawn; {} transfers committed, {} backed out, {} unknown",
            self.closed,
            self.numbers,
            told.committed.len(),
            told.backed_out.len(),
            told.unknown
        ));
        part.notes.push(format!(
            "{} regions went on (slowest after {} ms), {} with less than before, {} ended with a reason; {} said what happened",
            self.went_on,
            self.slowest.as_millis(),
            self.served_less,
            self.ended,
            self.lines
        ));
        let done = !told.committed.is_empty() && self.own > 0;
        part.must_have(done, "nothing was done");
    }
}
