//! What a conversation with CECI or CECS knows between two screens.
//!
//! A leaf: the task keeps it while a program runs that a LINK of CECI started. Not here: what is
//! done with it (`interpreter`), how it looks (`screen`).

use super::command::Variables;
use crate::call::InternalCall;
use transom_workers::seam::Address;

/// What the screen shows.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Stage {
    /// The command was not understood, or there is none.
    #[default]
    Check,
    /// The next ENTER runs it.
    About,
    /// It ran.
    Done,
}

/// A conversation.
#[derive(Default)]
pub(crate) struct Interpreter {
    pub(super) check_only: bool,
    pub(super) line: String,
    pub(super) stage: Stage,
    pub(super) variables: Variables,
    /// Options and values.
    pub(super) body: Vec<String>,
    /// First row of the body that is shown.
    pub(super) top: usize,
    pub(super) message: String,
    /// All that is wrong with the command.
    pub(super) problems: Vec<String>,
    /// What the commands have sent to the terminal since it was last erased.
    pub(super) sent: Vec<InternalCall>,
    pub(super) hex: bool,
    /// The EIB after the last command.
    pub(super) eib: Vec<u8>,
    /// The command that ran or waits for its linked program, and the storage of its COMMAREA.
    pub(super) call: Option<(InternalCall, Address)>,
}
