//! System programming: INQUIRE and SET of programs, transactions, tasks and the system.
//!
//! What this region does not have is answered as CICS does for a resource without it: blanks, zero
//! or NOTAPPLIC. Not here: changing definitions (asked of the region, see `requests`).

mod answer;
pub(crate) mod association;
mod browse;
mod change;
pub(crate) mod collect;
pub(crate) mod create;
pub(crate) mod db2;
pub(crate) mod discard;
pub(crate) mod dsname;
pub(crate) mod dump_code;
pub(crate) mod file;
pub(crate) mod installed;
pub(crate) mod journal;
pub(crate) mod journal_model;
pub(crate) mod kind;
pub(crate) mod monitor;
pub(crate) mod program;
pub(crate) mod recording;
pub(crate) mod region_facts;
pub(crate) mod reqid;
pub(crate) mod statistics;
pub(crate) mod system;
pub(crate) mod task;
pub(crate) mod tdqueue;
pub(crate) mod terminal;
pub(crate) mod trace;
pub(crate) mod transaction;
pub(crate) mod tsqueue;
pub(crate) mod uowenq;

pub(crate) use transom_region_task::inquire as state;
