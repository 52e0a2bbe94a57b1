//! Shared objects of compiled programs, as bytes.
//!
//! What: [`Object`], moved to another address, and [`records`], where a program has its
//! WORKING-STORAGE. Not here: loading them (`region/workers`), making them (`region/system`).

#![forbid(unsafe_code)]

mod records;
mod relocate;

pub use records::records;
pub use relocate::Object;
