//! Where records go, and what has become of them.

use std::path::PathBuf;
use std::time::Duration;

/// Where and how much.
#[derive(Debug, Clone)]
pub struct RecorderConfig {
    /// Folder of the files; made when it is needed.
    pub folder: PathBuf,
    /// A file that has become longer is followed by another one.
    pub file_bytes_max: u64,
    /// The oldest file beyond so many is deleted.
    pub files_max: usize,
    /// Records that wait to be written.
    pub queue_bytes_max: usize,
    /// How long a record waits at most before it is written.
    pub flush_every: Duration,
}

/// What has become of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Figures {
    /// Taken to be written, as MNGPR counts: records are written some time after.
    pub scheduled: u64,
    /// Written to a file.
    pub written: u64,
    /// Not written: the queue was full, or the file could not be written.
    pub lost: u64,
    /// Bytes that wait.
    pub queued_bytes: u64,
    /// The most bytes that waited.
    pub queued_bytes_peak: u64,
    /// Times a record found the queue full.
    pub times_full: u64,
}
