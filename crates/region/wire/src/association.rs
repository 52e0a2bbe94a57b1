//! Association data: what began a task, and the task at which its work entered the region.
//!
//! What: [`Association`], part of each task's entry, and [`Inherited`], what a task hands on to the
//! tasks it starts. All of fixed size, so that it is copied, never built up. Not here: the commands
//! that tell it, who inherits.

use crate::language;
use transom_types::{Applid, TcpClient, TransId, UserId};

/// Bytes of USERCORRDATA.
pub const CORRELATION_BYTES: usize = 64;

language! {
    /// What began a task.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Facility {
        /// The region itself.
        #[default]
        0 = None,
        /// Input of a terminal, or the transaction before.
        1 = Terminal,
        /// START without terminal.
        2 = Start,
        /// START for a terminal.
        3 = StartAtTerminal,
        /// The trigger level of a transient data queue.
        4 = TransientData,
        /// RUN TRANSID.
        5 = Child,
        /// LINK from outside.
        6 = Link,
    }

    /// How a task began.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub struct Beginning {
        pub facility: Facility,
        /// Name of the terminal or queue; blank: none.
        pub facility_name: [u8; 8],
        /// LU name of the terminal; blank: none.
        pub luname: [u8; 8],
        /// The client over TCP/IP whose request it was.
        pub client: Option<TcpClient>,
    }

    /// The task at which the work entered the region.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Origin {
        pub applid: Applid,
        pub task_number: u32,
        pub transid: TransId,
        pub userid: UserId,
        /// When it was attached, as ABSTIME.
        pub start_abstime_ms: u64,
        pub beginning: Beginning,
        /// USERCORRDATA.
        pub correlation: [u8; 64],
    }

    /// The task that started another.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Previous {
        pub task_number: u32,
        pub transid: TransId,
        /// When it was attached, as ABSTIME.
        pub start_abstime_ms: u64,
        /// Tasks between the other one and the origin, this one among them.
        pub count: u32,
    }

    /// What a task hands on to one it starts.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Inherited {
        pub origin: Origin,
        pub previous: Previous,
    }

    /// What a task knows of its own beginning.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Association {
        pub beginning: Beginning,
        /// `None`: the task itself, which has said no USERCORRDATA. So most tasks write little.
        pub origin: Option<Origin>,
        pub previous: Option<Previous>,
    }
}

/// A task that may be an origin.
#[derive(Debug, Clone, Copy)]
pub struct Itself {
    pub applid: Applid,
    pub task_number: u32,
    pub transid: TransId,
    pub userid: UserId,
    /// When it was attached, as ABSTIME.
    pub start_abstime_ms: u64,
}

impl Association {
    /// Of no task.
    pub const NONE: Self = Self {
        beginning: Beginning {
            facility: Facility::None,
            facility_name: [b' '; 8],
            luname: [b' '; 8],
            client: None,
        },
        origin: None,
        previous: None,
    };

    /// Where the work of this task entered the region.
    pub fn origin_of(&self, task: &Itself) -> Origin {
        self.origin.unwrap_or(Origin {
            applid: task.applid,
            task_number: task.task_number,
            transid: task.transid,
            userid: task.userid,
            start_abstime_ms: task.start_abstime_ms,
            beginning: self.beginning,
            correlation: [b' '; CORRELATION_BYTES],
        })
    }

    /// What a task that this one starts inherits.
    pub fn handed_on(&self, task: &Itself) -> Inherited {
        let before = self.previous.map_or(0, |previous| previous.count);
        Inherited {
            origin: self.origin_of(task),
            previous: Previous {
                task_number: task.task_number,
                transid: task.transid,
                start_abstime_ms: task.start_abstime_ms,
                count: before.saturating_add(1),
            },
        }
    }

    /// The client over TCP/IP with whose request the work entered the region.
    pub fn origin_client(&self) -> Option<TcpClient> {
        let origin = self.origin.as_ref();
        origin
            .map_or(self.beginning, |origin| origin.beginning)
            .client
    }

    /// USERCORRDATA without the blanks behind it.
    pub fn correlation(&self) -> &[u8] {
        let data = self.origin.as_ref().map(|origin| &origin.correlation[..]);
        data.unwrap_or_default().trim_ascii_end()
    }
}
