//! What the region installs in shared memory and commands look up: programs, transactions, the
//! region's own facts, running tasks.
//!
//! What: the entries, their encoding, and `install` / `find` on [`Shared`]. Why: the region side
//! writes them (CSD install, autoinstall, SET), the worker side reads them on every LINK. Not
//! here: resource definition syntax (`transom_csd`), the commands.
//!
//! An entry is item [`DEFINITION`] of the group named by its padded name; item [`USE_COUNT`] is the
//! number of uses as eight bytes, so that counting does not rewrite the definition.

use crate::codec::{Reader, Writer};
use transom_types::{Applid, ProgramName, SysId, TransClass, TransId, UserId};
use transom_workers::seam::{Address, Group, Module, Shared, Space};

/// Item that holds a definition.
pub const DEFINITION: u32 = 0;
/// Item that counts uses.
pub const USE_COUNT: u32 = 1;
/// Group of [`Space::System`] with the region's facts.
pub const SYSTEM_GROUP: &[u8] = b"SYSTEM";
/// Group of [`Space::System`] with the address of the CWA, once somebody asked for it.
pub const CWA_GROUP: &[u8] = b"CWA";

/// Source language of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Language {
    /// Not known before the first use.
    #[default]
    NotDefined = 0,
    /// COBOL.
    Cobol = 1,
    /// C or C++.
    C = 2,
    /// Java in a JVM server.
    Java = 3,
    /// PL/I.
    Pli = 4,
    /// Assembler.
    Assembler = 5,
}

/// CONCURRENCY of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(u8)]
pub enum Concurrency {
    /// Runs only with the region's QR token.
    #[default]
    Quasirent = 0,
    /// Runs on any core.
    Threadsafe = 1,
    /// As threadsafe, from the start.
    Required = 2,
}

/// An installed program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramEntry {
    /// Name.
    pub program: ProgramName,
    /// Shared object of the newest version; empty: no module, the program cannot be loaded.
    pub path: String,
    /// LANGUAGE.
    pub language: Language,
    /// CONCURRENCY.
    pub concurrency: Concurrency,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// RESIDENT(YES).
    pub resident: bool,
    /// CEDF(YES).
    pub cedf: bool,
    /// DATALOCATION(ANY).
    pub data_any: bool,
    /// EXECKEY(CICS).
    pub cics_key: bool,
    /// API(OPENAPI).
    pub openapi: bool,
    /// EXECUTIONSET(DPLSUBSET).
    pub dpl_subset: bool,
    /// DYNAMIC(YES).
    pub dynamic: bool,
    /// RELOAD(YES).
    pub reload: bool,
    /// Made by program autoinstall, not by a definition.
    pub autoinstalled: bool,
    /// REMOTESYSTEM; blank: local.
    pub remote_system: SysId,
    /// REMOTENAME.
    pub remote_name: ProgramName,
    /// TRANSID for remote use.
    pub transid: TransId,
    /// Size of the module in bytes, 0 when not known.
    pub length: u32,
}

impl ProgramEntry {
    /// A local COBOL program with CICS's defaults.
    pub fn new(program: ProgramName, path: &str) -> Self {
        Self {
            program,
            path: path.to_owned(),
            language: Language::NotDefined,
            concurrency: Concurrency::Quasirent,
            enabled: true,
            resident: false,
            cedf: true,
            data_any: true,
            cics_key: false,
            openapi: false,
            dpl_subset: false,
            dynamic: false,
            reload: false,
            autoinstalled: false,
            remote_system: SysId::BLANK,
            remote_name: ProgramName::BLANK,
            transid: TransId::BLANK,
            length: 0,
        }
    }

    /// How the worker loads it.
    pub fn module(&self) -> Module {
        Module {
            program: self.program,
            path: self.path.clone(),
            quasirent: self.concurrency == Concurrency::Quasirent,
        }
    }

    /// Bytes for [`Space::Program`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64 + self.path.len());
        out.raw(self.program.as_bytes())
            .u8(self.language as u8)
            .u8(self.concurrency as u8);
        for flag in [
            self.enabled,
            self.resident,
            self.cedf,
            self.data_any,
            self.cics_key,
            self.openapi,
            self.dpl_subset,
            self.dynamic,
            self.reload,
            self.autoinstalled,
        ] {
            out.flag(flag);
        }
        out.raw(self.remote_system.as_bytes())
            .raw(self.remote_name.as_bytes());
        out.raw(self.transid.as_bytes())
            .u32(self.length)
            .bytes(self.path.as_bytes());
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            program: ProgramName::from_field(from.raw(8)?),
            language: language(from.u8()?),
            concurrency: concurrency(from.u8()?),
            enabled: from.flag()?,
            resident: from.flag()?,
            cedf: from.flag()?,
            data_any: from.flag()?,
            cics_key: from.flag()?,
            openapi: from.flag()?,
            dpl_subset: from.flag()?,
            dynamic: from.flag()?,
            reload: from.flag()?,
            autoinstalled: from.flag()?,
            remote_system: SysId::from_field(from.raw(4)?),
            remote_name: ProgramName::from_field(from.raw(8)?),
            transid: TransId::from_field(from.raw(4)?),
            length: from.u32()?,
            path: from.text()?,
        })
    }

    /// Installs or replaces the program, keeping its use count. `false`: shared storage is full.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(
            shared,
            Space::Program,
            self.program.as_bytes(),
            &self.encode(),
        )
    }

    /// The installed program.
    pub fn find(shared: &dyn Shared, program: ProgramName) -> Option<Self> {
        get(shared, Space::Program, program.as_bytes(), Self::decode)
    }
}

/// An installed transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionEntry {
    /// Name.
    pub transid: TransId,
    /// First program.
    pub program: ProgramName,
    /// TRANCLASS; blank: none.
    pub class: TransClass,
    /// PROFILE.
    pub profile: ProgramName,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// PRIORITY, 0 to 255.
    pub priority: u8,
    /// TWASIZE in bytes.
    pub twa_bytes: u32,
    /// DTIMOUT in milliseconds; 0: no limit.
    pub dtimout_ms: u64,
    /// RUNAWAY in milliseconds; 0: no limit; `None`: the region's ICVR.
    pub runaway_ms: Option<u64>,
    /// DUMP(YES).
    pub dump: bool,
    /// TRACE(YES).
    pub trace: bool,
    /// SPURGE(YES).
    pub spurge: bool,
    /// TPURGE(YES).
    pub tpurge: bool,
    /// STORAGECLEAR(YES).
    pub storage_clear: bool,
    /// ISOLATE(YES).
    pub isolate: bool,
    /// SHUTDOWN(ENABLED).
    pub shutdown_enabled: bool,
    /// TASKDATAKEY(CICS).
    pub cics_key: bool,
    /// TASKDATALOC(ANY).
    pub data_any: bool,
    /// RESTART(YES).
    pub restart: bool,
    /// CMDSEC(YES).
    pub cmdsec: bool,
    /// RESSEC(YES).
    pub ressec: bool,
}

impl TransactionEntry {
    /// A transaction with CICS's defaults.
    pub fn new(transid: TransId, program: ProgramName) -> Self {
        Self {
            transid,
            program,
            class: TransClass::BLANK,
            profile: ProgramName::from_field(b"DFHCICST"),
            enabled: true,
            priority: 1,
            twa_bytes: 0,
            dtimout_ms: 0,
            runaway_ms: None,
            dump: true,
            trace: true,
            spurge: false,
            tpurge: false,
            storage_clear: false,
            isolate: true,
            shutdown_enabled: false,
            cics_key: false,
            data_any: false,
            restart: false,
            cmdsec: false,
            ressec: false,
        }
    }

    /// Bytes for [`Space::Transaction`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(96);
        out.raw(self.transid.as_bytes())
            .raw(self.program.as_bytes())
            .raw(self.class.as_bytes());
        out.raw(self.profile.as_bytes())
            .u8(self.priority)
            .u32(self.twa_bytes);
        out.u64(self.dtimout_ms)
            .u64(self.runaway_ms.unwrap_or(u64::MAX));
        for flag in [
            self.enabled,
            self.dump,
            self.trace,
            self.spurge,
            self.tpurge,
            self.storage_clear,
            self.isolate,
            self.shutdown_enabled,
            self.cics_key,
            self.data_any,
            self.restart,
            self.cmdsec,
            self.ressec,
        ] {
            out.flag(flag);
        }
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            transid: TransId::from_field(from.raw(4)?),
            program: ProgramName::from_field(from.raw(8)?),
            class: TransClass::from_field(from.raw(8)?),
            profile: ProgramName::from_field(from.raw(8)?),
            priority: from.u8()?,
            twa_bytes: from.u32()?,
            dtimout_ms: from.u64()?,
            runaway_ms: Some(from.u64()?).filter(|ms| *ms != u64::MAX),
            enabled: from.flag()?,
            dump: from.flag()?,
            trace: from.flag()?,
            spurge: from.flag()?,
            tpurge: from.flag()?,
            storage_clear: from.flag()?,
            isolate: from.flag()?,
            shutdown_enabled: from.flag()?,
            cics_key: from.flag()?,
            data_any: from.flag()?,
            restart: from.flag()?,
            cmdsec: from.flag()?,
            ressec: from.flag()?,
        })
    }

    /// Installs or replaces the transaction, keeping its use count.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(
            shared,
            Space::Transaction,
            self.transid.as_bytes(),
            &self.encode(),
        )
    }

    /// The installed transaction.
    pub fn find(shared: &dyn Shared, transid: TransId) -> Option<Self> {
        get(shared, Space::Transaction, transid.as_bytes(), Self::decode)
    }
}

/// Facts about the region that commands answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SystemEntry {
    /// APPLID.
    pub applid: Applid,
    /// SYSIDNT.
    pub sysid: SysId,
    /// DFLTUSER.
    pub default_user: UserId,
    /// GMTRAN.
    pub gm_transid: TransId,
    /// Job name the region shows.
    pub jobname: ProgramName,
    /// LOCALCCSID: coded character set of data inside programs.
    pub local_ccsid: u32,
    /// MXT.
    pub max_tasks: u32,
    /// WRKAREA in bytes; 0: no CWA.
    pub cwa_bytes: u32,
    /// ICVR in milliseconds.
    pub runaway_ms: u64,
    /// PRTYAGE in milliseconds.
    pub priority_aging_ms: u64,
    /// When the region started, as ABSTIME.
    pub started_abstime_ms: u64,
    /// DUMP=YES: system dumps.
    pub dump: bool,
    /// PGAICTLG / PGAIPGM ACTIVE: programs are autoinstalled.
    pub program_autoinstall: bool,
    /// START=COLD and so on: `C` cold, `W` warm, `E` emergency, `I` initial.
    pub start_type: u8,
    /// INITPARM texts: program and text, at most 60 characters each.
    pub initparm: Vec<(ProgramName, String)>,
}

impl SystemEntry {
    /// A region with CICS's defaults.
    pub fn new(applid: Applid, sysid: SysId) -> Self {
        Self {
            applid,
            sysid,
            default_user: UserId::from_field(b"CICSUSER"),
            gm_transid: TransId::from_field(b"CSGM"),
            jobname: ProgramName::from_field(applid.as_bytes()),
            local_ccsid: 819,
            max_tasks: 250,
            cwa_bytes: 512,
            runaway_ms: 5_000,
            priority_aging_ms: 1_000,
            started_abstime_ms: 0,
            dump: true,
            program_autoinstall: true,
            start_type: b'C',
            initparm: Vec::new(),
        }
    }

    /// Bytes for [`Space::System`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(128);
        out.raw(self.applid.as_bytes()).raw(self.sysid.as_bytes());
        out.raw(self.default_user.as_bytes())
            .raw(self.gm_transid.as_bytes());
        out.raw(self.jobname.as_bytes())
            .u32(self.local_ccsid)
            .u32(self.max_tasks);
        out.u32(self.cwa_bytes)
            .u64(self.runaway_ms)
            .u64(self.priority_aging_ms);
        out.u64(self.started_abstime_ms)
            .flag(self.dump)
            .flag(self.program_autoinstall);
        out.u8(self.start_type).u16(self.initparm.len() as u16);
        for (program, text) in &self.initparm {
            out.raw(program.as_bytes()).bytes(text.as_bytes());
        }
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let mut entry = Self {
            applid: Applid::from_field(from.raw(8)?),
            sysid: SysId::from_field(from.raw(4)?),
            default_user: UserId::from_field(from.raw(8)?),
            gm_transid: TransId::from_field(from.raw(4)?),
            jobname: ProgramName::from_field(from.raw(8)?),
            local_ccsid: from.u32()?,
            max_tasks: from.u32()?,
            cwa_bytes: from.u32()?,
            runaway_ms: from.u64()?,
            priority_aging_ms: from.u64()?,
            started_abstime_ms: from.u64()?,
            dump: from.flag()?,
            program_autoinstall: from.flag()?,
            start_type: from.u8()?,
            initparm: Vec::new(),
        };
        for _ in 0..from.u16()? {
            let program = ProgramName::from_field(from.raw(8)?);
            entry.initparm.push((program, from.text()?));
        }
        Some(entry)
    }

    /// Installs or replaces the facts.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(shared, Space::System, SYSTEM_GROUP, &self.encode())
    }

    /// The region's facts.
    pub fn find(shared: &dyn Shared) -> Option<Self> {
        get(shared, Space::System, SYSTEM_GROUP, Self::decode)
    }
}

/// A task that runs in a worker. Written at task start by the worker, removed at task end, or by
/// [`crate::release_task`] when the worker died.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskEntry {
    /// Task number.
    pub task_number: u32,
    /// Transaction.
    pub transid: TransId,
    /// First program.
    pub program: ProgramName,
    /// User.
    pub userid: UserId,
    /// Priority.
    pub priority: u8,
    /// Attach time as ABSTIME.
    pub start_abstime_ms: u64,
    /// STARTCODE, blank padded.
    pub start_code: [u8; 2],
    /// What a suspended task waits for, as INQUIRE TASK SUSPENDTYPE; blank: it is not waiting.
    pub suspend_type: ProgramName,
    /// Name of the awaited resource, SUSPENDVALUE.
    pub suspend_value: ProgramName,
    /// When the wait began, as ABSTIME.
    pub suspended_abstime_ms: u64,
    /// REQID of a DELAY in progress, for CANCEL; blank: none.
    pub reqid: ProgramName,
}

impl TaskEntry {
    /// Bytes for [`Space::Task`].
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(80);
        out.u32(self.task_number)
            .raw(self.transid.as_bytes())
            .raw(self.program.as_bytes());
        out.raw(self.userid.as_bytes())
            .u8(self.priority)
            .u64(self.start_abstime_ms);
        out.raw(&self.start_code).raw(self.suspend_type.as_bytes());
        out.raw(self.suspend_value.as_bytes())
            .u64(self.suspended_abstime_ms);
        out.raw(self.reqid.as_bytes());
        out.0
    }

    /// Reads [`Self::encode`] back.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            task_number: from.u32()?,
            transid: TransId::from_field(from.raw(4)?),
            program: ProgramName::from_field(from.raw(8)?),
            userid: UserId::from_field(from.raw(8)?),
            priority: from.u8()?,
            start_abstime_ms: from.u64()?,
            start_code: from.raw(2)?.try_into().ok()?,
            suspend_type: ProgramName::from_field(from.raw(8)?),
            suspend_value: ProgramName::from_field(from.raw(8)?),
            suspended_abstime_ms: from.u64()?,
            reqid: ProgramName::from_field(from.raw(8)?),
        })
    }

    /// Writes the entry.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        put(
            shared,
            Space::Task,
            &self.task_number.to_be_bytes(),
            &self.encode(),
        )
    }

    /// The task of this number.
    pub fn find(shared: &dyn Shared, task_number: u32) -> Option<Self> {
        get(
            shared,
            Space::Task,
            &task_number.to_be_bytes(),
            Self::decode,
        )
    }

    /// Removes the entry.
    pub fn remove(shared: &dyn Shared, task_number: u32) {
        discard(shared, Space::Task, &task_number.to_be_bytes());
    }
}

/// How often the program or transaction of this padded name was used.
pub fn use_count(shared: &dyn Shared, space: Space, name: &[u8]) -> u64 {
    let mut count = 0;
    shared.with_group(space, name, &mut |group| count = read_use_count(group));
    count
}

/// Counts one use more; the region calls it at attach of a transaction.
pub fn count_use(shared: &dyn Shared, space: Space, name: &[u8]) {
    shared.with_group(space, name, &mut |group| add_use(group));
}

/// Removes a definition (DISCARD).
pub fn discard(shared: &dyn Shared, space: Space, name: &[u8]) {
    shared.with_group(space, name, &mut |group| group.remove_all());
}

/// The CWA of the region, if somebody addressed it yet.
pub fn cwa_address(shared: &dyn Shared) -> Option<Address> {
    get(shared, Space::System, CWA_GROUP, |bytes| {
        Some(u64::from_be_bytes(bytes.try_into().ok()?) as Address)
    })
}

pub(crate) fn add_use(group: &mut dyn Group) {
    let count = read_use_count(group).wrapping_add(1);
    group.put(USE_COUNT, &count.to_be_bytes());
}

fn read_use_count(group: &dyn Group) -> u64 {
    group
        .get(USE_COUNT)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u64::from_be_bytes)
}

fn put(shared: &dyn Shared, space: Space, name: &[u8], bytes: &[u8]) -> bool {
    let mut stored = false;
    shared.with_group(space, name, &mut |group| {
        stored = group.put(DEFINITION, bytes)
    });
    stored
}

fn get<T>(
    shared: &dyn Shared,
    space: Space,
    name: &[u8],
    decode: fn(&[u8]) -> Option<T>,
) -> Option<T> {
    let mut found = None;
    shared.with_group(space, name, &mut |group| {
        found = group.get(DEFINITION).and_then(decode);
    });
    found
}

fn language(code: u8) -> Language {
    match code {
        1 => Language::Cobol,
        2 => Language::C,
        3 => Language::Java,
        4 => Language::Pli,
        5 => Language::Assembler,
        _ => Language::NotDefined,
    }
}

fn concurrency(code: u8) -> Concurrency {
    match code {
        1 => Concurrency::Threadsafe,
        2 => Concurrency::Required,
        _ => Concurrency::Quasirent,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back_as_they_went() {
        let mut program = ProgramEntry::new(ProgramName::new("CABASIC").unwrap(), "/x/cabasic.so");
        program.concurrency = Concurrency::Threadsafe;
        program.length = 77;
        assert_eq!(
            ProgramEntry::decode(&program.encode()),
            Some(program.clone())
        );
        assert!(!program.module().quasirent);

        let mut transaction = TransactionEntry::new(TransId::new("CSMI").unwrap(), program.program);
        transaction.runaway_ms = Some(0);
        assert_eq!(
            TransactionEntry::decode(&transaction.encode()),
            Some(transaction)
        );

        let mut system = SystemEntry::new("CICSA".parse().unwrap(), "SYSA".parse().unwrap());
        system.initparm.push((program.program, "DEBUG".into()));
        assert_eq!(SystemEntry::decode(&system.encode()), Some(system.clone()));
        assert_eq!(SystemEntry::decode(&system.encode()[..40]), None);
    }
}
