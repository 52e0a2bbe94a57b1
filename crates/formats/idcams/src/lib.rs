//! IDCAMS statements, alone or inside the SYSIN of JCL, and the record files they load from.
//!
//! What: [`parse`] turns statements into a [`Script`], [`jcl::read`] finds the steps of a job and
//! their data sets, [`record`] cuts files into records and [`convert`] moves records between the
//! mainframe's code page and that of programs, [`listing`] lays out what PRINT and LISTCAT show.
//! Why: an estate's own DEFINE and REPRO jobs are its data definitions; they must be usable as they
//! are. Not here: files, the store, running statements (see the executable).
//!
//! A mistake is a [`Problem`](transom_messages::Problem) with its line and column; a command with a
//! mistake has condition code 12 when it is run, the others are run.

#![forbid(unsafe_code)]

pub mod convert;
pub mod date;
pub mod jcl;
pub mod listing;
pub mod micro_focus;
pub mod record;

mod alter;
mod commands;
mod define;
mod lexer;
mod name;
mod params;
mod parse;
mod script;
mod table;
mod tree;
mod whole;

pub use lexer::SourceLine;
pub use name::{MAX_NAME, Pattern, check_name};
pub use parse::{parse, parse_text};
pub use script::{
    AixDef, Alter, BuildIndex, ClusterDef, Command, Comparison, Delete, EntryType, Examine, Export,
    Import, Kept, KeyValue, ListCatalog, Listed, Log, Organization, OtherKind, PathDef, Place,
    Print, PrintFormat, Range, Register, Repro, Retention, Script, Statement, StatementKind, Test,
    Verify,
};

/// Largest text of statements that is read, in bytes.
pub const MAX_TEXT_BYTES: usize = 16 << 20;
/// Problems kept for one text; the rest is dropped.
pub const MAX_PROBLEMS: usize = 500;
/// Deepest nesting of parentheses and of IF and DO.
pub const MAX_DEPTH: usize = 20;
