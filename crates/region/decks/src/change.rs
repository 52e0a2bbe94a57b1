//! A change of definitions: a statement at the end of the region's own deck.
//!
//! The decks of the user are read, never written. CEDA brings a statement, a program an operation
//! that becomes one; what is tried, refused and written is the same. Whoever writes holds the lock
//! of the file, so a region and `transom csd` wait for each other. Not here: locks of groups
//! (`locks`), decks of commands (`session`).

use crate::{CsdConfig, kept, locks};
use std::fs::{self, File, OpenOptions};
use std::io::Write as _;
use std::path::Path;
use transom_csd::{Csd, MAX_DECK_BYTES, Operation, Refused};
use transom_messages::{self as messages, Message};
use transom_types::Resp;

/// RESP2 of CSDERR.
const NOT_READABLE: u32 = 1;
const READ_ONLY: u32 = 2;
const FULL: u32 = 3;

/// Tries a statement on the decks, then writes it.
///
/// # Errors
/// Why nothing was written, several messages when several things are wrong.
pub fn change(
    config: &CsdConfig,
    statement: &str,
    user: &str,
) -> Result<Vec<String>, Vec<Message>> {
    let own = Own::open(config).map_err(|refused| vec![refused.message])?;
    let csd = kept::read(config).map_err(one)?;
    locks::check(&csd, &own.text, statement, user).map_err(one)?;
    let texts = own.write(csd, statement, user);
    let texts = texts.map_err(NotWritten::messages)?;
    let mut lines = vec![messages::am::changed().to_string()];
    lines.extend(texts);
    Ok(lines)
}

/// Carries out what a program asks for.
///
/// # Errors
/// The condition that CICS raises, and nothing was written.
pub fn operate(config: &CsdConfig, operation: &Operation, user: &str) -> Result<(), Refused> {
    let own = Own::open(config)?;
    let csd = kept::read(config);
    let csd = csd.map_err(|message| Refused::new(Resp::CSDERR, NOT_READABLE, message))?;
    let locked = |name: &str| locks::holder(&own.text, name).filter(|other| other != user);
    let statement = csd.statement(operation, &locked)?;
    own.write(csd, &statement, user).map(drop).map_err(|not| {
        let resp2 = match not {
            NotWritten::Full(_) => FULL,
            NotWritten::Deck(_) | NotWritten::Statement(_) => READ_ONLY,
        };
        let mut messages = not.messages();
        let message = messages.pop().unwrap_or_else(messages::am::nothing_found);
        Refused::new(Resp::CSDERR, resp2, message)
    })
}

/// Why a statement is not in the deck.
pub(crate) enum NotWritten {
    /// Something is wrong with it.
    Statement(Vec<Message>),
    /// The deck has no room.
    Full(Message),
    /// The deck cannot be written.
    Deck(Message),
}

impl NotWritten {
    pub(crate) fn messages(self) -> Vec<Message> {
        match self {
            Self::Statement(all) => all,
            Self::Full(message) | Self::Deck(message) => vec![message],
        }
    }
}

/// The region's own deck, locked for one writer.
pub(crate) struct Own<'a> {
    path: &'a Path,
    file: File,
    pub(crate) text: String,
}

impl<'a> Own<'a> {
    /// Waits for other writers.
    pub(crate) fn open(config: &'a CsdConfig) -> Result<Self, Refused> {
        let refused = |message| Refused::new(Resp::CSDERR, READ_ONLY, message);
        let Some(path) = &config.local else {
            return Err(refused(messages::am::no_own_deck()));
        };
        let opened = || -> std::io::Result<(File, String)> {
            if let Some(folder) = path.parent() {
                fs::create_dir_all(folder)?;
            }
            let mut how = OpenOptions::new();
            let file = how.create(true).append(true).open(path)?;
            file.lock()?;
            let bytes = fs::read(path)?;
            Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
        };
        let (file, text) =
            opened().map_err(|e| refused(messages::am::deck_not_written(path.display(), e)))?;
        Ok(Self { path, file, text })
    }

    /// Tries a statement and writes it; what is told besides.
    fn write(
        mut self,
        mut csd: Csd,
        statement: &str,
        user: &str,
    ) -> Result<Vec<String>, NotWritten> {
        let applied = csd.carry_out_all("CEDA", statement);
        let problems = &applied.problems;
        let texts: Vec<String> = problems.iter().map(|p| p.message.to_string()).collect();
        // A statement that changes nothing is not worth keeping.
        if applied.is_refused() {
            let all = applied.problems.into_iter();
            return Err(NotWritten::Statement(all.map(|p| p.message).collect()));
        }
        let written = statement.trim_end();
        let written = match locks::comment(written, user) {
            Some(comment) => format!("{comment}\n{written}\n"),
            None => format!("{written}\n"),
        };
        self.append(&written)?;
        Ok(texts)
    }

    /// Writes at the end of the deck, where it has room.
    pub(crate) fn append(&mut self, text: &str) -> Result<(), NotWritten> {
        let path = self.path.display();
        if self.text.len() + text.len() > MAX_DECK_BYTES {
            return Err(NotWritten::Full(messages::am::deck_full(path)));
        }
        let done = self.file.write_all(text.as_bytes());
        let done = done.and_then(|()| self.file.sync_all());
        done.map_err(|e| NotWritten::Deck(messages::am::deck_not_written(path, e)))
    }
}

fn one(message: Message) -> Vec<Message> {
    vec![message]
}
