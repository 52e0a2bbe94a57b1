//! An installed transient data queue.

use super::{get, put};
use crate::codec::{Reader, Writer};
use crate::shared::{Shared, Space};
use transom_types::{TermId, TransId, UserId};

/// What kind of queue it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TdKind {
    /// TYPE(INTRA): records kept by the region.
    Intra,
    /// TYPE(EXTRA), TYPEFILE(OUTPUT): a file programs write.
    Output,
    /// TYPE(EXTRA), TYPEFILE(INPUT): a file programs read.
    Input,
    /// An internal reader: jobs, each stored as a file.
    Reader,
    /// Lines for the region's log.
    Log,
    /// TYPE(INDIRECT): another name of a queue.
    Indirect,
    /// TYPE(REMOTE), or REMOTESYSTEM given: a queue of another region.
    Remote,
}

/// RECOVSTATUS of an intrapartition queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TdRecovery {
    /// NO: in memory, gone when the region ends.
    No,
    /// PHYSICAL: in the store at once, not part of units of work.
    Physical,
    /// LOGICAL: part of the unit of work.
    Logical,
}

/// An installed transient data queue.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TdQueueEntry {
    /// Name, blank padded.
    pub name: [u8; 4],
    /// Kind.
    pub kind: TdKind,
    /// Enabled.
    pub enabled: bool,
    /// RECOVSTATUS.
    pub recovery: TdRecovery,
    /// TRIGGERLEVEL; 0: no task is started.
    pub trigger_level: u32,
    /// TRANSID of the task to start.
    pub transid: Option<TransId>,
    /// ATIFACILITY(TERMINAL): where it runs; `None`: without terminal.
    pub terminal: Option<TermId>,
    /// USERID of a task without terminal.
    pub userid: Option<UserId>,
    /// INDIRECTNAME.
    pub target: [u8; 4],
    /// REMOTESYSTEM.
    pub remote_system: [u8; 4],
    /// DDNAME.
    pub ddname: String,
    /// DSNAME.
    pub dsname: String,
    /// RECORDSIZE in bytes; 0: up to 32,763.
    pub record_bytes: u32,
    /// RECORDFORMAT(FIXED).
    pub fixed: bool,
    /// DISPOSITION(OLD or SHR) of an output file: it begins anew when the region opens it.
    pub truncate: bool,
    /// TYPEFILE(RDBACK): an input file is read from its end to its beginning.
    pub backward: bool,
    /// OPENTIME(INITIAL); else the queue answers NOTOPEN until it is opened.
    pub open: bool,
}

impl TdQueueEntry {
    /// An intrapartition queue with CICS's defaults.
    pub fn new(name: [u8; 4]) -> Self {
        Self {
            name,
            kind: TdKind::Intra,
            enabled: true,
            recovery: TdRecovery::No,
            trigger_level: 1,
            transid: None,
            terminal: None,
            userid: None,
            target: [b' '; 4],
            remote_system: [b' '; 4],
            ddname: String::new(),
            dsname: String::new(),
            record_bytes: 0,
            fixed: false,
            truncate: false,
            backward: false,
            open: true,
        }
    }

    /// Another name of a queue.
    pub fn indirect(name: [u8; 4], target: [u8; 4]) -> Self {
        Self {
            kind: TdKind::Indirect,
            target,
            ..Self::new(name)
        }
    }

    /// The name as text.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.name).trim_end().to_owned()
    }

    /// Bytes for [`Space::TransientData`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(96);
        out.raw(&self.name)
            .u8(self.kind as u8)
            .flag(self.enabled)
            .u8(self.recovery as u8)
            .u32(self.trigger_level);
        out.raw(self.transid.unwrap_or(TransId::BLANK).as_bytes());
        out.raw(self.terminal.unwrap_or(TermId::BLANK).as_bytes());
        out.raw(self.userid.unwrap_or(UserId::BLANK).as_bytes());
        out.raw(&self.target).raw(&self.remote_system);
        out.bytes(self.ddname.as_bytes())
            .bytes(self.dsname.as_bytes())
            .u32(self.record_bytes)
            .flag(self.fixed)
            .flag(self.truncate)
            .flag(self.backward)
            .flag(self.open);
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        const KINDS: [TdKind; 7] = [
            TdKind::Intra,
            TdKind::Output,
            TdKind::Input,
            TdKind::Reader,
            TdKind::Log,
            TdKind::Indirect,
            TdKind::Remote,
        ];
        const RECOVERY: [TdRecovery; 3] =
            [TdRecovery::No, TdRecovery::Physical, TdRecovery::Logical];
        let mut from = Reader(bytes);
        Some(Self {
            name: from.raw(4)?.try_into().ok()?,
            kind: *KINDS.get(usize::from(from.u8()?))?,
            enabled: from.flag()?,
            recovery: *RECOVERY.get(usize::from(from.u8()?))?,
            trigger_level: from.u32()?,
            transid: Some(TransId::from_field(from.raw(4)?)).filter(|name| !name.is_blank()),
            terminal: Some(TermId::from_field(from.raw(4)?)).filter(|name| !name.is_blank()),
            userid: Some(UserId::from_field(from.raw(8)?)).filter(|name| !name.is_blank()),
            target: from.raw(4)?.try_into().ok()?,
            remote_system: from.raw(4)?.try_into().ok()?,
            ddname: from.text()?,
            dsname: from.text()?,
            record_bytes: from.u32()?,
            fixed: from.flag()?,
            truncate: from.flag()?,
            backward: from.flag()?,
            open: from.flag()?,
        })
    }

    /// Installs or replaces the queue.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(shared, Space::TransientData, &self.name, &self.encode())
    }

    /// The installed queue.
    pub fn find(shared: &dyn Shared, name: [u8; 4]) -> Option<Self> {
        get(shared, Space::TransientData, &name, Self::decode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_queue_comes_back_from_its_bytes() {
        let mut queue = TdQueueEntry::new(*b"JOBS");
        queue.kind = TdKind::Reader;
        queue.recovery = TdRecovery::Logical;
        queue.transid = Some(TransId::from_field(b"TRG1"));
        queue.ddname = "INREADER".into();
        let bytes = queue.encode();
        assert_eq!(TdQueueEntry::decode(&bytes), Some(queue));
        for cut in 0..bytes.len() {
            assert_eq!(TdQueueEntry::decode(&bytes[..cut]), None);
        }
    }
}
