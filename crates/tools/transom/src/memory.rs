//! Memory that nobody uses is not taken, or goes back to the system, also while there is nothing to
//! do.
//!
//! Why: a huge page is taken as a whole, and a terminal that waits then costs twice what it has;
//! the allocator keeps what was freed for a second and then waits for somebody who asks for a
//! large piece; after a peak nobody may ask for hours, and what thousands of connections had taken
//! stays. Not here: what keeps memory on purpose (caches, buffers of a pool).

use std::hint::black_box;
use std::io;
use std::time::Duration;

/// How often it is asked for a large piece.
const EVERY: Duration = Duration::from_secs(5);
/// What counts as large. It is never touched, so it takes no memory.
const LARGE_BYTES: usize = 8 << 20;

/// This process has no huge pages from now on. Call it before there is much in the heap. A system
/// that has none, or refuses, leaves all as it was.
pub(crate) fn in_small_pages() {
    let _as_it_was = rustix::thread::disable_transparent_huge_pages(true);
}

/// Begins to ask the allocator now and then, for a process that serves.
pub(crate) fn give_back() -> io::Result<()> {
    let ask = || {
        loop {
            std::thread::sleep(EVERY);
            drop(black_box(Vec::<u8>::with_capacity(LARGE_BYTES)));
        }
    };
    let thread = std::thread::Builder::new().name("memory".to_owned());
    thread.spawn(ask).map(drop)
}
