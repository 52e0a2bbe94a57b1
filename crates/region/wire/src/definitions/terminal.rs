//! Terminals: what is defined of them, and what INQUIRE TERMINAL is told.
//!
//! What: [`TerminalDefinition`] is a TERMINAL with its TYPETERM, found by NETNAME when a session
//! begins; [`TerminalEntry`] is a terminal with its session as the region answers it. Why here:
//! both sides know them. Not here: sessions (`region/server/terminal`), the resource's syntax
//! (`transom_csd`).

use crate::language;
use transom_types::Device;
use transom_types::{TermId, TransId, UserId};

language! {
    /// UCTRAN of a TYPETERM: what becomes upper case.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum UpperCase {
        /// NO: nothing but what the transaction's profile asks for.
        #[default]
        0 = No,
        /// YES: all input.
        1 = Yes,
        /// TRANID: only transaction identifiers.
        2 = TransactionId,
    }

    /// What a TYPETERM says the device is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum TerminalKind {
        /// LUTYPE2 and the 3270 displays.
        #[default]
        0 = Display,
        /// LUTYPE3 and the 3270 printers: gets 3270 data streams.
        1 = Printer,
        /// SCSPRINT: gets SCS (LU type 1).
        2 = ScsPrinter,
    }

    /// A terminal with its session, or a defined one without.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct TerminalEntry {
        /// Name.
        pub terminal: TermId,
        /// LU name.
        pub netname: String,
        /// The device.
        pub device: Device,
        /// The alternate screen size is in force.
        pub alternate: bool,
        /// UCTRAN.
        pub upper_case: UpperCase,
        /// Tasks may be started for it.
        pub ati: bool,
        /// The user may start tasks.
        pub tti: bool,
        /// In service.
        pub in_service: bool,
        /// Signed-on user; blank: none.
        pub user: UserId,
        /// Number of the running task; 0: none.
        pub task: u32,
        /// Its transaction.
        pub transaction: TransId,
        /// Transaction of the next input; blank: the input says it.
        pub next_transaction: TransId,
        /// Address of the client; empty: there is no session.
        pub peer: String,
        /// What the definition says it is.
        pub kind: TerminalKind,
        /// PRINTER and ALTPRINTER; blank: none.
        pub printers: [TermId; 2],
        /// Bytes of its user area.
        pub user_area_bytes: u8,
        /// CREATESESS(YES).
        pub create_session: bool,
        /// TERMPRIORITY.
        pub priority: u8,
        /// ALTSUFFIX; 0: none.
        pub suffix: u8,
        /// Tasks that wait for the terminal.
        pub waiting: u16,
    }
}

impl TerminalKind {
    /// No display.
    pub fn is_printer(self) -> bool {
        self != Self::Display
    }
}

/// A TERMINAL with its TYPETERM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TerminalDefinition {
    /// Name.
    pub terminal: TermId,
    /// NETNAME, upper case.
    pub netname: String,
    /// UCTRAN.
    pub upper_case: UpperCase,
    /// ATI(YES): tasks may be started for the terminal.
    pub ati: bool,
    /// TTI(YES): the user may start tasks.
    pub tti: bool,
    /// INSERVICE(YES).
    pub in_service: bool,
    /// USERID: preset security.
    pub user: Option<UserId>,
    /// TRANSACTION: the only transaction the terminal starts.
    pub transaction: Option<TransId>,
    /// ALTSUFFIX: suffix of mapsets for the alternate screen.
    pub suffix: Option<char>,
    /// NATLANG.
    pub natlang: Option<char>,
    /// DEVICE.
    pub kind: TerminalKind,
    /// PRINTER and ALTPRINTER: where ISSUE PRINT goes.
    pub printers: [Option<TermId>; 2],
    /// USERAREALEN: bytes of the terminal's user area (TCTUA), 0 to 255.
    pub user_area_bytes: u8,
    /// PAGESIZE of a printer, rows and columns; `None`: that of its device.
    pub page_size: Option<(u16, u16)>,
    /// CREATESESS(YES).
    pub create_session: bool,
    /// TERMPRIORITY.
    pub priority: u8,
}

impl TerminalDefinition {
    /// A terminal with the defaults of an autoinstall model.
    pub fn new(terminal: TermId, netname: &str) -> Self {
        Self {
            terminal,
            netname: netname.to_owned(),
            upper_case: UpperCase::No,
            ati: true,
            tti: true,
            in_service: true,
            user: None,
            transaction: None,
            suffix: None,
            natlang: None,
            kind: TerminalKind::Display,
            printers: [None; 2],
            user_area_bytes: 0,
            page_size: None,
            create_session: false,
            priority: 0,
        }
    }

    /// NATLANG as a byte; 0: none.
    pub fn natlang(&self) -> u8 {
        self.natlang.map_or(0, |c| c as u32 as u8)
    }

    /// ALTSUFFIX as a byte; 0: none.
    pub fn suffix(&self) -> u8 {
        self.suffix.map_or(0, |c| c as u32 as u8)
    }
}

impl TerminalEntry {
    /// It has a session.
    pub fn is_acquired(&self) -> bool {
        !self.peer.is_empty()
    }
}
