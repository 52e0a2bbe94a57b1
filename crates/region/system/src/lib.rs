//! A system directory: one folder with everything a region and its doors serve.
//!
//! What: [`SystemDirectory`] finds and reads `transom.toml`, decks, COBOL sources, copybooks and
//! server.xml; [`build`](build::build) compiles programs and maps that changed; [`decks`] and
//! [`program_lists`] say what a region installs and runs, and what of it a build has not found. Why
//! apart: a region that installs a program and a command that checks one do the same. Not here:
//! starting anything, what server.xml says, rules of [authority].

#![forbid(unsafe_code)]

pub mod build;
pub mod control_table;
pub mod decks;
mod directory;
mod finding;
mod guard;
mod jobs;
pub mod library;
mod maps;
pub mod program_lists;
pub mod report;
mod sit;
mod source;

pub use directory::{SystemDirectory, data_texts, files, read_text};
pub use finding::Finding;
pub use sit::system_entry;
pub use source::{page, read_source};
