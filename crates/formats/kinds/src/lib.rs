//! The files of resource kinds, read.
//!
//! What: one file per kind in `table/` and what it says, [`Table`]: attributes, fields, answers,
//! columns, and the commands about the kind as paragraphs of the command table. Why a room: the
//! command table and the table of resource kinds are both made from these files, and the second
//! needs the numbers of options that the first gives. Reading order: `table/README.md`,
//! [`table`], [`Table`].
//! Not here: rows for the run time (`formats/resources`, `formats/commands`).
//!
//! Build scripts alone use it, so a mistake in a file panics with its file and line: that stops the
//! build.

#![forbid(unsafe_code)]

mod command;
mod model;
mod read;
mod tokens;

pub use model::{Answer, Attribute, Cemt, Column, Field, Kind, Record, State, Table, View};

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// What all files say.
pub fn table() -> Table {
    let mut table = Table::default();
    for (name, text) in FILES {
        table.read(name, text);
    }
    table
}
