//! Task control: waiting, and resources tasks enqueue upon.
//!
//! What: the lock of one resource in shared memory with its owner and waiters, and what happens
//! when a task ends or dies holding some. A resource that becomes free is handed to its first
//! waiter, so nobody is overtaken. Not here: the commands (one file each), which task runs when
//! (region side), deadlock by other means than time: a task waits until DTIMOUT, as on CICS.

pub(crate) mod association;
pub(crate) mod change_task;
pub(crate) mod deq;
pub(crate) mod enq;
pub(crate) mod events;
pub(crate) mod suspend;
pub(crate) mod wait;

pub(crate) use transom_region_task::enqueue as state;
