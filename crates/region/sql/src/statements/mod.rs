//! Statements of a task on any engine.
//!
//! What: a session keeps what Db2 knows of a task, its schemas, cursors, prepared statements and
//! savepoints, and asks a [`Driver`] for what an engine does: run a text, begin, commit. Why: what
//! a statement means is Db2's and the same on each engine. Begin at `session`. Not here: how an
//! engine is reached, what its errors mean.

mod answers;
mod bind;
mod catalog;
mod cursor;
mod cursors;
mod driver;
mod dynamic;
mod names;
mod plan;
mod qualifiers;
mod read;
mod registers;
mod requests;
mod rows;
mod run;
mod savepoints;
mod script;
mod session;
mod texts;

pub(crate) use answers::{Resource, coded, not_taken, not_up, reason};
pub use bind::not_bound;
pub(crate) use catalog::{Counted, Defined, Kept, Object, Tables, identity_name};
pub(crate) use cursor::BYTES_MAX;
pub(crate) use driver::{Bound, Driver, Passing, Ran, Run, size};
pub use qualifiers::Qualifiers;
pub use script::{Done, Script};
pub(crate) use session::Session;
