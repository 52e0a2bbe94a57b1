//! Services one at a time: each with its own handles and nothing else of a region.
//!
//! Each test is an example of what a service answers and starts. Not here: services together
//! (`tests/it`), compiled programs (`crates/tools/transom/tests/it`).

#[path = "../../tests/it/fake_clock.rs"]
mod fake_clock;
#[path = "../../tests/it/fake_shared.rs"]
mod fake_shared;
mod files;
mod interval;
mod security;
mod stage;
mod syncpoint;
mod temporary_storage;
mod transient_data;
