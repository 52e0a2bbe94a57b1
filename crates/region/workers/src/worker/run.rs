//! LINK levels: runs programs, carries out what commands decide, unwinds.
//!
//! What: one `run_level` per LINK level, nested through C (`edge/level.c`); commands arrive in
//! [`txm_dispatch`]. An unwinding leaves one level at a time: the edge jumps over the COBOL frames
//! of the highest level, its `run_level` returns as Rust does, and the dispatch below it asks the
//! edge for the next jump. So no Rust frame is ever jumped over.

use super::call::ExecCall;
use super::edge::{self, Argument};
use super::host::WorkerHost;
use super::state::{Left, Level, Next, Resume, Worker, panic_text};
use super::{link, output};
use crate::config::MAX_LINK_LEVELS;
use crate::failure::RunError;
use crate::seam::{Area, Call, Outcome, Reply, TaskEnd, TaskStart};
use crate::shm::layout::TaskBlock;
use crate::shm::payload::{self, Facts};
use std::ffi::c_int;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicPtr, Ordering};
use transom_commands::abi::{FLAG_GOBACK, View};
use transom_commands::sql;
use transom_messages as messages;
use transom_types::{AbendCode, ProgramName, TransId, UserId};
use transom_wire::Module;

/// Unwindings by jump after which a worker is replaced: programs with LOCAL-STORAGE leave some
/// memory behind at each.
const MAX_JUMPS: u32 = 20_000;
/// Tasks between two looks at the heap.
const HEAP_LOOK_TASKS: u32 = 64;
/// Growth of the heap after which a worker is replaced: contained programs are initialised anew at
/// each use of their program, and libcob keeps what they had.
const HEAP_GROWTH_MAX: usize = 48 << 20;

/// The one worker of this process, for callbacks from C.
pub(super) static WORKER: AtomicPtr<Worker> = AtomicPtr::new(std::ptr::null_mut());
/// A module is being initialised: callbacks have nothing to do.
pub(crate) static PRIMING: AtomicBool = AtomicBool::new(false);

/// Runs a task from its start to its reply, which is in its block then.
///
/// # Safety
/// `worker` must be the worker of this process, set by [`install`], and not borrowed.
///
/// What C calls meanwhile ([`super::callbacks`]) borrows it anew: whole where COBOL of a level
/// runs, when nobody here has it, and its arena alone where modules initialise or cancel
/// themselves.
pub(crate) unsafe fn run_task(worker: *mut Worker, block: &TaskBlock) {
    // SAFETY: by the caller; each borrow below ends before COBOL can run and call back.
    let start = {
        let w = unsafe { &mut *worker };
        output::of(w.host.task_number, w.host.segment);
        let facts = Facts::of(block, w.host.task_number, w.host.quasirent);
        let started = payload::take_input(w.host.segment, block, facts, |input| {
            w.commands
                .task_start(&mut w.host, &task_start(facts, input))
        });
        // Nothing has been done, and whose block this is nobody can say.
        started.unwrap_or_else(|| link::damaged_task(&w.host.slot().view))
    };
    let mut end = match start {
        Err((code, text)) => TaskEnd::Abend(code, text),
        // SAFETY: as above.
        Ok((module, area)) => match unsafe { run_level(worker, module, area) } {
            Left::End(end) => end,
            Left::Returned | Left::To(..) => TaskEnd::Normal,
        },
    };
    // While it is known whose task says it.
    output::flush();
    // SAFETY: as above; no COBOL runs any more.
    let w = unsafe { &mut *worker };
    w.levels.clear();
    w.documents = Default::default();
    if let Some((_, text)) = w.host.fault.take()
        && end == TaskEnd::Normal
    {
        end = TaskEnd::Abend(AbendCode::ASRA, text);
    }
    let reply = w.commands.task_end(&mut w.host, &end);
    store_end(&w.host, block, &end, &reply);
    w.host.drop_stand_ins();
    w.host.fault.take();
    w.host.modules.unbind_all();
    w.retire |= w.jumps > MAX_JUMPS || has_grown(w);
}

fn task_start(facts: Facts, input: &[u8]) -> TaskStart<'_> {
    TaskStart {
        task_number: facts.number,
        transid: TransId::from_field(&facts.transid.to_le_bytes()),
        program: ProgramName::from_field(&facts.program.to_le_bytes()),
        userid: UserId::from_field(&facts.userid.to_le_bytes()),
        input,
    }
}

/// The heap is much larger than when it was looked at first.
fn has_grown(w: &mut Worker) -> bool {
    w.tasks = w.tasks.wrapping_add(1);
    if !w.tasks.is_multiple_of(HEAP_LOOK_TASKS) {
        return false;
    }
    let now = edge::heap_bytes();
    let first = *w.heap.get_or_insert(now);
    now > first + HEAP_GROWTH_MAX
}

/// Makes a worker known to the callbacks.
pub(crate) fn install(worker: *mut Worker) {
    WORKER.store(worker, Ordering::Release);
}

/// # Safety
/// As [`run_task`].
unsafe fn run_level(worker: *mut Worker, module: Module, area: Area) -> Left {
    // SAFETY (here and below): the worker is alive; borrows end before COBOL runs.
    let w = unsafe { &mut *worker };
    w.levels.push(Level {
        main: None,
        called: Vec::new(),
        quasirent: module.quasirent,
        cics_key: module.cics_key || module.is_supplied(),
    });
    let me = w.levels.len() - 1;
    // SAFETY: as above.
    let left = unsafe { run_programs(worker, me, module, area) };
    // SAFETY: as above; the COBOL frames of this level are gone.
    let w = unsafe { &mut *worker };
    w.release_instances(false);
    w.levels.pop();
    if let Some(below) = w.levels.last() {
        w.host.set_mode(below.quasirent);
        w.host.set_key(below.cics_key);
    }
    left
}

/// The programs of one level: the first, what it XCTLs to, and where abends resume.
///
/// # Safety
/// As [`run_task`].
unsafe fn run_programs(worker: *mut Worker, me: usize, module: Module, area: Area) -> Left {
    let (mut module, mut area, mut label) = (module, area, None);
    loop {
        let next = if module.is_supplied() {
            // SAFETY: as in `run_level`.
            unsafe { run_supplied(worker, &module, area) }
        } else {
            // SAFETY: as in `run_level`.
            let how = unsafe { run_program(worker, &module, area, label.take()) };
            // SAFETY: as in `run_level`.
            unsafe { (*worker).next_after(how) }
        };
        // SAFETY: as in `run_level`.
        let w = unsafe { &mut *worker };
        match next {
            Next::Return => return Left::Returned,
            Next::End(end) => return Left::End(end),
            Next::To(level, resume) if level < me => return Left::To(level, resume),
            Next::To(_, Resume::Label(to)) => {
                w.release_instances(true);
                label = Some(to);
            }
            Next::To(_, Resume::Program(to, with)) | Next::Xctl(to, with) => {
                w.release_instances(false);
                (module, area) = (to, with);
            }
        }
    }
}

/// Runs a program that is part of the region: no module, no COBOL, the same levels and abends.
///
/// # Safety
/// As [`run_task`].
unsafe fn run_supplied(worker: *mut Worker, module: &Module, area: Area) -> Next {
    loop {
        let outcome = {
            // SAFETY: as in `run_level`.
            let w = unsafe { &mut *worker };
            w.host.set_mode(module.quasirent);
            w.host.set_key(true);
            let ran = catch_unwind(AssertUnwindSafe(|| {
                w.commands.supplied(&mut w.host, module, area)
            }));
            let outcome = ran.unwrap_or_else(|panic| {
                w.retire = true;
                let text = format!("internal error: {}", panic_text(&*panic));
                Outcome::Abend(AbendCode::ASRA, text)
            });
            w.after_command(outcome, None, 0)
        };
        match outcome {
            Outcome::Continue | Outcome::Return | Outcome::Branch(_) => return Next::Return,
            Outcome::Again => {}
            Outcome::Xctl(module, area) => return Next::Xctl(module, area),
            // SAFETY: as in `run_level`.
            Outcome::Abend(code, text) => return unsafe { (*worker).abend(code, &text) },
            // SAFETY: as in `run_level`.
            Outcome::Link(module, area) => match unsafe { run_level(worker, module, area) } {
                Left::Returned => {
                    // SAFETY: as in `run_level`.
                    let w = unsafe { &mut *worker };
                    w.commands.level_ended(&mut w.host);
                }
                Left::To(level, resume) => return Next::To(level, resume),
                Left::End(end) => return Next::End(end),
            },
        }
    }
}

/// Runs one program in the highest level, from its start or from a label.
///
/// # Safety
/// As [`run_task`].
unsafe fn run_program(
    worker: *mut Worker,
    module: &Module,
    area: Area,
    label: Option<u16>,
) -> Result<c_int, RunError> {
    let (entry, eib) = {
        // SAFETY: as in `run_level`.
        let w = unsafe { &mut *worker };
        w.host.set_mode(module.quasirent);
        w.host.set_key(module.cics_key);
        if w.levels.len() > MAX_LINK_LEVELS {
            return Err(RunError::Levels(MAX_LINK_LEVELS));
        }
        let Some(level) = w.levels.last_mut() else {
            return Err(RunError::NoLevel);
        };
        level.quasirent = module.quasirent;
        level.cics_key = module.cics_key;
        let id = match (label, level.main) {
            (Some(_), Some(id)) if w.host.modules.has_entry(id) => id,
            (Some(_), _) => return Err(RunError::NoLabel),
            _ => {
                PRIMING.store(true, Ordering::Relaxed);
                let bound = w.host.modules.bind(module);
                PRIMING.store(false, Ordering::Relaxed);
                let id = bound.map_err(RunError::Load)?;
                level.main = Some(id);
                id
            }
        };
        if label.is_none() {
            w.begins(id);
        }
        edge::resume_at(label.unwrap_or(0));
        (w.host.modules.entry(id), w.first_argument(area))
    };
    // SAFETY: the instance is bound to this level only, so the program is not active; the EIB has
    // 85 bytes and the area is what the commands said.
    Ok(unsafe { edge::run_level(entry, eib, area.address as *mut u8, false) })
}

/// One EXEC CICS command or EXEC SQL statement, from the C edge.
///
/// # Safety
/// Called by `TXMEXEC` only, with a descriptor of `bytes` bytes and `count` arguments.
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_dispatch(
    descriptor: *const u8,
    bytes: usize,
    arguments: *const Argument,
    count: c_int,
) -> c_int {
    let worker = WORKER.load(Ordering::Acquire);
    // SAFETY: by the caller; both outlive this call.
    let (descriptor, arguments) = unsafe {
        let count = usize::try_from(count).unwrap_or(0);
        let arguments: &[Argument] = if count == 0 {
            &[]
        } else {
            std::slice::from_raw_parts(arguments, count)
        };
        (std::slice::from_raw_parts(descriptor, bytes), arguments)
    };
    // SAFETY: the worker lives as long as the process and no Rust frame above holds a borrow.
    let done = catch_unwind(AssertUnwindSafe(|| unsafe {
        dispatch(worker, descriptor, arguments)
    }));
    done.unwrap_or_else(|panic| {
        let what = panic_text(&*panic);
        // SAFETY: as above; the borrows of the panicked frames are gone.
        let w = unsafe { &mut *worker };
        link::log(
            link::LOG_WORKERS,
            w.host.of_task(),
            messages::wk::internal_error(&what).line(),
        );
        w.retire = true;
        let text = format!("internal error: {what}");
        w.pending = Some(Next::End(TaskEnd::Abend(AbendCode::ASRA, text)));
        edge::DO_UNWIND
    })
}

impl Worker {
    /// Runs a command; answers also which CALLed program issued it, 0 for the level's own.
    #[inline]
    fn execute(&mut self, view: View<'_>, arguments: &[Argument]) -> (Outcome, usize) {
        let main = self.levels.last().and_then(|level| level.main);
        let owner = main.map(|id| self.host.modules.entry(id));
        let running = edge::current_entry();
        let caller = if owner == Some(running) {
            0
        } else {
            running as usize
        };
        let mut call = ExecCall::new(view, arguments, caller);
        let outcome = self.commands.execute(&mut self.host, &mut call);
        let bad = call.was_bad();
        (self.after_command(outcome, bad, call.line()), caller)
    }
}

/// # Safety
/// As [`txm_dispatch`].
unsafe fn dispatch(worker: *mut Worker, descriptor: &[u8], arguments: &[Argument]) -> c_int {
    if descriptor.starts_with(&sql::MAGIC) {
        // SAFETY: as in `run_level`.
        return unsafe { &mut *worker }.execute_sql(descriptor, arguments);
    }
    if descriptor.starts_with(&super::file_call::MAGIC) {
        // SAFETY: as in `run_level`.
        return unsafe { &mut *worker }.execute_file(arguments);
    }
    if descriptor.starts_with(&transom_documents::MAGIC) {
        // SAFETY: as in `run_level`.
        return unsafe { &mut *worker }.document_step(descriptor, arguments);
    }
    let Some(view) = View::new(descriptor) else {
        // SAFETY: as in `run_level`.
        let w = unsafe { &mut *worker };
        let next = w.abend(AbendCode::ASRA, "the command descriptor was overwritten");
        w.pending = Some(next);
        return edge::DO_UNWIND;
    };
    // SAFETY: as in `run_level`.
    let (mut outcome, caller) = unsafe { &mut *worker }.execute(view, arguments);
    loop {
        // SAFETY: as in `run_level`.
        let w = unsafe { &mut *worker };
        let next = match outcome {
            Outcome::Continue => return 0,
            Outcome::Again => {
                outcome = w.execute(view, arguments).0;
                continue;
            }
            Outcome::Branch(label) => return c_int::from(label),
            Outcome::Return => {
                if view.flags() & FLAG_GOBACK != 0 && caller == 0 {
                    return edge::DO_GOBACK;
                }
                Next::Return
            }
            Outcome::Xctl(module, area) => Next::Xctl(module, area),
            Outcome::Abend(code, text) => w.abend(code, &text),
            // SAFETY: as in `run_level`; `w` is not used after this.
            Outcome::Link(module, area) => match unsafe { run_level(worker, module, area) } {
                Left::Returned => {
                    // SAFETY: as in `run_level`.
                    let w = unsafe { &mut *worker };
                    let ended = w.commands.level_ended(&mut w.host);
                    outcome = w.after_command(ended, None, view.line());
                    continue;
                }
                Left::To(level, resume) => Next::To(level, resume),
                Left::End(end) => Next::End(end),
            },
        };
        // SAFETY: as in `run_level`.
        unsafe { (*worker).pending = Some(next) };
        return edge::DO_UNWIND;
    }
}

/// Stores the reply of a task in its block, from the storage it lies in.
fn store_end(host: &WorkerHost, block: &TaskBlock, end: &TaskEnd, reply: &Reply) {
    let (code, text) = match end {
        TaskEnd::Normal => (0, ""),
        TaskEnd::Abend(code, text) => (u32::from_le_bytes(*code.as_bytes()), text.as_str()),
    };
    let number = host.task_number;
    if !payload::store_reply(
        host.segment,
        block,
        (number, code, text),
        &reply.parts(host),
    ) {
        let text = "no shared storage for the reply of the task";
        let code = u32::from_le_bytes(*b"ASCR");
        payload::store_reply(host.segment, block, (number, code, text), &[]);
    }
}
