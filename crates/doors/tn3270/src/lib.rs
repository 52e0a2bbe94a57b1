//! The 3270 door: telnet listeners, TLS, sessions, and their terminals in a region.
//!
//! What: [`Tn3270`] binds a listener and serves each connection as one terminal session of a
//! region. Reading order: `serve` (accepting), `session` (one connection), `wire` (its telnet
//! state),
//! `negotiation` (up to the logon), `output` (what the region sends), `delivery` (what the device
//! answers), `clock` (quiet sessions), `clients` (shares), `luname` (who has which LU). Not here:
//! telnet and TN3270E themselves (`transom_datastream`), what screens mean (the region).

#![forbid(unsafe_code)]

mod clock;
mod config;
mod delivery;
mod listeners;
mod luname;
mod negotiation;
mod output;
mod serve;
mod session;
mod shared;
mod statistics;
mod wire;

pub use config::Tn3270Config;
pub use listeners::{NoListener, Plan, listeners};
pub use output::OUTPUT_BYTES_MAX;
pub use serve::Tn3270;
pub use statistics::SessionCounts;
