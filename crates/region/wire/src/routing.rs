//! Transactions of terminals that another region runs: what a relay task asks for, and what comes
//! back.
//!
//! What: [`Routing`] goes worker, own region, link, partner region, where a task begins whose
//! terminal is a surrogate. What that task asks of its terminal comes back over the link and is
//! asked of the terminal itself (`terminal::Request`); its end ([`Over`]) is the relay task's own.
//! Not here: links (`region/links`), the relay program (`region/supplied`).

use crate::language;
use crate::terminal::{Facts, Request};
use transom_types::{AbendCode, SysId, TransId, UserId};

/// Program of relay tasks.
pub const RELAY: &[u8; 8] = b"DFHAPRT ";

language! {
    /// A transaction for another region.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Routing {
        pub system: SysId,
        /// Its name there.
        pub transid: TransId,
        /// The relay task's own.
        pub userid: UserId,
        pub facts: Facts,
        /// COMMAREA or channel, as `payload` encodes a reply.
        pub payload: Vec<u8>,
        /// For a session, where none is free.
        pub waits: bool,
        /// By START; `None`: by input.
        pub started: Option<Started>,
    }

    /// How a task began that START began.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Started {
        /// STARTCODE.
        pub start_code: [u8; 2],
        /// What it was started for, as section `Retrieve` says it.
        pub owner: Vec<u8>,
    }

    /// What a routed task asks of the region of its terminal.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Question {
        /// Something of the terminal.
        1 = Terminal(request: Request),
        /// RETRIEVE: that region has the data of the START.
        2 = Retrieve { wait: bool, dtimout_ms: u64 },
    }

    /// How it ended there.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Over {
        /// By RETURN: what a task leaves, as `payload` encodes a reply.
        1 = Ended(reply: Vec<u8>),
        /// It abended or did not run.
        2 = Failed(failed: Failed),
    }

    /// It abended or did not run.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Failed {
        /// Its abend; `None`: it did not run.
        pub code: Option<AbendCode>,
        /// What the user at the terminal is told.
        pub text: String,
        /// The terminal's user area as it left it.
        pub area: Option<Vec<u8>>,
    }
}
