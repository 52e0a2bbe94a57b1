//! What operators and doors may see and set.

use transom_types::{Applid, ProgramName, SysId, TransClass, TransId};

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
