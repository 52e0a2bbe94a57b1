//! Resource definitions: DFHCSDUP decks in and out, groups, lists, checks, defaults; program list
//! tables.
//!
//! What: a [`Csd`] in memory, filled by decks as they are used for DFHCSDUP (also inside JCL).
//! Why: an estate's decks are its resource definitions; they must be usable as they are. Not here:
//! files, installing (see `region/server`).
//!
//! A mistake in a deck is a [`Problem`](transom_messages::Problem) with its line; the rest of the
//! deck is used.

#![forbid(unsafe_code)]

mod apply;
mod attributes;
mod changed;
mod command;
mod definition;
mod hint;
mod look;
pub mod macros;
mod operation;
mod program_list;
mod scan;
mod store;
mod value;
mod verbs;
mod write;

pub use apply::Applied;
pub use attributes::{Fault, NotAttributes};
pub use changed::Changed;
pub use command::Command;
pub use definition::Definition;
pub use look::{Found, Look, attributes_text};
pub use operation::asked::{Duplicates, Operation, Place, Refused, Resource};
pub use operation::attributes_resp2;
pub use program_list::{PROGRAMS_MAX, ProgramList};
pub use store::{Csd, InstallError, is_supplied};
pub use transom_resources::{Attribute, Effect, Installs, ResourceKind, Rule, common_attributes};
pub use write::{write_as, write_deck, write_definition, write_statement};

/// Largest deck that is read, in bytes.
pub const MAX_DECK_BYTES: usize = 16 << 20;
/// Longest value of one attribute, in bytes.
pub const MAX_VALUE_BYTES: usize = 4096;
/// Most definitions in one CSD.
pub const MAX_DEFINITIONS: usize = 200_000;
/// Problems reported for one deck; the rest is only counted.
pub const MAX_PROBLEMS: usize = 500;
