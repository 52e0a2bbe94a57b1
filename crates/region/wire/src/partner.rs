//! Commands that another region carries out: what workers ask for it, and what mirrors are given.
//!
//! What: a command as it was given ([`Command`]) goes worker, own region, link, partner region, to
//! a mirror task, which runs it as any program would; its [`Answer`] goes back. Arguments travel by
//! the numbers of the command table, so that no command needs a message of its own; regions of
//! another table are refused when a link begins. Not here: which commands go (`region/commands`),
//! links (`region/links`).

use crate::language;
use crate::routing::Routing;
use crate::syncpoint::UnitId;
use transom_language::in_place::take_front;
use transom_types::{Applid, Resp, SysId, TransId, UserId};

/// Program of mirror tasks.
pub const MIRROR: &[u8; 8] = b"DFHMIRS ";

/// Number of a command, whose bytes these are.
pub fn command_id(bytes: &[u8]) -> Option<u16> {
    take_front(&mut &*bytes)
}

language! {
    /// What a worker asks.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Request {
        /// Has a command carried out by another region. Answers an [`Answer`]; an abend there is
        /// an abend here.
        1 = Ship {
            system: SysId,
            /// The task's own.
            userid: UserId,
            /// Transaction of the mirror; blank: CSMI.
            transid: TransId,
            /// SYNCONRETURN: a mirror and a unit of work of its own.
            apart: bool,
            command: Vec<u8>,
            /// For a session, where none is free.
            waits: bool,
        },
        /// A mirror waits for work; with the answer to the last one. Answers a [`Work`].
        2 = Next(answer: Option<Vec<u8>>),
        /// A relay task has another region run its transaction. Answers an
        /// [`Over`](crate::routing::Over).
        3 = Route(routing: Routing),
        /// Other regions in units of work of this one. Answers [`UnitLink`]s as a
        /// list.
        4 = UnitLinks,
        /// Nobody will tell the other region of this one how its unit of work ended.
        5 = ForgetUnitLink(token: u32),
    }

    /// Another region in a unit of work.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UnitLink {
        /// Its own as long as it is there.
        pub token: u32,
        pub unit: UnitId,
        /// The other region.
        pub applid: Applid,
        /// Its CONNECTION or IPCONN; blank: there is none any more.
        pub system: SysId,
        /// The other region says how the unit of work ends.
        pub coordinates: bool,
        /// By an IPCONN.
        pub over_tcp: bool,
        /// Of the IPCONN.
        pub host: String,
        pub port: u16,
        pub state: LinkState,
    }

    /// How a link is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum LinkState {
        0 = Ok,
        /// Not acquired.
        1 = Unavailable,
        /// No definition leads there.
        2 = Unconnected,
    }

    /// What a mirror is given.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Work {
        1 = Run(command: Vec<u8>),
        /// The unit of work has ended, or the caller is gone.
        2 = End,
    }

    /// An EXEC CICS command as it was given.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Command {
        pub id: u16,
        pub arguments: Vec<Argument>,
        /// The channel of CHANNEL, as `payload` encodes a reply.
        pub channel: Option<Vec<u8>>,
    }

    /// An option that was given.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Argument {
        pub option: u16,
        pub value: Given,
    }

    /// What was given with an option.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Given {
        1 = Keyword,
        2 = Number(value: i64),
        3 = Bytes(value: Vec<u8>),
        /// An area of so many bytes that the command fills.
        4 = Room(bytes: u32),
        /// SET.
        5 = Pointer,
        /// A COMMAREA of so many bytes, of which these come along.
        6 = Commarea(bytes: u32, value: Vec<u8>),
    }

    /// How a command ended.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Answer {
        pub resp: Resp,
        pub resp2: u32,
        /// Options the command stored into.
        pub values: Vec<Stored>,
        /// EIBREQID, where the command sets it.
        pub reqid: Option<[u8; 8]>,
        /// The channel of CHANNEL, as `payload` encodes a reply.
        pub channel: Option<Vec<u8>>,
    }

    /// What an option holds after the command.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Stored {
        pub option: u16,
        pub value: Got,
    }

    /// The value.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Got {
        1 = Number(value: i64),
        2 = Bytes(value: Vec<u8>),
    }
}

impl Answer {
    /// A condition, and nothing stored.
    pub fn of(resp: Resp, resp2: u32) -> Self {
        Self {
            resp,
            resp2,
            values: Vec::new(),
            reqid: None,
            channel: None,
        }
    }
}
