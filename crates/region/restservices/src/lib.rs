//! Db2's REST services: one SQL statement under a name, kept in the database, run for users.
//!
//! What: [`RestServiceManager`], the facet `RestServices` of the front desk over the database of
//! EXEC SQL. Begin at [`manager`]. Why a room: on z/OS the distributed data facility of Db2 does
//! it, beside CICS and without tasks; here too no part of a region needs to know of it. Not here:
//! HTTP and JSON (`doors/dbrest`), SQL and engines (`region/sql`), passwords (the region).

#![forbid(unsafe_code)]

mod authority;
mod catalog;
mod kept;
mod lent;
pub mod manager;
mod names;
mod pace;
mod run;
mod statement;
mod threads;
mod values;

pub use manager::{RestConfig, RestServiceManager};
