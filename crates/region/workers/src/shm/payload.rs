//! Inputs and replies of tasks: in the task block, or in the heap when larger.

use super::Segment;
use super::layout::{INLINE_BYTES, TEXT_BYTES, TaskBlock};
use std::sync::atomic::Ordering::SeqCst;

/// Stores the payload of a task; frees what was there. `false`: no room, nothing stored.
pub(crate) fn store(segment: &Segment, block: &TaskBlock, bytes: &[u8]) -> bool {
    let at = if bytes.len() <= INLINE_BYTES {
        // SAFETY: the owner of the block is the only writer; the length fits.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), block.inline.get().cast(), bytes.len());
        }
        0
    } else {
        match segment.heap().allocate(bytes.len()) {
            Some(at) => {
                segment.write(at, bytes);
                at
            }
            None => return false,
        }
    };
    let old = block.payload_at.swap(at, SeqCst);
    block.payload_bytes.store(bytes.len() as u32, SeqCst);
    if old != 0 {
        segment.heap().free(old);
    }
    true
}

/// A copy of the payload.
pub(crate) fn load(segment: &Segment, block: &TaskBlock) -> Vec<u8> {
    let bytes = block.payload_bytes.load(SeqCst) as usize;
    match block.payload_at.load(SeqCst) {
        0 => {
            let bytes = bytes.min(INLINE_BYTES);
            // SAFETY: the owner of the block is the only writer, and it is us.
            unsafe { std::slice::from_raw_parts(block.inline.get().cast::<u8>(), bytes) }.to_vec()
        }
        at => segment
            .slice(at, bytes)
            .map_or_else(Vec::new, <[u8]>::to_vec),
    }
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
