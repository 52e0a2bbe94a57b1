//! What two regions say to each other, declared.
//!
//! One request and one answer at a time on a connection, each a frame of
//! [`transom_intersystem::frame`]. The first of each connection is [`Hello`]. Then a connection is
//! a session: [`Asked::Attach`] begins a conversation with a mirror task, Commit and Backout end
//! it, and the next one may begin. [`Asked::Route`] begins a task at a terminal of the caller:
//! until [`Answered::Over`] the partner asks and the caller tells. The connection that keeps a link
//! asks what is in doubt instead. Commands and their answers pass as they are. Not here: who says
//! what when (`caller`, `partner`, `routing`).

use transom_language::language;
use transom_types::{AbendCode, Applid, Resp, SysId, TransId, UserId};
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Over, Question, Started};
use transom_wire::terminal::Facts;

/// First bytes of a connection.
pub(crate) const MAGIC: [u8; 4] = *b"TXMP";
/// Version of the protocol; both ends speak the same one.
pub(crate) const VERSION: u16 = 5;
/// Most regions a request passes on its way; who would ask one more gets SYSIDERR.
pub(crate) const DEPTH_MAX: u8 = 8;

language! {
    /// Who speaks.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Hello {
        pub(crate) magic: [u8; 4],
        pub(crate) version: u16,
        /// Sum of the command table: numbers of commands and options are those of one table.
        pub(crate) table: u64,
        pub(crate) applid: Applid,
        pub(crate) sysid: SysId,
        /// Whom it takes the other one for.
        pub(crate) partner: Applid,
    }

    /// What the caller says.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Asked {
        1 = Hello(hello: Hello),
        /// Begins a conversation.
        2 = Attach(attach: Attach),
        3 = Run(command: Vec<u8>),
        /// The unit of work survives a restart from now on; the caller's name of it.
        4 = Prepare(uow: [u8; 16]),
        /// Both end the conversation.
        5 = Commit,
        6 = Backout,
        /// Units of work of the caller that are prepared here.
        7 = Doubts,
        8 = Resolve { uow: [u8; 16], commit: bool },
        /// Begins a task whose terminal is here.
        9 = Route(routed: Routed),
        /// What the terminal answers to [`Answered::Asks`].
        10 = Told(answer: RegionAnswer),
        /// Ends a conversation that holds nothing; it has no answer, and the next one may follow.
        11 = LetGo,
        /// How much work the region has.
        12 = Load,
    }

    /// A transaction of a terminal.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Routed {
        pub(crate) userid: UserId,
        pub(crate) transid: TransId,
        /// Regions the request has passed, the one of the terminal first.
        pub(crate) path: Vec<Applid>,
        pub(crate) facts: Facts,
        /// COMMAREA or channel.
        pub(crate) payload: Vec<u8>,
        /// By START; `None`: by input.
        pub(crate) started: Option<Started>,
    }

    /// What a mirror is started for, with its first command.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Attach {
        pub(crate) userid: UserId,
        /// Blank: CSMI.
        pub(crate) transid: TransId,
        /// Regions the request has passed.
        pub(crate) depth: u8,
        /// A unit of work of its own, which the mirror ends (SYNCONRETURN).
        pub(crate) apart: bool,
        pub(crate) command: Vec<u8>,
        /// What the mirror inherits of the task that asked, as tasks hand it on; empty: nothing.
        pub(crate) origin: Vec<u8>,
    }

    /// What the partner answers.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Answered {
        1 = Welcome(hello: Hello),
        /// The only one, and why.
        2 = Refused(text: String),
        3 = Ran { holds: Holds, answer: Vec<u8> },
        /// The mirror abended; the conversation is over.
        4 = Abended { code: AbendCode, text: String },
        /// No mirror ran; the conversation is over.
        5 = NotRun { resp: Resp, resp2: u32, text: String },
        6 = Done,
        7 = Failed { why: Why, text: String },
        8 = Doubts(uows: Vec<Doubt>),
        /// The routed task asks something of its terminal, or for data of its START.
        9 = Asks(question: Question),
        /// The routed task has ended, or did not run; the conversation is over.
        10 = Over(over: Over),
        11 = Load(load: Load),
    }

    /// Work of a region.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
    pub struct Load {
        /// Tasks that run or wait for something.
        pub tasks: u32,
        /// Tasks that are not let in yet.
        pub queued: u32,
        /// MXT.
        pub max_tasks: u32,
        /// It takes no more.
        pub stopping: bool,
    }

    /// What a conversation has at the partner when a command has run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Holds {
        /// No unit of work has begun, and no program was called.
        1 = Nothing,
        /// There may be locks.
        2 = Locks,
        3 = Changes,
    }

    /// A unit of work of the caller that is prepared.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Doubt {
        pub(crate) uow: [u8; 16],
        /// Seconds since it was prepared.
        pub(crate) age_s: u64,
    }

    /// Why a unit of work could not be ended as asked.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Why {
        /// It was backed out.
        1 = BackedOut,
        /// How it ended is not known.
        2 = Unknown,
        /// There is no such unit of work.
        3 = NotFound,
        /// Asked again later, it may be done.
        4 = Later,
    }
}

/// Sum of numbers and names of the command table (FNV-1a).
pub(crate) fn table() -> u64 {
    let mut sum: u64 = 0xcbf2_9ce4_8422_2325;
    let mut add = |bytes: &[u8]| {
        for byte in bytes {
            sum = (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    };
    for command in transom_commands::all() {
        add(&command.id.0.to_be_bytes());
        add(command.name.as_bytes());
        for option in command.options {
            add(&option.id.0.to_be_bytes());
            add(option.keyword.as_bytes());
        }
    }
    sum
}
