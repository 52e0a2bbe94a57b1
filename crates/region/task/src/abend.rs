//! Exits of HANDLE ABEND, and the abends of a task so far.

use transom_types::{AbendCode, ProgramName};
use transom_workers::seam::Place;

/// HANDLE ABEND of a program level.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AbendExit {
    /// What to run; kept while switched off.
    pub target: Option<AbendTarget>,
    /// It takes abends.
    pub active: bool,
}

/// What runs when an abend is handled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AbendTarget {
    /// A label of the program.
    Label(u16),
    /// A program, given the COMMAREA or channel of the level.
    Program(ProgramName),
}

/// The abends of a task so far, for ASSIGN.
#[derive(Default)]
pub struct AbendInfo {
    /// Newest abend code.
    pub code: Option<AbendCode>,
    /// First abend code.
    pub first: Option<AbendCode>,
    /// Program it happened in.
    pub program: Option<ProgramName>,
    /// A transaction dump was or will be taken.
    pub dump: bool,
    /// What an ABEND command that was just run said about its abend.
    pub asked: Option<AskedAbend>,
    /// It was a program check, a loop, or a bad address of a command.
    pub program_check: bool,
    /// Where the newest of those happened; `None`: there was none, or nobody knows.
    pub place: Option<Place>,
}

/// How an ABEND command wants its abend treated.
#[derive(Clone, Copy)]
pub struct AskedAbend {
    /// Its code.
    pub code: AbendCode,
    /// ABCODE without NODUMP.
    pub dump: bool,
    /// CANCEL: exits are passed over.
    pub cancel_exits: bool,
}
