//! Many commands of a deck on the definitions, as `transom csd` carries them out.
//!
//! What: [`Session`] has the definitions and the lock of the region's own deck, carries out one
//! command after the other, and writes those that were carried out at the end, at once. Why: fifty
//! thousand definitions are read and written once. CEDA of a running region waits meanwhile. Not
//! here: what is printed.

use crate::change::Own;
use crate::{CsdConfig, kept, locks};
use std::fmt::Write as _;
use transom_csd::{Applied, Command, Csd};
use transom_messages::{Message, Problem};

/// Definitions that one caller alone changes.
pub struct Session<'a> {
    own: Own<'a>,
    csd: Csd,
    count: usize,
    user: &'a str,
    written: String,
}

impl<'a> Session<'a> {
    /// Reads the decks; waits until nobody else changes them. `user`: whose locks are no hindrance.
    ///
    /// # Errors
    /// Decks cannot be read, or changes cannot be written.
    pub fn open(config: &'a CsdConfig, user: &'a str) -> Result<Self, Message> {
        let own = Own::open(config).map_err(|refused| refused.message)?;
        let csd = kept::read(config)?;
        Ok(Self {
            own,
            count: csd.definition_count(),
            csd,
            user,
            written: String::new(),
        })
    }

    /// The definitions, with what was changed so far.
    pub fn csd(&self) -> &Csd {
        &self.csd
    }

    /// Who has locked a group or list.
    pub fn holder(&self, name: &str) -> Option<String> {
        locks::holder(&self.own.text, name)
    }

    /// Carries out one command that changes definitions, whole or not at all.
    pub fn carry_out(&mut self, deck: &str, command: &Command) -> Applied {
        let refused = locks::check(&self.csd, &self.own.text, &command.text, self.user);
        if let Err(message) = refused {
            let place = transom_messages::Place::line(deck, command.line());
            return Applied {
                problems: vec![Problem::new(message, place)],
                without_change: false,
            };
        }
        let applied = self.csd.carry_out(deck, command, &mut self.count);
        if !applied.is_refused() {
            let _ = writeln!(self.written, "{}", command.text.trim_end());
        }
        applied
    }

    /// Writes what was carried out.
    ///
    /// # Errors
    /// Nothing was written.
    pub fn finish(mut self) -> Result<(), Vec<Message>> {
        if self.written.is_empty() {
            return Ok(());
        }
        let done = self.own.append(&self.written);
        done.map_err(crate::change::NotWritten::messages)
    }
}
