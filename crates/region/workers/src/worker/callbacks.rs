//! What COBOL asks of the worker beside commands: CALL, CANCEL, initialisation, DISPLAY.
//!
//! Each function is called from C with signals deferred; see [`super::run`] for the rules of
//! borrowing the worker.

use super::link;
use super::run::{PRIMING, WORKER};
use std::ffi::{c_char, c_int, c_void};
use std::sync::atomic::Ordering;
use transom_messages as messages;
use transom_types::ProgramName;

/// Answer of [`txm_resolve`]: the program is there but cannot be used.
const UNUSABLE: usize = usize::MAX;

/// A CALL by name, from the C edge: entry of the subprogram or null.
///
/// # Safety
/// `name` must have `bytes` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_resolve(name: *const c_char, bytes: usize) -> *mut c_void {
    let worker = WORKER.load(Ordering::Acquire);
    if worker.is_null() || PRIMING.load(Ordering::Relaxed) {
        return std::ptr::null_mut();
    }
    // SAFETY: by the caller; COBOL of a level has made this CALL, since a module that initialises
    // itself finds nothing (`PRIMING`), and no Rust frame below has a borrow of the worker.
    let (name, w) = unsafe {
        (
            std::slice::from_raw_parts(name.cast::<u8>(), bytes),
            &mut *worker,
        )
    };
    let Ok(name) = std::str::from_utf8(name) else {
        return std::ptr::null_mut();
    };
    let Some(level) = w.levels.last_mut() else {
        return std::ptr::null_mut();
    };
    if let Some((_, id)) = level.called.iter().find(|(n, _)| n == name) {
        return w.host.modules.entry(*id);
    }
    let mut module = w.host.modules.find_called(name);
    if module.is_none() {
        if let Some(service) = super::services::entry(name) {
            return service;
        }
        let program = ProgramName::new(name);
        if program.is_ok_and(|program| w.commands.late_module(&mut w.host, program)) {
            module = w.host.modules.find_called(name);
        }
    }
    let Some(module) = module else {
        return std::ptr::null_mut();
    };
    PRIMING.store(true, Ordering::Relaxed);
    let bound = w.host.modules.bind(&module);
    PRIMING.store(false, Ordering::Relaxed);
    match bound {
        Ok(id) => {
            level.called.push((name.to_owned(), id));
            w.host.modules.entry(id)
        }
        Err(text) => {
            let text = messages::wk::call_failed(name, &text);
            link::log(link::LOG_WORKERS, w.host.of_task(), text.line());
            UNUSABLE as *mut c_void
        }
    }
}

/// A CANCEL by name: 1 when the program is one of this level.
///
/// # Safety
/// As [`txm_resolve`].
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_cancel(name: *const c_char, bytes: usize) -> c_int {
    let worker = WORKER.load(Ordering::Acquire);
    if worker.is_null() || PRIMING.load(Ordering::Relaxed) {
        return 0;
    }
    // SAFETY: as in `txm_resolve`.
    let (name, w) = unsafe {
        (
            std::slice::from_raw_parts(name.cast::<u8>(), bytes),
            &mut *worker,
        )
    };
    let Some(level) = w.levels.last() else {
        return 0;
    };
    match level.called.iter().find(|(n, _)| n.as_bytes() == name) {
        Some((_, id)) => {
            w.host.modules.cancel(*id);
            1
        }
        None => 0,
    }
}

/// A program initialised itself.
///
/// # Safety
/// `module` must be its live `cob_module`.
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_initialised(module: *mut c_void, code: *mut c_void) {
    let worker = WORKER.load(Ordering::Acquire);
    if worker.is_null() || PRIMING.load(Ordering::Relaxed) {
        return;
    }
    // SAFETY: not while Rust has a module initialise itself (`PRIMING`), so COBOL of a level runs,
    // and no Rust frame below has a borrow.
    unsafe { (*worker).host.modules.initialised(module, code as usize) };
}

/// Task storage for a program itself, from the C edge; null when there is none.
#[unsafe(no_mangle)]
extern "C" fn txm_storage(bytes: usize) -> *mut c_void {
    let worker = WORKER.load(Ordering::Acquire);
    if worker.is_null() {
        return std::ptr::null_mut();
    }
    // SAFETY: the worker lives as long as the process. Either COBOL runs, or Rust has a module
    // initialise or cancel itself and has borrowed the modules for it: the arena alone is used
    // here, and nothing in Rust keeps a reference into it while C is called.
    let at = unsafe { (*worker).host.arena.allocate(bytes, Some(0)) };
    at.map_or(std::ptr::null_mut(), |at| at as *mut c_void)
}

/// Takes storage of [`txm_storage`] back: 0 when it is none of ours.
#[unsafe(no_mangle)]
extern "C" fn txm_give_back(address: *mut c_void) -> c_int {
    let worker = WORKER.load(Ordering::Acquire);
    if worker.is_null() {
        return 0;
    }
    // SAFETY: as in `txm_storage`.
    let arena = unsafe { &mut (*worker).host.arena };
    let ours = arena.holds(address as usize);
    if ours {
        // What a jump left behind may be freed a second time; nothing happens then.
        arena.release(address as usize);
    }
    c_int::from(ours)
}

/// Output of DISPLAY.
///
/// # Safety
/// `bytes` must have `length` bytes.
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_output(stream: c_int, bytes: *const c_char, length: usize) {
    // SAFETY: by the caller.
    let bytes = unsafe { std::slice::from_raw_parts(bytes.cast::<u8>(), length) };
    super::output::write(stream, bytes);
}
