//! What region and worker tell each other about the terminal of a task.
//!
//! What: [`Facts`] at the start of a task, [`Left`] at its end, [`Request`] while it runs. Not
//! here: what is done with them.

use crate::bms::PageRequest;
use crate::definitions::UpperCase;
use crate::inbound::InboundRecord;
use crate::language;
use transom_datastream::ScreenSize;
use transom_types::Device;
use transom_types::{SysId, TermId, TransId};

language! {
    /// What the first RECEIVE of a task finds.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub enum Input {
        /// Nothing: the task was not started by input.
        #[default]
        0 = None,
        /// A record of the terminal.
        1 = Record(record: InboundRecord),
        /// INPUTMSG of the program that started the task, in the code page of programs.
        2 = Message(text: Vec<u8>),
    }

    /// The terminal as a task finds it.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Facts {
        pub terminal: TermId,
        pub netname: String,
        pub device: Device,
        pub upper_case: UpperCase,
        /// The alternate screen size is in force.
        pub alternate: bool,
        /// Suffix of mapsets for the alternate screen size; 0: none.
        pub suffix: u8,
        /// The device takes SCS, not 3270 data streams.
        pub scs: bool,
        /// NATLANG; 0: none.
        pub natlang: u8,
        /// The terminal's user area (TCTUA); empty: none.
        pub user_area: Vec<u8>,
        pub input: Input,
        /// The terminal is a surrogate: another region has it, by way of this system; blank: it is
        /// this region's.
        pub system: SysId,
        /// Its name there.
        pub there: TermId,
    }

    /// What a task leaves behind.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Left {
        /// Output that was not sent yet.
        pub outputs: Vec<Vec<u8>>,
        /// RETURN TRANSID.
        pub next: Option<TransId>,
        /// RETURN IMMEDIATE.
        pub immediate: bool,
        /// RETURN INPUTMSG.
        pub message: Option<Vec<u8>>,
        /// The terminal's user area.
        pub user_area: Vec<u8>,
        /// ISSUE DISCONNECT: the session ends with the task.
        pub disconnect: bool,
        /// What the user is told at the bottom of the screen.
        pub notice: Option<String>,
    }

    /// A request of a task.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Asked {
        /// The task's own terminal; blank: none.
        pub own: TermId,
        pub request: Request,
    }

    /// What a task asks of its terminal while it runs.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub enum Request {
        /// Send these records.
        1 = Write(records: Vec<Vec<u8>>),
        /// Send these records, then answer the next [`InboundRecord`] of the terminal. Limit in
        /// milliseconds, 0: none.
        2 = Read(records: Vec<Vec<u8>>, limit_ms: u64),
        /// As `Read`, but the last record asks the terminal itself for its data: the keyboard stays
        /// locked.
        3 = Fetch(records: Vec<Vec<u8>>),
        /// Send these records and end the session.
        4 = Disconnect(records: Vec<Vec<u8>>),
        /// A terminal by name.
        5 = Inquire(terminal: TermId),
        /// A terminal by LU name.
        6 = InquireNetname(netname: String),
        /// Names of all terminals.
        7 = List,
        /// All terminals with a session.
        14 = Sessions,
        /// Change a terminal.
        8 = Set(terminal: TermId, change: Change),
        /// The task's logical message.
        20 = Page(request: PageRequest),
        /// Send these records and wait until the device has confirmed the last one.
        9 = Confirm(records: Vec<Vec<u8>>),
        /// Wait for the Attn key.
        10 = Signal,
        /// Send these records, then answer the contents of another terminal's screen.
        11 = Copy(from: TermId, records: Vec<Vec<u8>>),
        /// Send these records, then print the screen at the terminal's printer.
        12 = Print(records: Vec<Vec<u8>>),
        /// The user area of a task that ends abnormally.
        13 = KeepArea(area: Vec<u8>),
    }

    /// SET TERMINAL.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct Change {
        pub upper_case: Option<UpperCase>,
        pub ati: Option<bool>,
        pub tti: Option<bool>,
        pub in_service: Option<bool>,
        /// End the session.
        pub release: bool,
        /// End the running task: PURGE, or FORCEPURGE.
        pub purge: Option<bool>,
        /// NEXTTRANSID; blank: none.
        pub next: Option<TransId>,
        /// ACQUIRED: only a terminal with a session can be.
        pub acquire: bool,
        /// CREATESESS.
        pub create_session: Option<bool>,
        /// PRINTER and ALTPRINTER; blank: none.
        pub printers: [Option<TermId>; 2],
        /// TERMPRIORITY.
        pub priority: Option<u8>,
    }
}

/// A screen size of a device; what is not a size counts as 24 by 80.
pub fn screen_size(device: &Device, alternate: bool) -> ScreenSize {
    let (rows, columns) = if alternate {
        device.alternate_size
    } else {
        device.default_size
    };
    let side = |n: u16| u8::try_from(n).ok();
    side(rows)
        .zip(side(columns))
        .and_then(|(rows, columns)| ScreenSize::new(rows, columns))
        .unwrap_or(ScreenSize::MODEL_2)
}

impl Facts {
    /// The terminal of a task whose facts these bytes are.
    pub fn terminal_of(bytes: &[u8]) -> Option<TermId> {
        transom_language::first(bytes)
    }
}
