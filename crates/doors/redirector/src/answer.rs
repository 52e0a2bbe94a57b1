//! Why a target does not answer.

use crate::leg::Failed;
use std::fmt;
use std::time::Duration;

/// What became of a connection to it.
#[derive(Debug)]
pub(crate) enum NoAnswer {
    /// No connection, or no TLS over it.
    Failed(Failed),
    /// Not in the time it has.
    Late(Duration),
    /// It says something else than telnet.
    NoTelnet,
    /// It accepts and says nothing.
    Silent,
}

impl fmt::Display for NoAnswer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Failed(failed) => failed.fmt(f),
            Self::Late(time) => write!(f, "it did not answer within {} s", time.as_secs()),
            Self::NoTelnet => f.write_str("it does not begin with telnet"),
            Self::Silent => f.write_str("it does not say anything"),
        }
    }
}
