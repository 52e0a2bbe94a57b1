//! The worker, for callable services: they are entered by COBOL, without it.
//!
//! Not here: who may be entered how (`run`).

use super::host::WorkerHost;
use super::run::WORKER;
use std::sync::atomic::Ordering;

/// What a callable service does with the worker's host; `None`: there is no worker.
pub(crate) fn with_host<T>(act: impl FnOnce(&mut WorkerHost) -> T) -> Option<T> {
    let worker = WORKER.load(Ordering::Acquire);
    // SAFETY: the worker lives as long as the process, and COBOL of a level is running: a module
    // that initialises itself finds no service (`txm_resolve`), so no Rust frame has a borrow.
    (!worker.is_null()).then(|| act(unsafe { &mut (*worker).host }))
}
