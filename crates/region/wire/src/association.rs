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
        /// The task itself, unless it inherited.
        pub origin: Origin,
        pub previous: Option<Previous>,
    }
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
        origin: Origin {
            applid: Applid::BLANK,
            task_number: 0,
            transid: TransId::BLANK,
            userid: UserId::BLANK,
            start_abstime_ms: 0,
            beginning: Beginning {
                facility: Facility::None,
                facility_name: [b' '; 8],
                luname: [b' '; 8],
                client: None,
            },
            correlation: [b' '; CORRELATION_BYTES],
        },
        previous: None,
    };
}
