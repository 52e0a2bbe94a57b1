//! The redirector: terminals on one side, hosts on the other, TLS where it is wanted.
//!
//! What: a local port for each host, whose sessions go to one of its targets; pass-through, or TLS
//! between client and redirector, between redirector and host, or both. Why: a host is hidden, what
//! goes over a network is encrypted, and certificates live in one place. Not here: a region (it
//! serves none and asks none), screens (data streams pass byte for byte).
//!
//! Read `session`, one session from its first byte to its last, then `relay` and `leg`. `door` is
//! what starts, reloads and drains; `command` is `transom redirector`.

#![forbid(unsafe_code)]

mod answer;
mod command;
mod counts;
mod door;
mod figures;
mod health;
mod host;
mod leg;
mod limit;
mod lus;
mod opening;
mod plan;
mod problem;
mod proxy;
mod relay;
mod scratch;
mod seats;
mod secure;
mod serve;
mod session;
mod status;
mod targets;
mod withdrawn;

pub use command::{RedirectorArgs, run};
pub use door::Redirector;
pub use problem::Problem;
