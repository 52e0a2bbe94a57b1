//! The asynchronous API: what workers ask the region, and the answer of a child.
//!
//! Not here: the commands, running children.

use crate::association::Inherited;
use crate::language;
use transom_types::{AbendCode, TransId, UserId};

language! {
    /// What a parent asks.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Request {
        /// RUN TRANSID. `channel`: as `payload` encodes a reply. Answers the child's token.
        1 = Run {
            transid: TransId,
            userid: UserId,
            channel: Option<Vec<u8>>,
            inherited: Inherited,
        },
        /// FETCH; without a token of any child. Answers a [`Fetched`].
        2 = Fetch {
            /// NOSUSPEND.
            at_once: bool,
            /// TIMEOUT in milliseconds; 0: none.
            timeout_ms: u64,
            token: Option<[u8; 16]>,
        },
        /// FREE CHILD.
        3 = Free(token: Vec<u8>),
    }

    /// The answer of a child.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Fetched {
        /// Its token.
        pub token: [u8; 16],
        /// It was not allowed to run.
        pub security: bool,
        /// It abended.
        pub abcode: Option<AbendCode>,
        /// Its channel as `payload` encodes a reply; empty: none.
        pub reply: Vec<u8>,
    }
}

impl Fetched {
    /// COMPSTATUS.
    pub fn status(&self) -> &'static str {
        match (self.security, self.abcode) {
            (true, _) => "SECERROR",
            (_, Some(_)) => "ABEND",
            _ => "NORMAL",
        }
    }
}
