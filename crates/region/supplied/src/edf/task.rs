//! What is kept of a task that is debugged, from one display to the next.
//!
//! Not here: what is done with it (`mod`, `conversation`).

use super::conditions::StopConditions;
use super::screen::Screen;
use super::statement::Shown;
use std::collections::VecDeque;
use transom_commands::OptionId;
use transom_region_commands::Edited;
use transom_wire::edf::{Session, Target};

/// Displays that are remembered.
const REMEMBERED_MAX: usize = 10;

/// A task under EDF.
pub(super) struct Task {
    pub(super) number: u32,
    pub(super) target: Target,
    pub(super) session: Session,
    pub(super) screen: Screen,
    /// Values in hexadecimal digits.
    pub(super) hex: bool,
    pub(super) suppressed: bool,
    pub(super) conditions: StopConditions,
    /// Displays that were, newest last, row by row.
    pub(super) remembered: VecDeque<Vec<String>>,
    /// LINK commands whose programs run.
    pub(super) links: Vec<Shown>,
    /// Constants of the command that is about to run, typed over.
    pub(super) edited: Vec<(OptionId, Edited)>,
}

impl Task {
    pub(super) fn new(number: u32, target: Target, session: Session, screen: Screen) -> Self {
        Self {
            number,
            target,
            session,
            screen,
            hex: false,
            suppressed: false,
            conditions: StopConditions::default(),
            remembered: VecDeque::new(),
            links: Vec::new(),
            edited: Vec::new(),
        }
    }

    /// Keeps a display.
    pub(super) fn remember(&mut self, rows: Vec<String>) {
        if self.remembered.len() >= REMEMBERED_MAX {
            self.remembered.pop_front();
        }
        self.remembered.push_back(rows);
    }
}
