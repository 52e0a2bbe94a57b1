//! A worker process: takes tasks, runs them, ends.

mod arena;
mod asking;
mod call;
mod callbacks;
pub(crate) mod current;
mod document_call;
mod documents;
pub(crate) mod edge;
mod file_call;
pub(crate) mod host;
mod image;
mod integers;
mod later;
pub(crate) mod link;
pub(crate) mod modules;
pub(crate) mod output;
mod pages;
mod parse_call;
pub(crate) mod run;
mod services;
mod sql_call;
mod state;
mod trace;
mod waiting;

use crate::seam::Commands;
use crate::shm::Segment;
use crate::shm::layout::worker::LEAVING;
use crate::shm::storage::Storage;
use host::WorkerHost;
use modules::Modules;
use state::Worker;
use std::path::PathBuf;
use std::sync::atomic::Ordering::SeqCst;
use transom_messages as messages;

/// Runs tasks until told to leave. Answers the exit code of the process.
pub(crate) fn main(
    (segment, storage): (&'static Segment, &'static Storage),
    me: usize,
    modules: Modules,
    dump_dir: PathBuf,
    make_commands: fn() -> Box<dyn Commands>,
) -> i32 {
    segment.tell_finds(Box::new(link::damaged));
    let slot = segment.slot(me);
    edge::signals(Some(&slot.view));
    let host = match WorkerHost::new((segment, storage), me, modules, dump_dir) {
        Ok(host) => host,
        Err(error) => {
            link::log(
                link::LOG_WORKERS,
                (0, link::NOBODY),
                messages::wk::worker_cannot_start(&error).line(),
            );
            return 1;
        }
    };
    let worker = Box::into_raw(Box::new(Worker::new(make_commands(), host)));
    run::install(worker);
    loop {
        // SAFETY: only this thread uses the worker, and no borrow outlives its statement.
        let w = unsafe { &mut *worker };
        if w.retire {
            let effects = w.host.dispatch().step_down(me);
            w.host.apply(&effects);
            // The region sees the process end and takes the slot back.
            return 0;
        }
        let Some(task) = take(&w.host) else { return 0 };
        // SAFETY: `w` is not used any more when COBOL runs.
        unsafe { serve(worker, task) };
    }
}

/// Waits for a task; `None`: leave.
fn take(host: &WorkerHost) -> Option<usize> {
    let slot = host.slot();
    let (task, effects) = host.dispatch().next(host.me);
    host.apply(&effects);
    if task.is_some() {
        return task;
    }
    loop {
        if let Some(task) = (slot.task.load(SeqCst) as usize).checked_sub(1) {
            // Another worker has the task that somebody stored here.
            if !host.dispatch().belongs(task, host.me) {
                link::damaged_task(&slot.view);
            }
            return Some(task);
        }
        if slot.state.load(SeqCst) == LEAVING {
            return None;
        }
        host.sleep(None, &|| {
            slot.task.load(SeqCst) != 0 || slot.state.load(SeqCst) == LEAVING
        });
    }
}

/// # Safety
/// As [`run::run_task`].
unsafe fn serve(worker: *mut Worker, task: usize) {
    let (segment, block) = {
        // SAFETY: by the caller.
        let host = unsafe { &mut (*worker).host };
        let block = host.segment.task(task);
        let slot = host.slot();
        host.task = task;
        host.task_number = block.task_number.load(SeqCst);
        host.quasirent = block.quasirent.load(SeqCst) != 0;
        host.eib.fill(0);
        host.dumps = 0;
        slot.posted.store(0, SeqCst);
        slot.slice.fetch_add(1, SeqCst);
        slot.view.async_task.store(0, SeqCst);
        slot.view.fault_task.store(0, SeqCst);
        slot.view.current_task.store(host.task_number, SeqCst);
        (host.segment, block)
    };
    // SAFETY: by the caller.
    unsafe { run::run_task(worker, block) };
    output::flush();
    // SAFETY: by the caller; the task is over.
    let host = unsafe { &mut (*worker).host };
    host.enclave.clear();
    host.arena.clear();
    if let Some(below) = &mut host.below {
        below.clear();
    }
    let slot = host.slot();
    slot.slice.fetch_add(1, SeqCst);
    host.dispatch().over(task);
    // Only now: a task that runs and is nobody's current one has not begun, and may begin again.
    slot.view.current_task.store(0, SeqCst);
    link::push_done(segment, task, link::COMPLETION_FD);
    slot.task.store(0, SeqCst);
}
