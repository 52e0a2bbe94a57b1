//! User trace entries of a task.

use transom_types::{ProgramName, TracedName};

/// User trace entries a task keeps.
pub const TRACE_ENTRIES_MAX: usize = 64;

/// One user trace entry.
pub struct TraceEntry {
    pub number: u16,
    pub program: ProgramName,
    pub resource: TracedName,
    pub exception: bool,
    pub data: Vec<u8>,
}
