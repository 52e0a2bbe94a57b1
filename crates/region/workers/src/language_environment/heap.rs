//! Heap storage: CEEGTST, CEEFRST, CEECZST.
//!
//! What: storage of the task, cleared; it goes back with the task at the latest. The only heap is
//! 0, the initial one. Not here: GETMAIN, whose storage these services do not know.

use super::arguments::{Arguments, Condition};
use crate::seam::Host;
use crate::worker::current::with_host;
use crate::worker::host::WorkerHost;

const NO_HEAP: Condition = Condition::severe(803);
const BAD_SIZE: Condition = Condition::severe(808);
const NOT_HEAP_STORAGE: Condition = Condition::severe(810);
const NO_STORAGE: Condition = Condition::severe(813);

/// CEEGTST: storage of a heap.
pub(super) fn ceegtst(of: &Arguments<'_>) -> Result<(), Condition> {
    of.store_number(2, 0);
    if i32::from_be_bytes(of.bytes(0)) != 0 {
        return Err(NO_HEAP);
    }
    let bytes = size(of.bytes(1))?;
    let at = with_host(|host| get(host, bytes)).flatten();
    of.store_number(2, at.ok_or(NO_STORAGE)? as i64);
    Ok(())
}

/// CEEFRST: frees it.
pub(super) fn ceefrst(of: &Arguments<'_>) -> Result<(), Condition> {
    let at = u32::from_be_bytes(of.bytes(0)) as usize;
    match with_host(|host| free(host, at)) {
        Some(true) => Ok(()),
        _ => Err(NOT_HEAP_STORAGE),
    }
}

/// CEECZST: changes its size; what it holds goes along.
pub(super) fn ceeczst(of: &Arguments<'_>) -> Result<(), Condition> {
    let at = u32::from_be_bytes(of.bytes(0)) as usize;
    let bytes = size(of.bytes(1))?;
    let moved = with_host(|host| {
        let Some(before) = host.enclave.blocks.get(&at).copied() else {
            return Err(NOT_HEAP_STORAGE);
        };
        let to = get(host, bytes).ok_or(NO_STORAGE)?;
        let kept = before.min(bytes);
        // SAFETY: both blocks are in use, at least as long, and do not overlap.
        unsafe { std::ptr::copy_nonoverlapping(at as *const u8, to as *mut u8, kept) };
        free(host, at);
        Ok(to)
    });
    of.store_number(0, moved.unwrap_or(Err(NOT_HEAP_STORAGE))? as i64);
    Ok(())
}

fn size(bytes: [u8; 4]) -> Result<usize, Condition> {
    let bytes = usize::try_from(i32::from_be_bytes(bytes)).ok();
    bytes.filter(|bytes| *bytes > 0).ok_or(BAD_SIZE)
}

fn get(host: &mut WorkerHost, bytes: usize) -> Option<usize> {
    let at = host.getmain(bytes, None)?;
    host.enclave.blocks.insert(at, bytes);
    Some(at)
}

fn free(host: &mut WorkerHost, at: usize) -> bool {
    host.enclave.blocks.remove(&at).is_some() && host.freemain(at)
}
