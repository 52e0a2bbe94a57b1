//! Journals: what workers ask the region, and what it answers.
//!
//! Not here: the commands, the files.

use crate::codec::{Reader, Writer};
use crate::definitions::JournalKind;
use transom_types::{ProgramName, TransId};

/// Bytes of user data and prefix of one record; more raise LENGERR.
pub const JOURNAL_RECORD_MAX: usize = 1 << 20;

/// A record, or a wait for one to be on the device.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalRequest {
    pub journal: ProgramName,
    pub transid: TransId,
    pub what: JournalAction,
}

/// What is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JournalAction {
    /// Adds a record: JTYPEID, prefix, data; waits until it is on the device if so asked. Answer:
    /// its number.
    Write([u8; 2], Vec<u8>, Vec<u8>, bool),
    /// Waits for the record of this number; 0: for all so far.
    Wait(u32),
    /// INQUIRE JOURNALNAME: answers a [`JournalState`].
    Inquire,
    /// Names of all journals, whatever the name.
    List,
    /// SET JOURNALNAME.
    Set(JournalChange),
}

/// What SET JOURNALNAME does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JournalChange {
    Flush,
    Reset,
    Enable,
    Disable,
}

const CHANGES: [JournalChange; 4] = [
    JournalChange::Flush,
    JournalChange::Reset,
    JournalChange::Enable,
    JournalChange::Disable,
];

/// What INQUIRE JOURNALNAME answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalState {
    pub kind: JournalKind,
    pub enabled: bool,
    /// A write failed; RESET or ENABLED tries anew.
    pub failed: bool,
    /// File of a journal of TYPE(MVS).
    pub stream: String,
}

impl JournalState {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(16 + self.stream.len());
        out.u8(self.kind as u8)
            .flag(self.enabled)
            .flag(self.failed)
            .bytes(self.stream.as_bytes());
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        const KINDS: [JournalKind; 3] = [JournalKind::Mvs, JournalKind::Smf, JournalKind::Dummy];
        let mut from = Reader(bytes);
        Some(Self {
            kind: *KINDS.get(usize::from(from.u8()?))?,
            enabled: from.flag()?,
            failed: from.flag()?,
            stream: from.text()?,
        })
    }
}

impl JournalRequest {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        out.raw(self.journal.as_bytes())
            .raw(self.transid.as_bytes());
        match &self.what {
            JournalAction::Write(kind, prefix, data, wait) => {
                out.u8(1).raw(kind).flag(*wait).bytes(prefix).raw(data)
            }
            JournalAction::Wait(number) => out.u8(2).u32(*number),
            JournalAction::Inquire => out.u8(3),
            JournalAction::List => out.u8(4),
            JournalAction::Set(change) => out.u8(5).u8(*change as u8),
        };
        out.0
    }

    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            journal: ProgramName::from_field(from.raw(8)?),
            transid: TransId::from_field(from.raw(4)?),
            what: match from.u8()? {
                1 => {
                    let kind = from.raw(2)?.try_into().ok()?;
                    let wait = from.flag()?;
                    let prefix = from.bytes()?.to_vec();
                    JournalAction::Write(kind, prefix, from.0.to_vec(), wait)
                }
                2 => JournalAction::Wait(from.u32()?),
                3 => JournalAction::Inquire,
                4 => JournalAction::List,
                5 => JournalAction::Set(*CHANGES.get(usize::from(from.u8()?))?),
                _ => return None,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_come_back() {
        for what in [
            JournalAction::Write(*b"AB", b"prefix".to_vec(), b"data".to_vec(), true),
            JournalAction::Wait(7),
            JournalAction::Inquire,
            JournalAction::List,
            JournalAction::Set(JournalChange::Disable),
        ] {
            let request = JournalRequest {
                journal: ProgramName::from_field(b"AUDIT"),
                transid: TransId::from_field(b"PAY"),
                what,
            };
            assert_eq!(JournalRequest::decode(&request.encode()), Some(request));
        }
    }
}
