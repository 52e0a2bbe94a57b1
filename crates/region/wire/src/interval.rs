//! START requests on their way from the command to the region's clock and on to RETRIEVE.
//!
//! The bytes of a [`StartRequest`] lie in the store when the request is protected, so a change of
//! it needs a new format. Not here: clocks, tasks.

use crate::association::Inherited;
use crate::language;
use transom_types::{ReqId, TdQueueName, TermId, TransId, UserId};

/// START gives no REQID: the region makes one up.
pub const NO_REQID: ReqId = ReqId::new([0; 8]);

language! {
    /// What a worker asks.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Request {
        /// START, so many milliseconds from now. Answers the REQID.
        1 = Start(wait_ms: u64, request: StartRequest),
        /// RETRIEVE. Answers [`Retrieved`].
        2 = Retrieve {
            /// WAIT.
            wait: bool,
            /// DTIMOUT in milliseconds; 0: none.
            dtimout_ms: u64,
        },
        /// CANCEL of a REQID.
        3 = Cancel(reqid: ReqId),
        /// INQUIRE REQID. Answers [`Waiting`].
        4 = Inquire(reqid: ReqId),
        /// All REQIDs. Answers them as a list.
        5 = List,
    }

    /// The data options of one START.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub struct StartData {
        /// FROM.
        pub from: Option<Vec<u8>>,
        /// FMH.
        pub fmh: bool,
        /// RTRANSID.
        pub rtransid: Option<[u8; 4]>,
        /// RTERMID.
        pub rtermid: Option<[u8; 4]>,
        /// QUEUE.
        pub queue: Option<[u8; 8]>,
    }

    /// One START.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct StartRequest format 2 {
        /// REQID, given or made up, [`NO_REQID`] before that; unique among requests with data.
        pub reqid: ReqId,
        /// Transaction.
        pub transid: TransId,
        /// TERMID.
        pub termid: Option<TermId>,
        /// Who the task runs for.
        pub userid: UserId,
        /// PROTECT.
        pub protect: bool,
        /// ATTACH: STARTCODE is U.
        pub attach: bool,
        /// When, in milliseconds since 1970 UTC; set by the region.
        pub due_ms: u64,
        /// What RETRIEVE answers.
        pub data: StartData,
        /// CHANNEL with its containers, as `payload` encodes a reply.
        pub channel: Option<Vec<u8>>,
        /// What its task inherits; `None`: it is an origin itself.
        pub inherited: Option<Inherited>,
    }

    /// One START as earlier releases kept it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct EarlierRequest format 1 {
        reqid: ReqId,
        transid: TransId,
        termid: Option<TermId>,
        userid: UserId,
        protect: bool,
        attach: bool,
        due_ms: u64,
        data: StartData,
        channel: Option<Vec<u8>>,
    }

    /// What RETRIEVE answers.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Retrieved {
        /// The request was protected: the task's unit of work decides about it.
        pub recoverable: bool,
        pub data: StartData,
    }

    /// What INQUIRE REQID answers.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Waiting {
        /// Milliseconds until the request expires.
        pub left_ms: u64,
        pub request: StartRequest,
    }

    /// What a task was started for, as its section `Retrieve` says.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Owner {
        /// One request, without terminal.
        1 = Alone(id: u64),
        /// Requests of a transaction at a terminal.
        2 = Terminal(key: (TermId, TransId)),
        /// A cycle of the trigger of a transient data queue, at a terminal.
        3 = Trigger(queue: TdQueueName, cycle: u64),
    }

    /// POST of a task with a REQID, in shared memory for CANCEL by others.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Posted {
        pub task: u32,
        /// When, as ABSTIME.
        pub at: i64,
        pub cancelled: bool,
    }
}

impl StartData {
    /// RETRIEVE has something to answer.
    pub fn is_some(&self) -> bool {
        self.from.is_some()
            || self.rtransid.is_some()
            || self.rtermid.is_some()
            || self.queue.is_some()
    }
}

impl StartRequest {
    /// Reads one that this release or an earlier one kept.
    pub fn read(bytes: &[u8]) -> Option<Self> {
        Self::decode(bytes).or_else(|| EarlierRequest::decode(bytes).map(Self::from))
    }

    /// Bytes the request keeps in memory, about.
    pub fn bytes(&self) -> usize {
        let length = |bytes: &Option<Vec<u8>>| bytes.as_ref().map_or(0, Vec::len);
        128 + length(&self.data.from) + length(&self.channel)
    }

    /// A task under EDF asks for its displays at another terminal.
    pub fn is_display(&self) -> bool {
        self.transid.as_bytes() == &crate::edf::DISPLAYS && self.termid.is_some() && !self.protect
    }

    /// STARTCODE of its task.
    pub fn start_code(&self) -> [u8; 2] {
        match (self.attach, self.data.from.is_some()) {
            (true, _) => *b"U ",
            (_, true) => *b"SD",
            _ => *b"S ",
        }
    }
}

impl From<EarlierRequest> for StartRequest {
    fn from(earlier: EarlierRequest) -> Self {
        Self {
            reqid: earlier.reqid,
            transid: earlier.transid,
            termid: earlier.termid,
            userid: earlier.userid,
            protect: earlier.protect,
            attach: earlier.attach,
            due_ms: earlier.due_ms,
            data: earlier.data,
            channel: earlier.channel,
            inherited: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_of_an_earlier_release_is_an_origin_itself() {
        let earlier = EarlierRequest {
            reqid: ReqId::new(*b"ONE     "),
            transid: TransId::from_field(b"PAY1"),
            termid: None,
            userid: UserId::from_field(b"FRED"),
            protect: true,
            attach: false,
            due_ms: 7,
            data: StartData::default(),
            channel: None,
        };
        let request = StartRequest::read(&earlier.encode()).unwrap();
        assert_eq!((request.due_ms, request.inherited), (7, None));
        assert_eq!(StartRequest::read(&request.encode()), Some(request));
        assert_eq!(StartRequest::read(&earlier.encode()[1..]), None);
    }
}
