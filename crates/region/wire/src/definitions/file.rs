//! An installed file and how often it was used.
//!
//! What: a FILE definition with its state, and, while the file is open, the shape of its data set;
//! counters beside it. Why: workers check and read a file without asking the region. Not here:
//! records, locks, data sets.

use super::file_journal::FileJournal;
use super::file_shape::FileShape;
use super::{DEFINITION, get, put};
use crate::codec::{Reader, Writer};
use crate::shared::{Group, Shared, Space};
use transom_csd::Definition;
use transom_messages::{self as messages, Message};
use transom_types::{ProgramName, SysId};

/// Item with the counters.
const COUNTERS: u32 = 2;
/// Longest data set name.
const DSNAME_MAX: usize = 44;

/// ENABLESTATUS.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Enablement {
    /// Requests are taken; a closed file is opened at its first use.
    #[default]
    Enabled,
    /// Requests get DISABLED.
    Disabled,
    /// Closed on request: requests get NOTOPEN until it is enabled or opened.
    Unenabled,
    /// Disabled when the tasks that use it have ended that; others get DISABLED.
    Disabling,
    /// Closed when the tasks that use it have ended that; others get NOTOPEN.
    Unenabling,
}

impl Enablement {
    /// It waits for the tasks that use it.
    pub fn is_ending(self) -> bool {
        matches!(self, Self::Disabling | Self::Unenabling)
    }
}

/// RECOVERY.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Recovery {
    /// Changes are made at once and not backed out.
    #[default]
    None,
    /// Changes belong to the unit of work.
    BackoutOnly,
    /// The same, with a forward recovery log.
    All,
}

/// An installed file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileEntry {
    /// Name.
    pub name: ProgramName,
    /// DSNAME; the file's own name when the definition has none.
    pub dsname: String,
    /// ENABLESTATUS.
    pub status: Enablement,
    /// OPENTIME(STARTUP).
    pub open_at_startup: bool,
    /// ADD(YES).
    pub add: bool,
    /// BROWSE(YES).
    pub browse: bool,
    /// DELETE(YES).
    pub delete: bool,
    /// READ(YES), or implied by UPDATE or BROWSE.
    pub read: bool,
    /// UPDATE(YES).
    pub update: bool,
    /// RECORDFORMAT(F).
    pub fixed: bool,
    /// RECOVERY.
    pub recovery: Recovery,
    /// KEYLENGTH, for a file whose data set does not exist yet; 0: not said.
    pub key_length: u16,
    /// RECORDSIZE, likewise.
    pub record_size: u32,
    /// STRINGS; only shown.
    pub strings: u16,
    /// READINTEG: 0 UNCOMMITTED, 1 CONSISTENT, 2 REPEATABLE.
    pub read_integrity: u8,
    /// RLSACCESS(YES): the options of record level sharing are allowed.
    pub rls: bool,
    /// JOURNAL number; 0: NO.
    pub journal: u8,
    /// What is journaled, see [`FileJournal`].
    pub journaling: u8,
    /// FWDRECOVLOG number, for RECOVERY(ALL); 0: NO.
    pub forward_log: u8,
    /// TABLE other than NO: a data table, used as a plain file.
    pub table: bool,
    /// REMOTESYSTEM; blank: local.
    pub remote_system: SysId,
    /// REMOTENAME.
    pub remote_name: ProgramName,
    /// Present while the file is open.
    pub shape: Option<FileShape>,
}

/// What is counted of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileUse {
    /// READ.
    Read,
    /// READ UPDATE.
    ReadUpdate,
    /// READNEXT and READPREV.
    Browse,
    /// WRITE.
    Add,
    /// REWRITE.
    Update,
    /// DELETE; each record of a generic one.
    Delete,
}

/// Counters in the order of [`FileUse`].
pub type FileCounts = [u64; 6];

impl FileEntry {
    /// A file with CICS's defaults: read only, not recoverable.
    pub fn new(name: ProgramName, dsname: &str) -> Self {
        Self {
            name,
            dsname: dsname.to_owned(),
            status: Enablement::Enabled,
            open_at_startup: false,
            add: false,
            browse: false,
            delete: false,
            read: true,
            update: false,
            fixed: false,
            recovery: Recovery::None,
            key_length: 0,
            record_size: 0,
            strings: 1,
            read_integrity: 0,
            rls: false,
            journal: 0,
            journaling: 0,
            forward_log: 0,
            table: false,
            remote_system: SysId::BLANK,
            remote_name: ProgramName::BLANK,
            shape: None,
        }
    }

    /// All operations are allowed.
    #[must_use]
    pub fn with_all_operations(mut self) -> Self {
        (self.add, self.browse, self.delete, self.update) = (true, true, true, true);
        self
    }

    /// Reads a FILE definition of a deck. The error names the attribute that does not fit.
    pub fn from_definition(definition: &Definition) -> Result<Self, String> {
        let name = ProgramName::new(&definition.name).map_err(|e| e.to_string())?;
        let yes = |attribute| definition.is_yes(attribute);
        let dsname = definition.get("DSNAME").unwrap_or(name.as_str());
        if dsname.len() > DSNAME_MAX {
            return Err(format!("DSNAME has more than {DSNAME_MAX} characters"));
        }
        let mut entry = Self::new(name, dsname);
        let number = |attribute| {
            definition
                .get(attribute)
                .and_then(|n| n.parse::<u32>().ok())
        };
        entry.status = match definition.get("STATUS") {
            Some("DISABLED") => Enablement::Disabled,
            Some("UNENABLED") => Enablement::Unenabled,
            _ => Enablement::Enabled,
        };
        entry.open_at_startup = definition.get("OPENTIME") == Some("STARTUP");
        entry.add = yes("ADD");
        entry.browse = yes("BROWSE");
        entry.delete = yes("DELETE");
        entry.update = yes("UPDATE");
        // A file that may be updated or browsed may be read.
        entry.read = yes("READ") || entry.update || entry.browse;
        entry.fixed = definition.get("RECORDFORMAT") == Some("F");
        entry.recovery = match definition.get("RECOVERY") {
            Some("ALL") => Recovery::All,
            Some("BACKOUTONLY") => Recovery::BackoutOnly,
            _ => Recovery::None,
        };
        entry.key_length = number("KEYLENGTH").unwrap_or(0).min(255) as u16;
        entry.record_size = number("RECORDSIZE").unwrap_or(0);
        entry.strings = number("STRINGS").unwrap_or(1).min(255) as u16;
        entry.read_integrity = match definition.get("READINTEG") {
            Some("CONSISTENT") => 1,
            Some("REPEATABLE") => 2,
            _ => 0,
        };
        entry.rls = yes("RLSACCESS");
        entry.journal = number("JOURNAL").unwrap_or(0).min(99) as u8;
        entry.journaling = FileJournal::from_definition(definition);
        entry.forward_log = number("FWDRECOVLOG").unwrap_or(0).min(99) as u8;
        entry.table = !matches!(definition.get("TABLE"), None | Some("NO"));
        let remote = definition.get("REMOTESYSTEM").unwrap_or_default();
        entry.remote_system = SysId::from_field(remote.as_bytes());
        let remote = definition.get("REMOTENAME").unwrap_or_default();
        entry.remote_name = ProgramName::from_field(remote.as_bytes());
        Ok(entry)
    }

    /// What an operator should know of the definition.
    pub fn warning(&self) -> Option<Message> {
        self.table.then(|| messages::fc::data_table(self.name))
    }

    /// What is journaled automatically; nothing without JOURNAL.
    pub fn journals(&self, what: FileJournal) -> bool {
        self.journal > 0 && self.journaling & what as u8 != 0
    }

    /// Changes are backed out with their unit of work.
    pub fn is_recoverable(&self) -> bool {
        self.recovery != Recovery::None
    }

    /// Bytes for [`Space::File`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(160);
        out.raw(self.name.as_bytes())
            .bytes(self.dsname.as_bytes())
            .u8(self.status as u8)
            .u8(self.recovery as u8);
        for flag in [
            self.open_at_startup,
            self.add,
            self.browse,
            self.delete,
            self.read,
            self.update,
            self.fixed,
            self.rls,
        ] {
            out.flag(flag);
        }
        out.u16(self.key_length)
            .u32(self.record_size)
            .u16(self.strings)
            .u8(self.read_integrity)
            .u8(self.journal)
            .u8(self.journaling)
            .u8(self.forward_log)
            .flag(self.table)
            .raw(self.remote_system.as_bytes())
            .raw(self.remote_name.as_bytes())
            .flag(self.shape.is_some());
        if let Some(shape) = &self.shape {
            shape.encode(&mut out);
        }
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let mut entry = Self::new(ProgramName::from_field(from.raw(8)?), "");
        entry.dsname = from.text()?;
        entry.status = match from.u8()? {
            1 => Enablement::Disabled,
            2 => Enablement::Unenabled,
            3 => Enablement::Disabling,
            4 => Enablement::Unenabling,
            _ => Enablement::Enabled,
        };
        entry.recovery = match from.u8()? {
            1 => Recovery::BackoutOnly,
            2 => Recovery::All,
            _ => Recovery::None,
        };
        for flag in [
            &mut entry.open_at_startup,
            &mut entry.add,
            &mut entry.browse,
            &mut entry.delete,
            &mut entry.read,
            &mut entry.update,
            &mut entry.fixed,
            &mut entry.rls,
        ] {
            *flag = from.flag()?;
        }
        entry.key_length = from.u16()?;
        entry.record_size = from.u32()?;
        entry.strings = from.u16()?;
        entry.read_integrity = from.u8()?;
        entry.journal = from.u8()?;
        entry.journaling = from.u8()?;
        entry.forward_log = from.u8()?;
        entry.table = from.flag()?;
        entry.remote_system = SysId::from_field(from.raw(4)?);
        entry.remote_name = ProgramName::from_field(from.raw(8)?);
        if from.flag()? {
            entry.shape = Some(FileShape::decode(&mut from)?);
        }
        Some(entry)
    }

    /// Installs or replaces the file, keeping its counters.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(shared, Space::File, self.name.as_bytes(), &self.encode())
    }

    /// The installed file.
    pub fn find(shared: &dyn Shared, name: ProgramName) -> Option<Self> {
        get(shared, Space::File, name.as_bytes(), Self::decode)
    }

    /// The installed file, one use counted.
    pub fn find_for(shared: &dyn Shared, name: ProgramName, used: FileUse) -> Option<Self> {
        let mut found = None;
        shared.with_group(Space::File, name.as_bytes(), &mut |group| {
            found = group.get(DEFINITION).and_then(Self::decode);
            if found.is_some() {
                add(group, used, 1);
            }
        });
        found
    }

    /// Counts further uses.
    pub fn count(shared: &dyn Shared, name: ProgramName, used: FileUse, times: u64) {
        shared.with_group(Space::File, name.as_bytes(), &mut |group| {
            add(group, used, times);
        });
    }

    /// How often a file was used since it was installed.
    pub fn counts(shared: &dyn Shared, name: ProgramName) -> FileCounts {
        let mut counts = FileCounts::default();
        shared.with_group(Space::File, name.as_bytes(), &mut |group| {
            counts = read_counts(group);
        });
        counts
    }
}

fn add(group: &mut dyn Group, used: FileUse, times: u64) {
    let mut counts = read_counts(group);
    counts[used as usize] = counts[used as usize].wrapping_add(times);
    let mut bytes = [0; size_of::<FileCounts>()];
    for (to, count) in bytes.chunks_exact_mut(8).zip(counts) {
        to.copy_from_slice(&count.to_be_bytes());
    }
    // Without room the use is not counted; nothing else depends on it.
    let _counted = group.put(COUNTERS, &bytes);
}

fn read_counts(group: &dyn Group) -> FileCounts {
    let mut counts = FileCounts::default();
    let bytes = group.get(COUNTERS).unwrap_or_default();
    for (count, from) in counts.iter_mut().zip(bytes.as_chunks::<8>().0) {
        *count = u64::from_be_bytes(*from);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::super::FileType;
    use super::*;

    #[test]
    fn entries_come_back_as_they_went() {
        let name = ProgramName::new("ACCTDAT").unwrap();
        let mut entry = FileEntry::new(name, "AWS.M2.ACCTDATA.KSDS").with_all_operations();
        assert_eq!(FileEntry::decode(&entry.encode()), Some(entry.clone()));
        entry.recovery = Recovery::BackoutOnly;
        entry.status = Enablement::Unenabled;
        entry.shape = Some(FileShape {
            organization: FileType::Rrds,
            key_length: 4,
            record_max: 300,
            base: "file/A".into(),
            ..FileShape::default()
        });
        let bytes = entry.encode();
        assert_eq!(FileEntry::decode(&bytes), Some(entry));
        for cut in 0..bytes.len() {
            let _ = FileEntry::decode(&bytes[..cut]);
        }
    }
}
