//! What workers need, as the region says it.
//!
//! Not here: what is done with it.

use std::path::PathBuf;

/// What the region tells a zygote of it.
#[derive(Debug, Clone, Default)]
pub struct Plan {
    /// Programs may call everything: files and system calls are not refused.
    pub open: bool,
    /// Folders and files that are read.
    pub reads: Vec<PathBuf>,
    /// Files that are written, folders in which files are made.
    pub writes: Vec<PathBuf>,
}
