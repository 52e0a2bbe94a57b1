//! What all clients of PostgreSQL in a region have in common.
//!
//! What: [`read`] takes a connection string in two parts, how to connect and how to secure it;
//! [`bury`] ends sessions of earlier runs. Why a room: the record store and EXEC SQL both have
//! clients, and what may cross a network in clear is decided once. Not here: connections,
//! statements, what errors of the server mean.

#![forbid(unsafe_code)]

mod sessions;
mod tls;

pub use sessions::{PAUSE, bury, first};
pub use tls::{Tls, read};
