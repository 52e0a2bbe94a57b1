//! What callable services keep for a task.
//!
//! Not here: the services.

use super::picture::CENTURY_WINDOW;
use std::collections::HashMap;

/// It begins anew with each task.
#[derive(Debug)]
pub(crate) struct Enclave {
    /// Bytes of each block of heap storage, by address.
    pub(super) blocks: HashMap<usize, usize>,
    /// Years from the start of the century window to this one.
    pub(super) century_window: i32,
}

impl Default for Enclave {
    fn default() -> Self {
        Self {
            blocks: HashMap::new(),
            century_window: CENTURY_WINDOW as i32,
        }
    }
}

impl Enclave {
    /// The task is over.
    pub(crate) fn clear(&mut self) {
        self.blocks.clear();
        self.century_window = CENTURY_WINDOW as i32;
    }
}
