//! Terminals: what is defined of them, and what INQUIRE TERMINAL is told.
//!
//! What: [`TerminalDefinition`] is a TERMINAL with its TYPETERM, found by NETNAME when a session
//! begins; [`TerminalEntry`] is a terminal with its session as the region answers it. Why here:
//! both sides know them. Not here: sessions (`region/server/terminal`), the resource's syntax
//! (`transom_csd`).

use crate::codec::{Reader, Writer};
use transom_types::Device;
use transom_types::{TermId, TransId, UserId};

/// UCTRAN of a TYPETERM: what becomes upper case.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum UpperCase {
    /// NO: nothing but what the transaction's profile asks for.
    #[default]
    No = 0,
    /// YES: all input.
    Yes = 1,
    /// TRANID: only transaction identifiers.
    TransactionId = 2,
}

impl UpperCase {
    pub fn from_code(code: u8) -> Self {
        match code {
            1 => Self::Yes,
            2 => Self::TransactionId,
            _ => Self::No,
        }
    }
}

/// What a TYPETERM says the device is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum TerminalKind {
    /// LUTYPE2 and the 3270 displays.
    #[default]
    Display = 0,
    /// LUTYPE3 and the 3270 printers: gets 3270 data streams.
    Printer = 1,
    /// SCSPRINT: gets SCS (LU type 1).
    ScsPrinter = 2,
}

impl TerminalKind {
    pub fn from_code(code: u8) -> Self {
        match code {
            1 => Self::Printer,
            2 => Self::ScsPrinter,
            _ => Self::Display,
        }
    }

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
            kind: TerminalKind::Display,
            printers: [None; 2],
            user_area_bytes: 0,
            page_size: None,
            create_session: false,
            priority: 0,
        }
    }

    /// ALTSUFFIX as a byte; 0: none.
    pub fn suffix(&self) -> u8 {
        self.suffix.map_or(0, |c| c as u32 as u8)
    }
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

impl TerminalEntry {
    /// It has a session.
    pub fn is_acquired(&self) -> bool {
        !self.peer.is_empty()
    }

    /// Bytes of an answer.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(128);
        out.raw(self.terminal.as_bytes())
            .bytes(self.netname.as_bytes());
        write_device(&mut out, &self.device);
        out.flag(self.alternate)
            .u8(self.upper_case as u8)
            .flag(self.ati)
            .flag(self.tti)
            .flag(self.in_service)
            .raw(self.user.as_bytes())
            .u32(self.task)
            .raw(self.transaction.as_bytes())
            .raw(self.next_transaction.as_bytes())
            .bytes(self.peer.as_bytes())
            .u8(self.kind as u8)
            .raw(self.printers[0].as_bytes())
            .raw(self.printers[1].as_bytes())
            .u8(self.user_area_bytes)
            .flag(self.create_session)
            .u8(self.priority)
            .u8(self.suffix)
            .u16(self.waiting);
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            terminal: TermId::from_field(from.raw(4)?),
            netname: from.text()?,
            device: read_device(&mut from)?,
            alternate: from.flag()?,
            upper_case: UpperCase::from_code(from.u8()?),
            ati: from.flag()?,
            tti: from.flag()?,
            in_service: from.flag()?,
            user: UserId::from_field(from.raw(8)?),
            task: from.u32()?,
            transaction: TransId::from_field(from.raw(4)?),
            next_transaction: TransId::from_field(from.raw(4)?),
            peer: from.text()?,
            kind: TerminalKind::from_code(from.u8()?),
            printers: [
                TermId::from_field(from.raw(4)?),
                TermId::from_field(from.raw(4)?),
            ],
            user_area_bytes: from.u8()?,
            create_session: from.flag()?,
            priority: from.u8()?,
            suffix: from.u8()?,
            waiting: from.u16()?,
        })
    }
}

pub fn write_device(out: &mut Writer, device: &Device) {
    out.bytes(device.name.as_bytes())
        .u16(device.default_size.0)
        .u16(device.default_size.1)
        .u16(device.alternate_size.0)
        .u16(device.alternate_size.1)
        .flag(device.extended)
        .flag(device.colour)
        .flag(device.highlight)
        .flag(device.outline)
        .flag(device.validation)
        .u32(device.ccsid)
        .flag(device.printer);
}

pub fn read_device(from: &mut Reader<'_>) -> Option<Device> {
    Some(Device {
        name: from.text()?,
        default_size: (from.u16()?, from.u16()?),
        alternate_size: (from.u16()?, from.u16()?),
        extended: from.flag()?,
        colour: from.flag()?,
        highlight: from.flag()?,
        outline: from.flag()?,
        validation: from.flag()?,
        ccsid: from.u32()?,
        printer: from.flag()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_comes_back_as_it_went() {
        let entry = TerminalEntry {
            terminal: TermId::new("T001").unwrap(),
            netname: "LUT001".into(),
            device: Device::model_2(),
            alternate: false,
            upper_case: UpperCase::TransactionId,
            ati: true,
            tti: false,
            in_service: true,
            user: UserId::new("ALICE").unwrap(),
            task: 7,
            transaction: TransId::new("MENU").unwrap(),
            next_transaction: TransId::BLANK,
            peer: "192.0.2.1:4711".into(),
            kind: TerminalKind::Display,
            printers: [TermId::new("P001").unwrap(), TermId::BLANK],
            user_area_bytes: 100,
            create_session: false,
            priority: 3,
            suffix: b'7',
            waiting: 2,
        };
        assert!(entry.is_acquired());
        assert_eq!(TerminalEntry::decode(&entry.encode()), Some(entry.clone()));
        assert_eq!(TerminalEntry::decode(&entry.encode()[..20]), None);
    }
}
