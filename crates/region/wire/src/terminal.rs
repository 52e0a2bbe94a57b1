//! What region and worker tell each other about the terminal of a task.
//!
//! What: [`Facts`] at the start of a task, [`Left`] at its end, [`Request`] while it runs, and the
//! bytes of all three. Why one file: both ends must agree. Not here: what is done with them.

use crate::bms::PageRequest;
use crate::codec::{Reader, Writer};
use crate::definitions::{UpperCase, read_device, write_device};
use transom_datastream::ScreenSize;
use transom_types::Device;
use transom_types::{TermId, TransId};

/// What the first RECEIVE of a task finds.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Input {
    /// Nothing: the task was not started by input.
    #[default]
    None,
    /// A record of the terminal: AID, cursor, data.
    Record(Vec<u8>),
    /// INPUTMSG of the program that started the task, in the code page of programs.
    Message(Vec<u8>),
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
    /// The terminal's user area (TCTUA); empty: none.
    pub user_area: Vec<u8>,
    pub input: Input,
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
}

/// What a task asks of its terminal while it runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Request {
    /// Send these records.
    Write(Vec<Vec<u8>>),
    /// Send these records, then answer the next record of the terminal. Limit in milliseconds, 0:
    /// none.
    Read(Vec<Vec<u8>>, u64),
    /// As `Read`, but the last record asks the terminal itself for its data: the keyboard stays
    /// locked.
    Fetch(Vec<Vec<u8>>),
    /// Send these records and end the session.
    Disconnect(Vec<Vec<u8>>),
    /// A terminal by name.
    Inquire(TermId),
    /// A terminal by LU name.
    InquireNetname(String),
    /// Names of all terminals.
    List,
    /// All terminals with a session.
    Sessions,
    /// Change a terminal.
    Set(TermId, Change),
    /// The task's logical message.
    Page(PageRequest),
    /// Send these records and wait until the device has confirmed the last one.
    Confirm(Vec<Vec<u8>>),
    /// Wait for the Attn key.
    Signal,
    /// Send these records, then answer the contents of another terminal's screen.
    Copy(TermId, Vec<Vec<u8>>),
    /// Send these records, then print the screen at the terminal's printer.
    Print(Vec<Vec<u8>>),
    /// The user area of a task that ends abnormally.
    KeepArea(Vec<u8>),
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

impl Facts {
    pub fn encode(&self) -> Vec<u8> {
        let input: &[u8] = match &self.input {
            Input::None => &[],
            Input::Record(bytes) | Input::Message(bytes) => bytes,
        };
        let mut out = Writer::with_capacity(96 + input.len());
        out.raw(self.terminal.as_bytes())
            .bytes(self.netname.as_bytes());
        write_device(&mut out, &self.device);
        out.u8(self.upper_case as u8)
            .flag(self.alternate)
            .u8(self.suffix)
            .flag(self.scs)
            .bytes(&self.user_area);
        let kind = match &self.input {
            Input::None => 0,
            Input::Record(_) => 1,
            Input::Message(_) => 2,
        };
        out.u8(kind).raw(input);
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let mut facts = Self {
            terminal: TermId::from_field(from.raw(4)?),
            netname: from.text()?,
            device: read_device(&mut from)?,
            upper_case: UpperCase::from_code(from.u8()?),
            alternate: from.flag()?,
            suffix: from.u8()?,
            scs: from.flag()?,
            user_area: from.bytes()?.to_vec(),
            input: Input::None,
        };
        facts.input = match from.u8()? {
            1 => Input::Record(from.0.to_vec()),
            2 => Input::Message(from.0.to_vec()),
            _ => Input::None,
        };
        Some(facts)
    }
}

impl Left {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(32);
        let next = self.next.unwrap_or(TransId::BLANK);
        out.raw(next.as_bytes()).flag(self.immediate);
        out.flag(self.message.is_some())
            .bytes(self.message.as_deref().unwrap_or_default());
        write_records(&mut out, &self.outputs);
        out.bytes(&self.user_area).flag(self.disconnect);
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            next: Some(TransId::from_field(from.raw(4)?)).filter(|next| !next.is_blank()),
            immediate: from.flag()?,
            message: {
                let given = from.flag()?;
                let bytes = from.bytes()?;
                given.then(|| bytes.to_vec())
            },
            outputs: read_records(&mut from)?,
            user_area: from.bytes()?.to_vec(),
            disconnect: from.flag()?,
        })
    }
}

impl Request {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        match self {
            Self::Write(records) => write_records(out.u8(1), records),
            Self::Read(records, limit) => write_records(out.u8(2).u64(*limit), records),
            Self::Fetch(records) => write_records(out.u8(3), records),
            Self::Disconnect(records) => write_records(out.u8(4), records),
            Self::Inquire(terminal) => drop(out.u8(5).raw(terminal.as_bytes())),
            Self::InquireNetname(name) => drop(out.u8(6).bytes(name.as_bytes())),
            Self::List => drop(out.u8(7)),
            Self::Sessions => drop(out.u8(14)),
            Self::Set(terminal, change) => change.encode(out.u8(8).raw(terminal.as_bytes())),
            Self::Page(request) => request.encode(out.u8(20)),
            Self::Confirm(records) => write_records(out.u8(9), records),
            Self::Signal => drop(out.u8(10)),
            Self::Copy(terminal, records) => {
                write_records(out.u8(11).raw(terminal.as_bytes()), records);
            }
            Self::Print(records) => write_records(out.u8(12), records),
            Self::KeepArea(bytes) => drop(out.u8(13).raw(bytes)),
        }
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(match from.u8()? {
            1 => Self::Write(read_records(&mut from)?),
            2 => {
                let limit = from.u64()?;
                Self::Read(read_records(&mut from)?, limit)
            }
            3 => Self::Fetch(read_records(&mut from)?),
            4 => Self::Disconnect(read_records(&mut from)?),
            5 => Self::Inquire(TermId::from_field(from.raw(4)?)),
            6 => Self::InquireNetname(from.text()?),
            7 => Self::List,
            14 => Self::Sessions,
            8 => Self::Set(TermId::from_field(from.raw(4)?), Change::decode(&mut from)?),
            20 => Self::Page(PageRequest::decode(&mut from)?),
            9 => Self::Confirm(read_records(&mut from)?),
            10 => Self::Signal,
            11 => {
                let terminal = TermId::from_field(from.raw(4)?);
                Self::Copy(terminal, read_records(&mut from)?)
            }
            12 => Self::Print(read_records(&mut from)?),
            13 => Self::KeepArea(from.0.to_vec()),
            _ => return None,
        })
    }
}

impl Change {
    fn encode(&self, out: &mut Writer) {
        let flag = |value: Option<bool>| value.map_or(2, u8::from);
        out.u8(self.upper_case.map_or(0xFF, |code| code as u8))
            .u8(flag(self.ati))
            .u8(flag(self.tti))
            .u8(flag(self.in_service))
            .flag(self.release)
            .u8(flag(self.purge))
            .flag(self.next.is_some())
            .raw(self.next.unwrap_or(TransId::BLANK).as_bytes())
            .flag(self.acquire)
            .u8(flag(self.create_session));
        for printer in self.printers {
            out.flag(printer.is_some())
                .raw(printer.unwrap_or(TermId::BLANK).as_bytes());
        }
        out.u16(self.priority.map_or(u16::MAX, u16::from));
    }

    fn decode(from: &mut Reader<'_>) -> Option<Self> {
        let code = from.u8()?;
        let flag = |code: u8| match code {
            0 => Some(false),
            1 => Some(true),
            _ => None,
        };
        Some(Self {
            upper_case: (code != 0xFF).then(|| UpperCase::from_code(code)),
            ati: flag(from.u8()?),
            tti: flag(from.u8()?),
            in_service: flag(from.u8()?),
            release: from.flag()?,
            purge: flag(from.u8()?),
            next: {
                let given = from.flag()?;
                let next = TransId::from_field(from.raw(4)?);
                given.then_some(next)
            },
            acquire: from.flag()?,
            create_session: flag(from.u8()?),
            printers: {
                let mut printer = || {
                    let given = from.flag()?;
                    let name = TermId::from_field(from.raw(4)?);
                    Some(given.then_some(name))
                };
                [printer()?, printer()?]
            },
            priority: u8::try_from(from.u16()?).ok(),
        })
    }
}

fn write_records(out: &mut Writer, records: &[Vec<u8>]) {
    out.u32(records.len() as u32);
    for record in records {
        out.bytes(record);
    }
}

fn read_records(from: &mut Reader<'_>) -> Option<Vec<Vec<u8>>> {
    let count = from.u32()?;
    (0..count).map(|_| Some(from.bytes()?.to_vec())).collect()
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_requests_and_what_is_left_come_back() {
        let facts = Facts {
            terminal: TermId::new("T001").unwrap(),
            netname: "LU1".into(),
            device: Device::model_2(),
            upper_case: UpperCase::Yes,
            alternate: true,
            suffix: b'7',
            scs: true,
            user_area: vec![1, 2, 3],
            input: Input::Record(vec![0x7D, 0x40, 0x40]),
        };
        assert_eq!(Facts::decode(&facts.encode()), Some(facts.clone()));
        let left = Left {
            outputs: vec![vec![0xF5, 0xC3], vec![]],
            next: TransId::new("MENU").ok(),
            immediate: true,
            message: Some(Vec::new()),
            user_area: vec![9],
            disconnect: true,
        };
        assert_eq!(Left::decode(&left.encode()), Some(left));
        let change = Change {
            ati: Some(false),
            release: true,
            printers: [None, TermId::new("P001").ok()],
            priority: Some(7),
            ..Change::default()
        };
        let requests = [
            Request::Write(vec![vec![1, 2]]),
            Request::Read(vec![], 60_000),
            Request::Set(facts.terminal, change),
            Request::List,
            Request::Sessions,
            Request::Copy(facts.terminal, vec![vec![0xF1]]),
            Request::KeepArea(vec![4]),
            Request::Signal,
        ];
        for request in requests {
            assert_eq!(Request::decode(&request.encode()), Some(request));
        }
        assert_eq!(Request::decode(&[2, 0]), None);
    }
}
