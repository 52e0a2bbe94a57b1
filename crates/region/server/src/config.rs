//! What a region and its parts start from.
//!
//! Why one place: whoever starts a region fills it in, and each service takes what it uses. Not
//! here: reading transom.toml (`formats/settings`), decks (`region/system`).

use super::paging_config::PagingConfig;
use super::program_list_config::ProgramListConfig;
use std::collections::HashMap;
use std::fmt;
use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;
use transom_datasets::KeyException;
use transom_decks::CsdConfig;
use transom_messages::{Message, Operator};
use transom_recovery::UowStore;
use transom_region_monitoring::MonitoringConfig;
use transom_region_sql::SqlDatabase;
use transom_region_trace::TraceConfig;
use transom_security::UserConfig;
use transom_settings::PresetPlace;
use transom_types::{ProgramName, TransId};
use transom_wire::LateModules;
use transom_wire::definitions::{
    ClassLimit, Definitions, Entry, FileEntry, ProgramEntry, SystemEntry, TdQueueEntry,
    TerminalDefinition, TransactionEntry, TsModelEntry, UpperCase,
};
use transom_workers::PoolError;

/// Bytes of keys and records a store in memory holds when nothing else is said.
pub const MEMORY_STORE_BYTES: u64 = 1 << 30;

/// Bytes of address space of a store in a folder when nothing else is said.
pub const MAP_BYTES: usize = 64 << 30;

/// Bytes of transient data records in memory when nothing else is said.
const TD_MEMORY_BYTES_MAX: u64 = 64 << 20;
/// Bytes of data an orderly end keeps when nothing else is said.
const KEPT_BYTES_MAX: u64 = 1 << 30;
/// FTIMEOUT when nothing else is said.
const FTIMEOUT: Duration = Duration::from_secs(30);
/// Terminals when nothing else is said.
const TERMINALS_MAX: usize = 10_000;

/// Everything a region starts from.
pub struct RegionConfig {
    /// Identity and limits. `max_tasks` is MXT.
    pub system: SystemEntry,
    /// Tasks that may wait because of MXT or a class; beyond it work is refused.
    pub queue_max: usize,
    /// Programs to install.
    pub programs: Vec<ProgramEntry>,
    /// Transactions to install, besides the supplied mirrors.
    pub transactions: Vec<TransactionEntry>,
    /// Transactions of the region itself, with the program each starts.
    pub supplied: Vec<(TransactionEntry, ProgramEntry)>,
    /// Transaction classes.
    pub classes: Vec<ClassLimit>,
    /// Resources of other kinds.
    pub resources: Vec<Entry>,
    /// Folder of compiled modules, `NAME.so`, for program autoinstall and CALL.
    pub module_dir: PathBuf,
    /// Programs whose sources are there and gave no module.
    pub absent: HashMap<ProgramName, Absent>,
    /// Programs whose modules are still made; `None`: there are none.
    pub late: Option<Arc<dyn LateModules>>,
    /// Folder of transaction dumps.
    pub dump_dir: PathBuf,
    /// Executable and arguments that become the zygote.
    pub zygote: (PathBuf, Vec<std::ffi::OsString>),
    /// Workers kept ready.
    pub min_idle: usize,
    /// Installed programs that every worker finds loaded; others are loaded by who runs them.
    pub preload_max: usize,
    /// Shared storage in bytes.
    pub shared_bytes: usize,
    /// Files and units of work.
    pub data: DataConfig,
    /// Links to other regions.
    pub links: transom_region_links::LinkConfig,
    /// The database of EXEC SQL.
    pub sql: SqlDatabase,
    /// Temporary storage, transient data, START.
    pub queues: QueueConfig,
    /// Terminals and maps.
    pub terminals: TerminalConfig,
    /// Users.
    pub users: UserConfig,
    /// Decks that CEDA reads and the one it writes.
    pub csd: CsdConfig,
    /// Programs of the start and the end.
    pub program_lists: ProgramListConfig,
    /// Records of tasks.
    pub monitoring: MonitoringConfig,
    /// What is traced.
    pub trace: TraceConfig,
    /// Hears what programs, workers and the region say.
    pub operator: Operator,
}

/// Why a program that has a source has no module.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Absent {
    /// Its source, as messages name it.
    pub file: String,
    /// What it needs and is not there: `SQL`; otherwise it does not compile.
    pub needs: Option<&'static str>,
}

/// A store somebody has opened.
#[derive(Clone)]
pub struct StoreHandle(pub Arc<dyn UowStore>);

impl fmt::Debug for StoreHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("StoreHandle")
    }
}

/// Files and units of work.
#[derive(Debug, Clone)]
pub struct DataConfig {
    /// Folder of the record store; `None`: a store in memory that ends with the region.
    pub store: Option<PathBuf>,
    /// Most bytes of keys and records of a store in memory; writes beyond it raise NOSPACE.
    pub memory_bytes_max: u64,
    /// Most bytes of the store in its folder; address space, not disk.
    pub map_bytes: usize,
    /// A store that is open already (with data sets defined by a utility, for instance) in place of
    /// `store`.
    pub opened: Option<StoreHandle>,
    /// Where workers say that they read the store; known when that is open.
    pub reader_places: Option<Arc<File>>,
    /// RLS=YES and NONRLSRECOV=VSAMCAT: LOG of the catalog, where it is set, counts for files
    /// without RLSACCESS(YES) too.
    pub recovery_of_catalog: bool,
    /// FTIMEOUT: how long a request to a file with RLSACCESS(YES) waits for a record, where the
    /// transaction has no DTIMOUT.
    pub ftimeout: Duration,
    /// Files with KEYLENGTH and RECORDSIZE make their data set where there is none.
    pub define_missing: bool,
    /// What is known of the keys of data sets that are defined.
    pub keys: Vec<KeyException>,
    /// Files to install.
    pub files: Vec<FileEntry>,
    /// Folder of user journals; `None`: WRITE JOURNALNAME gets JIDERR.
    pub journal_dir: Option<PathBuf>,
}

impl Default for DataConfig {
    /// A store in memory.
    fn default() -> Self {
        Self {
            store: None,
            memory_bytes_max: MEMORY_STORE_BYTES,
            map_bytes: MAP_BYTES,
            opened: None,
            reader_places: None,
            recovery_of_catalog: false,
            ftimeout: FTIMEOUT,
            define_missing: false,
            keys: Vec::new(),
            files: Vec::new(),
            journal_dir: None,
        }
    }
}

/// Why a region did not start. Its text is a message.
#[derive(Debug)]
pub enum StartError {
    /// The COBOL workers.
    Workers(PoolError),
    /// The record store.
    Store(Message),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Workers(error) => error.fmt(f),
            Self::Store(message) => message.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl From<PoolError> for StartError {
    fn from(error: PoolError) -> Self {
        Self::Workers(error)
    }
}

/// Temporary storage, transient data, START.
#[derive(Debug, Clone)]
pub struct QueueConfig {
    /// Folder of extrapartition data sets; `None`: what programs write to them goes to the log.
    pub extrapartition_dir: Option<PathBuf>,
    /// Permissions that its output and the folder do not get; the process may take away more.
    pub extrapartition_umask: u32,
    /// Folder of jobs written to an internal reader; `None`: `jobs` in the folder above.
    pub job_dir: Option<PathBuf>,
    /// Transient data queues, besides the supplied ones.
    pub td_queues: Vec<TdQueueEntry>,
    /// Models of temporary storage queues.
    pub ts_models: Vec<TsModelEntry>,
    /// Most bytes of transient data records in memory (RECOVSTATUS(NO)).
    pub td_memory_bytes_max: u64,
    /// Most START requests that wait for their time or their task.
    pub start_requests_max: u64,
    /// Most bytes of their data.
    pub start_bytes_max: u64,
    /// Most children of one task that were neither fetched nor freed.
    pub children_max: usize,
    /// Most bytes of queues that are not recoverable an orderly end keeps for a warm start.
    pub kept_bytes_max: u64,
    /// Most bytes of auxiliary temporary storage on disk, for items that shared storage has no room
    /// for.
    pub auxiliary_bytes_max: u64,
    /// START: what of an earlier run is taken up.
    pub start: StartMode,
}

/// START of the SIT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StartMode {
    /// Warm or emergency, as the last run ended.
    #[default]
    Auto,
    /// Queues and START requests are gone.
    Cold,
    /// The same, and when it last started in other ways is forgotten.
    Initial {
        /// Units of work in doubt are backed out; otherwise they forbid it.
        back_out: bool,
    },
}

impl Default for QueueConfig {
    /// No folders, no definitions.
    fn default() -> Self {
        Self {
            extrapartition_dir: None,
            extrapartition_umask: 0o077,
            job_dir: None,
            td_queues: Vec::new(),
            ts_models: Vec::new(),
            td_memory_bytes_max: TD_MEMORY_BYTES_MAX,
            start_requests_max: transom_starts::requests::REQUESTS_MAX,
            start_bytes_max: transom_starts::requests::BYTES_MAX,
            children_max: transom_starts::children::CHILDREN_MAX,
            kept_bytes_max: KEPT_BYTES_MAX,
            auxiliary_bytes_max: super::temporary_storage::spill::AUXILIARY_BYTES_MAX,
            start: StartMode::Auto,
        }
    }
}

/// Terminals and maps.
#[derive(Debug, Clone)]
pub struct TerminalConfig {
    /// Folder of compiled mapsets, `NAME.map`.
    pub map_dir: Option<PathBuf>,
    /// Terminals at a time; further sessions are refused.
    pub terminals_max: usize,
    /// UCTRAN of terminals nobody defined.
    pub upper_case: UpperCase,
    /// Sessions with LU names nobody defined get a terminal; otherwise they are refused.
    pub autoinstall: bool,
    /// TERMINALs with their TYPETERMs, found by NETNAME.
    pub definitions: Vec<TerminalDefinition>,
    /// TASKREQ: attention identifier (as 3270s send it) and transaction.
    pub key_transactions: Vec<(u8, TransId)>,
    /// Paging commands.
    pub paging: PagingConfig,
    /// Where authority is checked, sessions nobody signed on at end after so long without input.
    pub unsigned: Option<Duration>,
    /// Clients that are signed on as the user of their definition.
    pub preset_from: Vec<PresetPlace>,
}

impl Default for TerminalConfig {
    /// No maps, no definitions; transaction identifiers typed in lower case are understood.
    fn default() -> Self {
        Self {
            map_dir: None,
            terminals_max: TERMINALS_MAX,
            upper_case: UpperCase::TransactionId,
            autoinstall: true,
            definitions: Vec::new(),
            key_transactions: Vec::new(),
            paging: PagingConfig::default(),
            unsigned: None,
            preset_from: Vec::new(),
        }
    }
}

impl RegionConfig {
    /// Starts with what decks define, besides what is there.
    pub fn define(&mut self, definitions: Definitions) {
        for entry in definitions.entries {
            match entry {
                Entry::Program(entry) => self.programs.push(entry),
                Entry::Transaction(entry) => self.transactions.push(entry),
                Entry::TranClass(entry) => self.classes.push(entry),
                Entry::File(entry) => self.data.files.push(entry),
                Entry::TdQueue(entry) => self.queues.td_queues.push(entry),
                Entry::TsModel(entry) => self.queues.ts_models.push(entry),
                other => self.resources.push(other),
            }
        }
        self.terminals.definitions.extend(definitions.terminals);
        self.terminals.key_transactions.extend(definitions.keys);
    }
}
