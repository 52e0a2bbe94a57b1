//! Temporary storage queues.
//!
//! A queue whose TSMODEL has RECOVERY(YES) lies in the store, where it is part of units of work and
//! outlives the region; all others, MAIN or AUXILIARY, are one group of shared memory each, of
//! which an orderly end keeps the auxiliary ones: item 0 is the header, items 1 to 32,767 are the
//! queue's items. Not here: recoverable queues (region side), queues of other regions (SYSIDERR).
//!
//! A queue whose model has EXPIRYINT is deleted when a command names it after that time without
//! use.

pub(crate) mod deleteq;
mod queue;
pub(crate) mod readq;
pub(crate) mod spill;
pub(crate) mod writeq;
