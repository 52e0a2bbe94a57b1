//! The asynchronous API: what workers ask the region, and the answer of a child.
//!
//! Not here: the commands, running children.

use crate::codec::{Reader, Writer};
use transom_types::AbendCode;

/// Requests of this domain, first byte.
pub mod ask {
    /// RUN TRANSID: transaction, user, channel.
    pub const RUN: u8 = 1;
    /// FETCH: NOSUSPEND, TIMEOUT, token (none: any).
    pub const FETCH: u8 = 2;
    /// FREE CHILD: token.
    pub const FREE: u8 = 3;
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

impl Fetched {
    /// COMPSTATUS.
    pub fn status(&self) -> &'static str {
        match (self.security, self.abcode) {
            (true, _) => "SECERROR",
            (_, Some(_)) => "ABEND",
            _ => "NORMAL",
        }
    }

    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(32 + self.reply.len());
        out.raw(&self.token)
            .flag(self.security)
            .flag(self.abcode.is_some());
        out.raw(self.abcode.as_ref().map_or(&[0; 4], |code| code.as_bytes()))
            .raw(&self.reply);
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let token = from.raw(16)?.try_into().ok()?;
        let (security, abended) = (from.flag()?, from.flag()?);
        let code = AbendCode::from_field(from.raw(4)?);
        Some(Self {
            token,
            security,
            abcode: abended.then_some(code),
            reply: from.0.to_vec(),
        })
    }
}
