//! What will start tasks, and what started ones are owed.
//!
//! What: START requests that wait for their time, their terminal or RETRIEVE ([`requests`]);
//! children of asynchronous programs and their answers ([`children`]); when a transient data queue
//! starts its task ([`trigger`]). Why a room: each is a state that changes by what it is told,
//! without clock, task or store, and is tested alone; the region's room was full
//! (`docs/decisions/0080-what-starts-tasks-leaves-the-server.md`). Not here: the services that keep
//! one of them behind a lock and start tasks (`region/server`).

#![forbid(unsafe_code)]

pub mod children;
pub mod requests;
pub mod trigger;
