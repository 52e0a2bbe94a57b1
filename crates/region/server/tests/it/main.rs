//! The region over workers that are closures in memory and a clock that tests move by hand.
//!
//! Each test is an example: what a program asks, a user types or a caller sends, and what the
//! region makes of it. No COBOL, no processes, no waiting: the same with compiled programs is in
//! `crates/tools/transom/tests/it`.

mod asynchronous;
mod authority;
mod dispatcher;
mod fake_clock;
mod fake_shared;
mod fake_workers;
mod formats;
mod interval;
mod program;
mod program_lists;
mod region;
mod syncpoint;
mod system;
mod temporary_storage;
mod terminal;
mod transient_data;
mod unsolicited;
