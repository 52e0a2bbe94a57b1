//! Typed views of the definitions a region needs first.

use crate::definition::Definition;
use std::fmt;
use transom_resources::ResourceKind;
use transom_types::{ProgramName, SysId, TransClass, TransId};

/// Why a definition is not the wanted view.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DefError {
    /// It is of another kind.
    Kind(ResourceKind),
    /// A value does not fit. Decks cannot cause it, since values are checked there.
    Value(&'static str),
}

impl fmt::Display for DefError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DefError::Kind(kind) => write!(f, "it defines a {}", kind.keyword()),
            DefError::Value(attribute) => write!(f, "the value of {attribute} does not fit"),
        }
    }
}

impl std::error::Error for DefError {}

/// LANGUAGE of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum Language {
    /// Not said: CICS finds out at first use.
    #[default]
    Deduced,
    Assembler,
    C,
    Cobol,
    Le370,
    Pli,
    Java,
}

/// CONCURRENCY of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Concurrency {
    /// Never at the same time as another quasi-reentrant program of the region.
    #[default]
    Quasirent,
    /// On any core, starting where it is.
    Threadsafe,
    /// On any core from its first instruction.
    Required,
}

/// API of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Api {
    /// CICS commands only.
    #[default]
    Cics,
    /// Also other interfaces.
    Open,
}

/// Storage key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[allow(missing_docs)]
pub enum ExecKey {
    #[default]
    User,
    Cics,
}

/// EXECUTIONSET of a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ExecutionSet {
    /// All commands.
    #[default]
    FullApi,
    /// As a program linked to from another system.
    DplSubset,
}

/// RUNAWAY of a transaction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Runaway {
    /// ICVR of the system.
    #[default]
    System,
    /// Milliseconds; 0: no limit.
    Millis(u32),
}

/// PROGRAM.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProgramDef {
    /// Name.
    pub name: ProgramName,
    /// LANGUAGE.
    pub language: Language,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// CONCURRENCY. REQUIRED and API(OPENAPI) run as threadsafe programs.
    pub concurrency: Concurrency,
    /// API.
    pub api: Api,
    /// EXECKEY.
    pub exec_key: ExecKey,
    /// EXECUTIONSET.
    pub execution_set: ExecutionSet,
    /// RELOAD(YES).
    pub reload: bool,
    /// RESIDENT(YES).
    pub resident: bool,
    /// USAGE(TRANSIENT).
    pub transient: bool,
    /// CEDF(YES).
    pub cedf: bool,
    /// DATALOCATION(ANY).
    pub data_any: bool,
    /// DYNAMIC(YES).
    pub dynamic: bool,
    /// REMOTESYSTEM.
    pub remote_system: Option<SysId>,
    /// REMOTENAME.
    pub remote_name: Option<ProgramName>,
    /// TRANSID for remote use.
    pub transid: Option<TransId>,
    /// JVM(YES).
    pub jvm: bool,
    /// JVMSERVER.
    pub jvm_server: Option<String>,
    /// JVMCLASS.
    pub jvm_class: Option<String>,
}

impl ProgramDef {
    /// Reads a PROGRAM definition.
    pub fn from_definition(definition: &Definition) -> Result<Self, DefError> {
        let d = View::new(definition, ResourceKind::Program)?;
        Ok(Self {
            name: d.name(&definition.name, "PROGRAM")?,
            language: match definition.get("LANGUAGE") {
                Some("ASSEMBLER") => Language::Assembler,
                Some("C") => Language::C,
                Some("COBOL") => Language::Cobol,
                Some("LE370") => Language::Le370,
                Some("PLI") => Language::Pli,
                Some("JAVA") => Language::Java,
                _ => Language::Deduced,
            },
            enabled: d.is("STATUS", "ENABLED"),
            concurrency: match definition.get("CONCURRENCY") {
                Some("THREADSAFE") => Concurrency::Threadsafe,
                Some("REQUIRED") => Concurrency::Required,
                _ => Concurrency::Quasirent,
            },
            api: if d.is("API", "OPENAPI") {
                Api::Open
            } else {
                Api::Cics
            },
            exec_key: if d.is("EXECKEY", "CICS") {
                ExecKey::Cics
            } else {
                ExecKey::User
            },
            execution_set: if d.is("EXECUTIONSET", "DPLSUBSET") {
                ExecutionSet::DplSubset
            } else {
                ExecutionSet::FullApi
            },
            reload: d.yes("RELOAD"),
            resident: d.yes("RESIDENT"),
            transient: d.is("USAGE", "TRANSIENT"),
            cedf: d.yes("CEDF"),
            data_any: d.is("DATALOCATION", "ANY"),
            dynamic: d.yes("DYNAMIC"),
            remote_system: d.optional("REMOTESYSTEM")?,
            remote_name: d.optional("REMOTENAME")?,
            transid: d.optional("TRANSID")?,
            jvm: d.yes("JVM"),
            jvm_server: definition.get("JVMSERVER").map(str::to_string),
            jvm_class: definition.get("JVMCLASS").map(str::to_string),
        })
    }
}

/// TRANSACTION.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TransactionDef {
    /// Name.
    pub transid: TransId,
    /// First program. A transaction without one is remote.
    pub program: Option<ProgramName>,
    /// TWASIZE in bytes, 0 to 32,767.
    pub twa_size: u16,
    /// PROFILE.
    pub profile: String,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// TASKDATALOC(ANY).
    pub task_data_any: bool,
    /// TASKDATAKEY.
    pub task_data_key: ExecKey,
    /// STORAGECLEAR(YES).
    pub storage_clear: bool,
    /// RUNAWAY.
    pub runaway: Runaway,
    /// SHUTDOWN(ENABLED): may be attached while the region shuts down.
    pub at_shutdown: bool,
    /// ISOLATE(YES).
    pub isolate: bool,
    /// DYNAMIC(YES).
    pub dynamic: bool,
    /// ROUTABLE(YES).
    pub routable: bool,
    /// PRIORITY, 0 to 255.
    pub priority: u8,
    /// TRANCLASS; `None` for DFHTCL00, which is no class.
    pub tranclass: Option<TransClass>,
    /// DTIMOUT in seconds. `None`: NO (or 0).
    pub dtimout_s: Option<u32>,
    /// RESTART(YES).
    pub restart: bool,
    /// SPURGE(YES): may be purged by the system or an operator.
    pub spurge: bool,
    /// TPURGE(YES): may be purged after a terminal error.
    pub tpurge: bool,
    /// DUMP(YES).
    pub dump: bool,
    /// TRACE(YES).
    pub trace: bool,
    /// CONFDATA(YES): user data stays out of traces.
    pub confdata: bool,
    /// RESSEC(YES).
    pub ressec: bool,
    /// CMDSEC(YES).
    pub cmdsec: bool,
    /// ALIAS.
    pub alias: Option<TransId>,
    /// REMOTESYSTEM.
    pub remote_system: Option<SysId>,
    /// REMOTENAME.
    pub remote_name: Option<String>,
}

impl TransactionDef {
    /// Reads a TRANSACTION definition.
    pub fn from_definition(definition: &Definition) -> Result<Self, DefError> {
        let d = View::new(definition, ResourceKind::Transaction)?;
        let tranclass: Option<TransClass> = d.optional("TRANCLASS")?;
        let dtimout_s = d.number("DTIMOUT")?.map(seconds_of_mmss).filter(|s| *s > 0);
        Ok(Self {
            transid: d.name(&definition.name, "TRANSACTION")?,
            program: d.optional("PROGRAM")?,
            twa_size: d.small("TWASIZE")?,
            profile: definition.get("PROFILE").unwrap_or_default().to_string(),
            enabled: d.is("STATUS", "ENABLED"),
            task_data_any: d.is("TASKDATALOC", "ANY"),
            task_data_key: if d.is("TASKDATAKEY", "CICS") {
                ExecKey::Cics
            } else {
                ExecKey::User
            },
            storage_clear: d.yes("STORAGECLEAR"),
            runaway: d
                .number("RUNAWAY")?
                .map_or(Runaway::System, Runaway::Millis),
            at_shutdown: d.is("SHUTDOWN", "ENABLED"),
            isolate: d.yes("ISOLATE"),
            dynamic: d.yes("DYNAMIC"),
            routable: d.yes("ROUTABLE"),
            priority: u8::try_from(d.small("PRIORITY")?)
                .map_err(|_| DefError::Value("PRIORITY"))?,
            tranclass: tranclass.filter(|class| class.as_str() != "DFHTCL00"),
            dtimout_s,
            restart: d.yes("RESTART"),
            spurge: d.yes("SPURGE"),
            tpurge: d.yes("TPURGE"),
            dump: d.yes("DUMP"),
            trace: d.yes("TRACE"),
            confdata: d.yes("CONFDATA"),
            ressec: d.yes("RESSEC"),
            cmdsec: d.yes("CMDSEC"),
            alias: d.optional("ALIAS")?,
            remote_system: d.optional("REMOTESYSTEM")?,
            remote_name: definition.get("REMOTENAME").map(str::to_string),
        })
    }
}

/// TRANCLASS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TranclassDef {
    /// Name.
    pub name: TransClass,
    /// MAXACTIVE: tasks that may run at a time, 0 to 999.
    pub max_active: u32,
    /// PURGETHRESH: a transaction that would be the one after so many queued ones is ended.
    /// `None`: NO.
    pub purge_thresh: Option<u32>,
}

impl TranclassDef {
    /// Reads a TRANCLASS definition.
    pub fn from_definition(definition: &Definition) -> Result<Self, DefError> {
        let d = View::new(definition, ResourceKind::TranClass)?;
        Ok(Self {
            name: d.name(&definition.name, "TRANCLASS")?,
            max_active: d.number("MAXACTIVE")?.ok_or(DefError::Value("MAXACTIVE"))?,
            purge_thresh: d.number("PURGETHRESH")?,
        })
    }
}

/// DTIMOUT is minutes and seconds in four digits.
fn seconds_of_mmss(mmss: u32) -> u32 {
    mmss / 100 * 60 + mmss % 100
}

/// Reads attributes of one definition.
struct View<'a>(&'a Definition);

impl<'a> View<'a> {
    fn new(definition: &'a Definition, kind: ResourceKind) -> Result<Self, DefError> {
        if definition.kind != kind {
            return Err(DefError::Kind(definition.kind));
        }
        Ok(Self(definition))
    }

    fn is(&self, attribute: &str, value: &str) -> bool {
        self.0.get(attribute) == Some(value)
    }

    fn yes(&self, attribute: &str) -> bool {
        self.0.is_yes(attribute)
    }

    fn name<T: std::str::FromStr>(&self, text: &str, what: &'static str) -> Result<T, DefError> {
        text.parse().map_err(|_| DefError::Value(what))
    }

    fn optional<T: std::str::FromStr>(&self, what: &'static str) -> Result<Option<T>, DefError> {
        self.0
            .get(what)
            .map(|text| self.name(text, what))
            .transpose()
    }

    /// `None` when the value is a word such as NO or SYSTEM.
    fn number(&self, what: &'static str) -> Result<Option<u32>, DefError> {
        match self.0.get(what) {
            Some(text) if text.starts_with(|c: char| c.is_ascii_digit()) => {
                text.parse().map(Some).map_err(|_| DefError::Value(what))
            }
            _ => Ok(None),
        }
    }

    fn small(&self, what: &'static str) -> Result<u16, DefError> {
        let number = self.number(what)?.unwrap_or(0);
        u16::try_from(number).map_err(|_| DefError::Value(what))
    }
}
