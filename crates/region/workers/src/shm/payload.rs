//! Inputs and replies of tasks: in the task block, or in the heap when larger.

use super::Segment;
use super::layout::{INLINE_BYTES, TEXT_BYTES, TaskBlock};
use std::sync::atomic::Ordering::SeqCst;

/// What a copy of a payload has to spare: the vector goes on, and the next task's input ends with
/// more than a reply does.
const SPARE_BYTES: usize = 64;

/// Stores the payload of a task, the parts one behind the other; frees what was there. `false`: no
/// room, nothing stored.
pub(crate) fn store(segment: &Segment, block: &TaskBlock, parts: &[&[u8]]) -> bool {
    let bytes = parts.iter().map(|part| part.len()).sum();
    let at = if bytes <= INLINE_BYTES {
        let mut to = block.inline.get().cast::<u8>();
        for part in parts {
            // SAFETY: the owner of the block is the only writer; all parts together fit.
            unsafe {
                std::ptr::copy_nonoverlapping(part.as_ptr(), to, part.len());
                to = to.add(part.len());
            }
        }
        0
    } else {
        let Some(at) = segment.heap().allocate(bytes) else {
            return false;
        };
        let mut to = at;
        for part in parts {
            segment.write(to, part);
            to += part.len() as u64;
        }
        at
    };
    let old = block.payload_at.swap(at, SeqCst);
    block.payload_bytes.store(bytes as u32, SeqCst);
    if old != 0 {
        segment.heap().free(old);
    }
    true
}

/// Looks at the payload where it lies; `look` stores no other one.
pub(crate) fn look<T>(segment: &Segment, block: &TaskBlock, look: impl FnOnce(&[u8]) -> T) -> T {
    let bytes = block.payload_bytes.load(SeqCst) as usize;
    match block.payload_at.load(SeqCst) {
        0 => {
            let bytes = bytes.min(INLINE_BYTES);
            // SAFETY: the owner of the block is the only writer, and it is us; a stray store of a
            // program can change bytes but they stay bytes.
            look(unsafe { std::slice::from_raw_parts(block.inline.get().cast::<u8>(), bytes) })
        }
        at => look(segment.slice(at, bytes).unwrap_or_default()),
    }
}

/// A copy of the payload.
pub(crate) fn load(segment: &Segment, block: &TaskBlock) -> Vec<u8> {
    look(segment, block, |bytes| {
        let mut copy = Vec::with_capacity(bytes.len() + SPARE_BYTES);
        copy.extend_from_slice(bytes);
        copy
    })
}

/// Gives back what the block has in the heap.
pub(crate) fn clear(segment: &Segment, block: &TaskBlock) {
    for at in [&block.payload_at, &block.ask_at] {
        let at = at.swap(0, SeqCst);
        if at != 0 {
            segment.heap().free(at);
        }
    }
}

/// Stores a zero-ended text, cut to the room there is.
pub(crate) fn set_text(cell: &std::cell::UnsafeCell<[u8; TEXT_BYTES]>, text: &str) {
    let n = text.len().min(TEXT_BYTES - 1);
    // SAFETY: only the owner of the block or slot calls this; `n` fits.
    unsafe {
        let to = cell.get().cast::<u8>();
        std::ptr::copy_nonoverlapping(text.as_ptr(), to, n);
        *to.add(n) = 0;
    }
}

/// Reads a zero-ended text.
pub(crate) fn text(cell: &std::cell::UnsafeCell<[u8; TEXT_BYTES]>) -> String {
    // SAFETY: bytes in mapped memory; the writer is done or dead.
    let bytes = unsafe { &*cell.get() };
    let end = bytes.iter().position(|b| *b == 0).unwrap_or(TEXT_BYTES);
    String::from_utf8_lossy(&bytes[..end]).into_owned()
}
