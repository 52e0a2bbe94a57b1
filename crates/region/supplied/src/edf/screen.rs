//! Where displays of EDF are shown: the terminal of the task itself, or another one.
//!
//! What: [`Screen`], which shows a panel and answers the key, and keeps what the program has on the
//! screen where both share one. Not here: what is shown.

use super::lost::Lost;
use super::other::OtherScreen;
use super::own::OwnScreen;
use crate::panel::{Panel, Reply};
use transom_region_commands::Stopped;

/// A screen for displays.
pub(super) enum Screen {
    Own(OwnScreen),
    Other(OtherScreen),
}

impl Screen {
    /// Shows a panel until a key is pressed.
    pub(super) fn show(&mut self, at: &mut Stopped<'_>, panel: &Panel) -> Result<Reply, Lost> {
        match self {
            Self::Own(screen) => screen.show(at, panel),
            Self::Other(screen) => screen.show(at, panel),
        }
    }

    /// Shows the program's own screen until a key is pressed. `false`: it is at another terminal.
    pub(super) fn user_display(&mut self, at: &mut Stopped<'_>) -> Result<bool, Lost> {
        match self {
            Self::Own(screen) => screen.user_display(at).map(|()| true),
            Self::Other(_) => Ok(false),
        }
    }

    /// The program is about to use the terminal.
    pub(super) fn give_back(&mut self, at: &mut Stopped<'_>) {
        if let Self::Own(screen) = self {
            screen.give_back(at);
        }
    }

    /// The program has written: its user looks at that until a key is pressed.
    pub(super) fn wrote(&mut self, at: &mut Stopped<'_>) -> Result<(), Lost> {
        match self {
            Self::Own(screen) => screen.wrote(at),
            Self::Other(_) => Ok(()),
        }
    }

    /// The task goes on without EDF, or is over.
    pub(super) fn leave(&mut self, at: &mut Stopped<'_>) {
        self.give_back(at);
    }
}
