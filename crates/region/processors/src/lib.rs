//! Which processor a region and its workers run on.
//!
//! What: [`Together`] keeps those that take turns on one processor. Why a room: it is told who had
//! work and asks the system, knows no task and no shared memory, and is tested with processors of
//! its own; the room of the workers was full
//! (`docs/decisions/0081-processors-leave-the-workers.md`). Not here: who runs next
//! (`region/workers`).

#![expect(unsafe_code, reason = "calls of the system about processors")]

mod together;

pub use together::{Found, LOOK, Processors, Together, all_processors};
