//! Named counters: numbers that every task of the region draws from.
//!
//! What: one group per pool and name, which the region alone writes, and the same in the store: a
//! counter outlives its region, however it ends. COUNTER commands see a signed fullword,
//! DCOUNTER commands an unsigned doubleword of the same counter. A counter is at its limit when its
//! value is one above the maximum. Source: the public text of the named counter commands.
//! RESP2 values stand with the commands.

pub(crate) mod define;
pub(crate) mod delete;
pub(crate) mod get;
pub(crate) mod query;
pub(crate) mod rewind;
pub(crate) mod update;
mod value;
