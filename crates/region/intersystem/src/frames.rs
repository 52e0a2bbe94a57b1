//! What local adapters and a link server say to each other, declared.
//!
//! What: each frame with its fields. Why: both ends are made of one declaration, and no cut of a
//! frame is taken for one. Numbers and lengths are little-endian, as they were from the beginning.
//! What answers got in later builds stands behind them by itself, because it may be missing:
//! [`Limits`], [`Condition`]. Not here: what the fields are made of (`link`, `ask`).

use transom_language::language;
use transom_language::little::{Bytes, List, Number, Text};
use transom_types::{
    AbendCode, Applid, ChannelName, ContainerName, ProgramName, SysId, TcpClient, TransClass,
    TransId, UserId,
};

/// First bytes of a conversation.
pub(crate) const MAGIC: [u8; 4] = *b"TXMI";
/// Most containers in one channel.
pub(crate) const CONTAINERS_MAX: u32 = 10_000;

language! {
    /// A frame of the client.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Asked<'a> {
        /// The first one: requests follow.
        1 = Hello(greeting: Greeting<'a>),
        /// A LINK request.
        3 = Link(request: Request<'a>),
        /// The first one and the only one: a question.
        6 = Ask(greeting: Greeting<'a>, question: Question),
        /// A LINK request of a client over TCP/IP.
        8 = LinkFor(client: TcpClient, request: Request<'a>),
    }

    /// A frame of the link server.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Answered<'a> {
        /// The first one: requests are taken. [`Limits`] follow.
        1 = Hello(welcome: Welcome),
        /// The only one, and why.
        2 = Refused(text: Text<'a>),
        /// Of a program that ended normally.
        4 = Output(output: Output<'a>),
        /// Of one that did not.
        5 = Failure(failure: Failure<'a>),
        /// The answer to the question follows.
        7 = Told,
    }

    /// Who asks.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Greeting<'a> {
        pub(crate) magic: [u8; 4],
        pub(crate) version: Number<u16>,
        /// Milliseconds to wait for a connection.
        pub(crate) wait: Number<u32>,
        pub(crate) registration: Text<'a>,
    }

    /// Who answers.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Welcome {
        pub(crate) magic: [u8; 4],
        pub(crate) version: Number<u16>,
        /// REU.
        pub(crate) reuse: bool,
    }

    /// Behind the welcome.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Limits {
        /// MNC.
        pub(crate) min_connections: Number<u32>,
        /// MXC.
        pub(crate) max_connections: Number<u32>,
    }

    /// A LINK request.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Request<'a> {
        pub(crate) program: ProgramName,
        /// Blank: the link server's.
        pub(crate) transid: TransId,
        /// Blank: the region's default.
        pub(crate) userid: UserId,
        pub(crate) origin: Origin,
        pub(crate) reply_bytes_max: Number<u64>,
        /// Microseconds; the highest number: no limit.
        pub(crate) timeout: Number<u64>,
        pub(crate) data: Data<'a>,
    }

    /// Where a request comes from.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Origin {
        0 = Gateway,
        1 = Region,
        2 = Internal,
    }

    /// What a program gets and gives.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Data<'a> {
        0 = Commarea(bytes: Bytes<'a>),
        1 = Channel(name: ChannelName, containers: List<Container<'a>, CONTAINERS_MAX>),
    }

    /// One container.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Container<'a> {
        pub(crate) name: ContainerName,
        pub(crate) content: Content<'a>,
    }

    /// What is in a container.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) enum Content<'a> {
        0 = Bit(bytes: Bytes<'a>),
        1 = Char(ccsid: Number<u32>, bytes: Bytes<'a>),
    }

    /// A program that ended normally.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Output<'a> {
        pub(crate) task_number: Number<u32>,
        pub(crate) transid: TransId,
        pub(crate) cpu_ns: Number<u64>,
        pub(crate) data: Data<'a>,
    }

    /// A LINK that did not end normally.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Failure<'a> {
        pub(crate) why: Why,
        /// The highest number: no task.
        pub(crate) task_number: Number<u32>,
        pub(crate) text: Text<'a>,
    }

    /// Kinds of failure.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Why {
        0 = Abend(code: AbendCode),
        1 = Refused(condition: Condition),
        2 = Busy,
        3 = TimedOut,
        4 = Unavailable,
    }

    /// Condition and reason.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Condition {
        pub(crate) resp: Number<u16>,
        pub(crate) resp2: Number<u32>,
    }

    /// What a client wants to know, or wants to be changed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Question {
        /// Answered by [`Info`].
        0 = Info,
        /// Answered by [`Program`].
        1 = Program(name: ProgramName),
        /// Answered by [`Transaction`].
        2 = Transaction(name: TransId),
        /// Answered by [`Statistics`].
        3 = Statistics,
        /// This and all below are answered by [`Done`].
        4 = ProgramEnabled(name: ProgramName, on: bool),
        5 = ProgramNewCopy(name: ProgramName),
        6 = TransactionEnabled(name: TransId, on: bool),
        7 = TransactionPriority(name: TransId, priority: u8),
        8 = MaxTasks(tasks: Number<u32>),
        9 = Purge { task: Number<u32>, force: bool },
    }

    /// Name, size and state of a region.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) struct Info {
        pub(crate) applid: Applid,
        pub(crate) sysid: SysId,
        pub(crate) local_ccsid: Number<u32>,
        pub(crate) max_tasks: Number<u32>,
        pub(crate) tasks: Number<u32>,
        pub(crate) workers: Number<u32>,
        pub(crate) stopping: bool,
    }

    /// A program, if it is installed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Program {
        0 = Missing,
        1 = Installed {
            name: ProgramName,
            enabled: bool,
            threadsafe: bool,
            loadable: bool,
            use_count: Number<u64>,
        },
    }

    /// A transaction, if it is installed.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(crate) enum Transaction {
        0 = Missing,
        1 = Installed {
            name: TransId,
            program: ProgramName,
            enabled: bool,
            priority: u8,
            /// Blank: none.
            class: TransClass,
            use_count: Number<u64>,
        },
    }

    /// Why a change was refused; empty: it was made. A [`Condition`] follows a reason.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Done<'a> {
        pub(crate) refused: Text<'a>,
    }

    /// All counters.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Statistics<'a> {
        pub(crate) groups: List<Group<'a>>,
    }

    /// Those of one domain.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Group<'a> {
        pub(crate) name: Text<'a>,
        pub(crate) values: List<Counter<'a>>,
    }

    /// One counter.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(crate) struct Counter<'a> {
        pub(crate) name: Text<'a>,
        pub(crate) value: Number<u64>,
    }
}

impl<'a> Greeting<'a> {
    /// That of this build.
    pub(crate) fn new(registration: &'a str, wait: u32) -> Self {
        Self {
            magic: MAGIC,
            version: Number(crate::PROTOCOL_VERSION),
            wait: Number(wait),
            registration: registration.into(),
        }
    }
}
