//! Db2's REST services over HTTP: making, dropping, finding and running them.
//!
//! What: listeners of `[dbrest]`, basic authentication, the URLs and JSON texts of Db2 for z/OS, in
//! front of the facets `RestServices` and `Users`. The way of a request: `serve` (its connection),
//! `request` (what it is for; `inside`: without a connection), `logon` (whose it is), then
//! `manager`, `discover` or `run`. Why a door of its own: it is the database's, not the gateway's,
//! and another one may stand in front of it. Not here: SQL, services themselves, who may use them
//! (the region).

#![forbid(unsafe_code)]

mod asked;
mod body;
mod discover;
mod door;
mod inside;
mod json;
mod listeners;
mod logon;
mod manager;
mod peer;
mod reply;
mod request;
mod rows;
mod run;
mod schema;
mod serve;
mod shared;
mod target;

pub use door::Dbrest;
pub use inside::nearby;
pub use listeners::{Plan, listeners};
pub use shared::Desk;
