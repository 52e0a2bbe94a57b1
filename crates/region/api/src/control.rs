//! What operators may see of a region and change in it.

use std::fmt;
use transom_types::{Applid, ProgramName, Resp, SetRequest, SysId, TransClass, TransId};

/// A region that is looked at and changed by operators (INQUIRE, SET, statistics). The calls wait
/// for a region in another process, for a few seconds at most.
pub trait Control: Send + Sync {
    /// Name, size and state of the region.
    ///
    /// # Errors
    /// The region is in another process and does not answer.
    fn info(&self) -> Result<RegionInfo, Unreachable>;

    /// The installed program of this name.
    ///
    /// # Errors
    /// As [`Control::info`].
    fn program(&self, name: ProgramName) -> Result<Option<ProgramStatus>, Unreachable>;

    /// The installed transaction of this name.
    ///
    /// # Errors
    /// As [`Control::info`].
    fn transaction(&self, name: TransId) -> Result<Option<TransactionStatus>, Unreachable>;

    /// Changes the state of a resource (EXEC CICS SET, CEMT SET).
    ///
    /// # Errors
    /// The region refuses, or does not answer.
    fn set(&self, request: SetRequest) -> Result<(), SetFailure>;

    /// Totals and limits: every bounded thing with its peak and how often it was reached.
    ///
    /// # Errors
    /// As [`Control::info`].
    fn statistics(&self) -> Result<Vec<StatisticsGroup>, Unreachable>;
}

/// A region in another process that does not answer. `Display` begins with the TXM message
/// identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unreachable {
    /// One sentence that begins with its TXM identifier.
    pub text: String,
}

/// A SET that was not done. `Display` begins with the TXM message identifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SetFailure {
    /// The region refused, and nothing has changed.
    Refused {
        /// Condition, as EXEC CICS SET has it.
        resp: Resp,
        /// Its reason code.
        resp2: u32,
        /// One sentence that begins with its TXM identifier.
        text: String,
    },
    /// The region did not answer. Whether anything has changed is not known.
    Unreachable(Unreachable),
}

impl fmt::Display for Unreachable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl std::error::Error for Unreachable {}

impl fmt::Display for SetFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetFailure::Refused { text, .. } => f.write_str(text),
            SetFailure::Unreachable(unreachable) => unreachable.fmt(f),
        }
    }
}

impl std::error::Error for SetFailure {}

impl From<Unreachable> for SetFailure {
    fn from(unreachable: Unreachable) -> Self {
        SetFailure::Unreachable(unreachable)
    }
}

/// Identity and size of a region.
#[derive(Debug, Clone)]
pub struct RegionInfo {
    /// APPLID.
    pub applid: Applid,
    /// SYSIDNT.
    pub sysid: SysId,
    /// Coded character set of data inside programs.
    pub local_ccsid: u32,
    /// MXT: user tasks that may run at the same time.
    pub max_tasks: u32,
    /// User tasks now.
    pub tasks: u32,
    /// COBOL worker processes now.
    pub workers: u32,
    /// True once the region stops taking work.
    pub stopping: bool,
}

/// An installed program.
#[derive(Debug, Clone)]
pub struct ProgramStatus {
    /// Name.
    pub name: ProgramName,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// CONCURRENCY is THREADSAFE or REQUIRED.
    pub threadsafe: bool,
    /// Times the program was started.
    pub use_count: u64,
    /// A loadable module exists.
    pub loadable: bool,
}

/// An installed transaction.
#[derive(Debug, Clone)]
pub struct TransactionStatus {
    /// Name.
    pub name: TransId,
    /// First program.
    pub program: ProgramName,
    /// STATUS(ENABLED).
    pub enabled: bool,
    /// PRIORITY, 0 to 255.
    pub priority: u8,
    /// TRANCLASS, if any.
    pub class: Option<TransClass>,
    /// Times attached.
    pub use_count: u64,
}

/// One set of counters, named as the CICS statistics domain that prints it.
#[derive(Debug, Clone)]
pub struct StatisticsGroup {
    /// Domain, for example `transaction manager`.
    pub name: &'static str,
    /// Counters in print order.
    pub values: Vec<Statistic>,
}

/// One counter.
#[derive(Debug, Clone)]
pub struct Statistic {
    /// Name in lower case with underscores, unit last.
    pub name: &'static str,
    /// Value now.
    pub value: u64,
}
