//! Commands that count as a whole: one with a mistake does nothing, as with DFHCSDUP and CEDA.
//!
//! Why: decks that a start reads are taken as far as they go; whoever changes definitions wants to
//! be told instead.

use super::{Applied, Context};
use crate::command::Command;
use crate::store::Csd;
use transom_messages::{Problem, Severity};

impl Csd {
    /// Carries out one command, whole or not at all. `count`: definitions in the CSD, kept by the
    /// caller, so that many commands do not count them each.
    pub fn carry_out(&mut self, deck: &str, command: &Command, count: &mut usize) -> Applied {
        let mut context = Context::new(self, deck, *count);
        context.whole = true;
        context.statement(&command.statement);
        *count = context.count;
        context.finish()
    }

    /// Carries out commands of a text one after the other, up to the first that is not.
    pub fn carry_out_all(&mut self, deck: &str, text: &str) -> Applied {
        let (commands, problems) = Command::all(deck, text);
        let mut count = self.definition_count();
        let mut all = Applied {
            problems,
            without_change: false,
        };
        for command in &commands {
            if all.is_refused() {
                break;
            }
            let applied = self.carry_out(deck, command, &mut count);
            all.problems.extend(applied.problems);
            all.without_change |= applied.without_change;
        }
        all
    }
}

impl Applied {
    /// Something is wrong with the command: DFHCSDUP and CEDA do nothing of it.
    pub fn is_refused(&self) -> bool {
        let wrong = |p: &Problem| p.severity() != Severity::Information;
        self.without_change || self.problems.iter().any(wrong)
    }
}
