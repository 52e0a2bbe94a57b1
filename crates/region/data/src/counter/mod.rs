//! Named counters: numbers that every task of the region draws from.
//!
//! What: one group per pool and name, which the region alone writes, and the same in the store: a
//! counter outlives its region, however it ends. COUNTER commands see a signed fullword,
//! DCOUNTER commands an unsigned doubleword of the same counter. A counter is at its limit when its
//! value is one above the maximum. Source: the public text of the named counter commands.
//! RESP2: SUPPRESSED 101 (at its limit), 102 (REWIND: not at its limit), 103 (COMPAREMIN /
//! COMPAREMAX); INVREQ 201 (no such counter), 202 (exists already), 303 (the store did not take the
//! change), 306 (shared storage is full), 403 (pool name), 404 (counter name), 405 (VALUE or
//! INCREMENT outside the range), 406 (MINIMUM above MAXIMUM); LENGERR 1 (value does not fit a
//! fullword; its low 32 bits are stored).

pub(crate) mod define;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod query;
pub(crate) mod rewind;
pub(crate) mod update;
mod value;
