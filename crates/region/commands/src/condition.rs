//! How a command ends: the program goes on, a condition, an abend.
//!
//! Not here: what becomes of a raised condition (`exception`), its numbers (`transom_types::Resp`).

use transom_types::{AbendCode, Resp};
use transom_workers::seam::Outcome;

/// How a command ends.
pub(crate) type Done = Result<Outcome, Fail>;

/// How a command fails.
#[derive(Debug)]
pub(crate) enum Fail {
    /// A condition with its RESP2.
    Raise(Resp, u32),
    /// The task ends abnormally whatever RESP says.
    Abend(AbendCode, String),
}

/// Raises a condition.
pub(crate) fn raise<T>(resp: Resp, resp2: u32) -> Result<T, Fail> {
    Err(Fail::Raise(resp, resp2))
}

/// The command is done, the program goes on.
pub(crate) const NORMAL: Done = Ok(Outcome::Continue);
