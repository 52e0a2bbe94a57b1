//! The asynchronous API: RUN TRANSID, FETCH CHILD, FETCH ANY, FREE CHILD.
//!
//! Worker side, and how a channel travels to another task. Not here: running children (region side).

pub(crate) mod fetch;
pub(crate) mod free;
pub(crate) mod run;

use crate::channel::{channel_name, find_or_create};
use crate::codec::{Reader, Writer};
use crate::command::{Cx, Fail};
use crate::payload::{self, ContainerView, Sections};
use crate::task_state::TaskState;
use transom_commands::opt;
use transom_types::AbendCode;

/// Requests of this domain, first byte.
pub(crate) mod ask {
    /// RUN TRANSID: transaction, user, channel.
    pub(crate) const RUN: u8 = 1;
    /// FETCH: NOSUSPEND, TIMEOUT, token (none: any).
    pub(crate) const FETCH: u8 = 2;
    /// FREE CHILD: token.
    pub(crate) const FREE: u8 = 3;
}

/// What a task knows of its children and its parent.
#[derive(Default)]
pub(crate) struct TaskChildren {
    /// What the region said of the parent.
    pub parent: Vec<u8>,
    /// Answers taken so far; makes the names of their channels.
    pub fetched: u32,
}

/// The answer of a child.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fetched {
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
    pub(crate) fn status(&self) -> &'static str {
        match (self.security, self.abcode) {
            (true, _) => "SECERROR",
            (_, Some(_)) => "ABEND",
            _ => "NORMAL",
        }
    }

    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(32 + self.reply.len());
        out.raw(&self.token)
            .flag(self.security)
            .flag(self.abcode.is_some());
        out.raw(self.abcode.as_ref().map_or(&[0; 4], |code| code.as_bytes()))
            .raw(&self.reply);
        out.0
    }

    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
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

/// A task begins.
pub(crate) fn begin(task: &mut TaskState, parent: Option<&[u8]>) {
    task.children.parent = parent.unwrap_or_default().to_vec();
}

/// A copy of the channel the command names, if it names one; one that does not exist is made.
/// CHANNELERR 1: characters a name may not have.
pub(crate) fn copied_channel(cx: &mut Cx<'_>) -> Result<Option<Vec<u8>>, Fail> {
    let Some(name) = channel_name(cx, opt::CHANNEL)? else {
        return Ok(None);
    };
    let id = find_or_create(cx, name);
    let Some(channel) = cx.task.channels.get(id) else {
        return Ok(None);
    };
    let views = channel.containers.iter().map(|container| ContainerView {
        name: container.name,
        ccsid: container.ccsid,
        bytes: &container.data,
    });
    let count = channel.containers.len();
    Ok(Some(payload::encode_channel_reply(
        name,
        count,
        views,
        &Sections::default(),
    )))
}
