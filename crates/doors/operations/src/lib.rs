//! Health, metrics and a status page of a region, for whoever watches it.
//!
//! What: the listener of `[operations]` with `/health/live`, `/health/ready` and `/health/started`
//! as MicroProfile Health has them, `/metrics` as Prometheus reads them, and a page at `/` that
//! shows the same to people. The way of a request: `serve` (its connection), `request` (what it is
//! for, whose it is), then `health`, `metrics` or `page`. Why a door of its own on a thread of its
//! own: what watches must neither share a port with what is watched nor cost it time. Nothing can
//! be changed here. Not here: what is measured (the region, the gateway), the log.

#![forbid(unsafe_code)]

mod desk;
mod door;
mod escape;
mod health;
mod listener;
mod metrics;
mod names;
mod page;
mod process;
mod reply;
mod request;
mod serve;
mod shared;
mod statistics;

pub use desk::{Desk, Opened, Told, ToldLine};
pub use door::Operations;
pub use listener::{Plan, listener};
