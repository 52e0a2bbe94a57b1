//! HANDLE state of a program level.

use crate::abend::AbendExit;
use transom_types::Resp;

/// What to do when a condition is raised.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Go to this label.
    Label(u16),
    /// Go on.
    Ignore,
    /// As if there were no entry, and ERROR does not apply.
    Default,
}

/// HANDLE state of one program level.
#[derive(Default)]
pub struct Handles {
    conditions: Vec<(Resp, Action)>,
    /// HANDLE AID labels by option number; kept for terminal input.
    pub aids: Vec<(u16, u16)>,
    /// HANDLE ABEND.
    pub abend: AbendExit,
}

impl Handles {
    /// Sets the action of a condition.
    pub fn set(&mut self, resp: Resp, action: Action) {
        match self.conditions.iter_mut().find(|(known, _)| *known == resp) {
            Some(entry) => entry.1 = action,
            None => self.conditions.push((resp, action)),
        }
    }

    /// The action in force for a condition: its own entry or, where the default is an abend, ERROR.
    pub fn action(&self, resp: Resp) -> Option<Action> {
        let own = |resp| {
            self.conditions
                .iter()
                .find(|(known, _)| *known == resp)
                .map(|e| e.1)
        };
        own(resp).or_else(|| resp.default_abend().and_then(|_| own(Resp::ERROR)))
    }

    /// A label is set for the condition itself: commands that would wait for a resource raise the
    /// condition instead.
    pub fn has_label(&self, resp: Resp) -> bool {
        self.conditions
            .iter()
            .any(|(known, action)| *known == resp && matches!(action, Action::Label(_)))
    }
}
