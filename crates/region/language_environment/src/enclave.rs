//! What callable services keep for a task, and what they need of the process that runs it.
//!
//! Not here: the services.

use std::collections::{BTreeSet, HashMap};
use transom_dates::CENTURY_WINDOW;

/// A block of heap storage.
#[derive(Debug, Clone, Copy)]
pub(super) struct Block {
    pub(super) bytes: usize,
    pub(super) heap: i32,
}

/// The process that runs the program.
pub trait Process {
    /// Cleared storage of the task; `None`: there is none left.
    fn getmain(&mut self, bytes: usize) -> Option<usize>;

    /// Gives it back; false: there is none at this address.
    fn freemain(&mut self, at: usize) -> bool;

    /// A line for the log.
    fn message(&mut self, text: &[u8]);
}

/// The task that calls.
pub(super) struct Task<'a> {
    pub(super) enclave: &'a mut Enclave,
    pub(super) process: &'a mut dyn Process,
}

/// Heaps whose numbers are below are those of Language Environment itself.
const OWN_HEAPS: i32 = 100;

/// Heaps and the century window. It begins anew with each task.
#[derive(Debug)]
pub struct Enclave {
    /// Blocks of heap storage, by address.
    pub(super) blocks: HashMap<usize, Block>,
    /// Heaps beside the initial one.
    pub(super) heaps: BTreeSet<i32>,
    /// Number of the last of them.
    pub(super) last_heap: i32,
    /// Years from the start of the century window to this one.
    pub(super) century_window: i32,
}

impl Default for Enclave {
    fn default() -> Self {
        Self {
            blocks: HashMap::new(),
            heaps: BTreeSet::new(),
            last_heap: OWN_HEAPS,
            century_window: CENTURY_WINDOW as i32,
        }
    }
}

impl Enclave {
    /// The task is over.
    pub fn clear(&mut self) {
        *self = Self::default();
    }
}
