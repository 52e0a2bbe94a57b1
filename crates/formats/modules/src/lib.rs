//! Shared objects of compiled programs, as bytes.
//!
//! What: [`Object`], moved to another address, and [`records`] and [`parameters`], where a
//! program has its WORKING-STORAGE and what it was called with. Not here: loading
//! them (`region/workers`), making them (`region/system`).

#![forbid(unsafe_code)]

mod records;
mod relocate;

pub use records::{parameters, records};
pub use relocate::Object;
