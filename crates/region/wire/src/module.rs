//! A program as something that can be loaded.
//!
//! Not here: its definition (`definitions::ProgramEntry`), loading it (`transom_workers`).

use transom_types::ProgramName;

/// A path that begins so names no file: the program is a part of the region itself and run by
/// the command processor itself.
pub const SUPPLIED: &str = "supplied:";

/// A loadable program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Program name; also the entry symbol.
    pub program: ProgramName,
    /// Shared object. A new version has a new path.
    pub path: String,
    /// CONCURRENCY(QUASIRENT): runs only with the region's QR token.
    pub quasirent: bool,
    /// EXECKEY(CICS): it may store in a CWA of CWAKEY=CICS.
    pub cics_key: bool,
}

impl Module {
    /// The program is part of the region, not a file.
    pub fn is_supplied(&self) -> bool {
        self.path.starts_with(SUPPLIED)
    }
}
