//! Heap storage: CEEGTST, CEEFRST, CEECZST; heaps: CEECRHP, CEEDSHP.
//!
//! What: storage of the task, cleared; it goes back with the task at the latest. Heap 0 is the
//! initial one, others are made and go back as a whole. Not here: GETMAIN, whose storage these
//! services do not know.

use super::arguments::{Arguments, Condition};
use super::enclave::{Block, Task};

const NO_HEAP: Condition = Condition::severe(803);
const BAD_INITIAL_SIZE: Condition = Condition::severe(804);
const BAD_INCREMENT: Condition = Condition::severe(805);
const BAD_OPTIONS: Condition = Condition::severe(806);
const BAD_SIZE: Condition = Condition::severe(808);
const NOT_HEAP_STORAGE: Condition = Condition::severe(810);
const INITIAL_HEAP: Condition = Condition::severe(812);
const NO_STORAGE: Condition = Condition::severe(813);
/// Most heaps of a task.
const HEAPS_MAX: usize = 10_000;

/// CEEGTST: storage of a heap.
pub(super) fn ceegtst(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    of.store_number(2, 0);
    let heap = i32::from_be_bytes(of.bytes(0));
    let bytes = i32::from_be_bytes(of.bytes(1));
    if heap != 0 && !task.enclave.heaps.contains(&heap) {
        return Err(NO_HEAP);
    }
    let at = get(task, size(bytes)?, heap).ok_or(NO_STORAGE)?;
    of.store_number(2, at as i64);
    Ok(())
}

/// CEEFRST: frees it.
pub(super) fn ceefrst(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let at = u32::from_be_bytes(of.bytes(0)) as usize;
    match free(task, at) {
        true => Ok(()),
        false => Err(NOT_HEAP_STORAGE),
    }
}

/// CEECZST: changes its size; what it holds goes along.
pub(super) fn ceeczst(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let at = u32::from_be_bytes(of.bytes(0)) as usize;
    let bytes = size(i32::from_be_bytes(of.bytes(1)))?;
    let Some(before) = task.enclave.blocks.get(&at).copied() else {
        return Err(NOT_HEAP_STORAGE);
    };
    let to = get(task, bytes, before.heap).ok_or(NO_STORAGE)?;
    let kept = before.bytes.min(bytes);
    // SAFETY: both blocks are in use, at least as long, and do not overlap.
    unsafe { std::ptr::copy_nonoverlapping(at as *const u8, to as *mut u8, kept) };
    free(task, at);
    of.store_number(0, to as i64);
    Ok(())
}

/// CEECRHP: a heap. Its sizes are how z/OS asks for storage, which is not asked for here.
pub(super) fn ceecrhp(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let number = |n| i32::from_be_bytes(of.bytes(n));
    let (initial, increment, options) = (number(1), number(2), number(3));
    if initial < 0 {
        return Err(BAD_INITIAL_SIZE);
    }
    if increment < 0 {
        return Err(BAD_INCREMENT);
    }
    if !matches!(options, 0 | 1 | 70..=80) {
        return Err(BAD_OPTIONS);
    }
    if task.enclave.heaps.len() >= HEAPS_MAX {
        return Err(NO_STORAGE);
    }
    task.enclave.last_heap += 1;
    task.enclave.heaps.insert(task.enclave.last_heap);
    of.store_number(0, i64::from(task.enclave.last_heap));
    Ok(())
}

/// CEEDSHP: frees a heap and all storage of it.
pub(super) fn ceedshp(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let heap = i32::from_be_bytes(of.bytes(0));
    if heap == 0 {
        return Err(INITIAL_HEAP);
    }
    if !task.enclave.heaps.remove(&heap) {
        return Err(NO_HEAP);
    }
    let blocks = task.enclave.blocks.iter();
    let blocks = blocks.filter(|(_, block)| block.heap == heap);
    let places: Vec<usize> = blocks.map(|(at, _)| *at).collect();
    for at in places {
        free(task, at);
    }
    Ok(())
}

fn size(bytes: i32) -> Result<usize, Condition> {
    let bytes = usize::try_from(bytes).ok();
    bytes.filter(|bytes| *bytes > 0).ok_or(BAD_SIZE)
}

fn get(task: &mut Task<'_>, bytes: usize, heap: i32) -> Option<usize> {
    let at = task.process.getmain(bytes)?;
    task.enclave.blocks.insert(at, Block { bytes, heap });
    Some(at)
}

fn free(task: &mut Task<'_>, at: usize) -> bool {
    task.enclave.blocks.remove(&at).is_some() && task.process.freemain(at)
}
