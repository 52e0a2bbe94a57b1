//! What the parts of a region start from, beyond programs and transactions.

use std::path::PathBuf;

/// Files and units of work.
#[derive(Debug, Clone, Default)]
pub struct DataConfig {
    /// Folder of the record store; `None`: a store in memory that ends with the region.
    pub store: Option<PathBuf>,
}

/// Temporary storage, transient data, START.
#[derive(Debug, Clone, Default)]
pub struct QueueConfig {
    /// Folder of extrapartition data sets.
    pub extrapartition_dir: Option<PathBuf>,
}

/// Terminals and maps.
#[derive(Debug, Clone, Default)]
pub struct TerminalConfig {
    /// Folder of compiled mapsets, `NAME.map`.
    pub map_dir: Option<PathBuf>,
}

/// Users.
#[derive(Debug, Clone, Default)]
pub struct UserConfig {
    /// File with users and password hashes; `None`: nobody can sign on.
    pub file: Option<PathBuf>,
}
