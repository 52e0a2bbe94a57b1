//! One file statement of COBOL as commands see it.
//!
//! Not here: which statements there are and how they lie in the first item (`region/batch`).

use super::call::Bad;
use super::edge::{self, Argument};
use super::state::Worker;
use crate::seam::{FileCall, Outcome};
use std::cell::Cell;
use std::ffi::c_int;

/// What descriptors of file statements begin with.
pub(super) const MAGIC: [u8; 3] = *b"TF\x01";

/// Items of a call; lives as long as the call.
struct EdgeFileCall<'a> {
    items: &'a [Argument],
    /// An item whose storage is not there was used; the task ends.
    bad: Cell<bool>,
}

impl EdgeFileCall<'_> {
    fn reach(&self, n: usize, write: bool) -> Option<&Argument> {
        let item = self.items.get(n).filter(|item| item.size > 0)?;
        if edge::reach(item.data as usize, item.size, write) == item.size {
            return Some(item);
        }
        self.bad.set(true);
        None
    }
}

impl FileCall for EdgeFileCall<'_> {
    fn bytes(&self, n: usize) -> &[u8] {
        match self.reach(n, false) {
            // SAFETY: just touched, and the program is stopped. Nothing Rust relies on is found by
            // these bytes but numbers that are checked where they are used.
            Some(item) => unsafe { std::slice::from_raw_parts(item.data, item.size) },
            None => &[],
        }
    }

    fn bytes_mut(&mut self, n: usize) -> &mut [u8] {
        match self.reach(n, true) {
            // SAFETY: as above, and writable.
            Some(item) => unsafe { std::slice::from_raw_parts_mut(item.data, item.size) },
            None => &mut [],
        }
    }
}

impl Worker {
    /// Runs a file statement, which runs no program.
    pub(super) fn execute_file(&mut self, arguments: &[Argument]) -> c_int {
        let mut call = EdgeFileCall {
            items: arguments,
            bad: Cell::new(false),
        };
        let outcome = self.commands.file(&mut self.host, &mut call);
        let bad = call.bad.get().then_some(Bad::Input);
        match self.after_command(outcome, bad, 0) {
            Outcome::Abend(code, text) => {
                self.pending = Some(self.abend(code, &text));
                edge::DO_UNWIND
            }
            _ => 0,
        }
    }
}
