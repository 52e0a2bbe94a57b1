//! Buffers that each serving thread keeps for reuse, so that a request allocates nothing of size.

use std::cell::RefCell;

/// Buffers a thread keeps for reuse.
const POOLED_BUFFERS: usize = 64;
/// A buffer grown beyond this is given back to the allocator, bytes.
const POOLED_BYTES: usize = 256 * 1024;

thread_local! {
    static POOL: RefCell<Vec<Vec<u8>>> = const { RefCell::new(Vec::new()) };
}

/// An empty buffer of this thread's pool.
pub(crate) fn take_buffer() -> Vec<u8> {
    POOL.with_borrow_mut(Vec::pop).unwrap_or_default()
}

/// Gives a buffer back.
pub(crate) fn give_buffer(mut buffer: Vec<u8>) {
    if buffer.capacity() == 0 || buffer.capacity() > POOLED_BYTES {
        return;
    }
    buffer.clear();
    // The thread may be ending: then the buffer simply goes.
    let _ = POOL.try_with(|pool| {
        let mut pool = pool.borrow_mut();
        if pool.len() < POOLED_BUFFERS {
            pool.push(buffer);
        }
    });
}
