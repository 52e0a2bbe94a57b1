//! THE table of EXEC CICS commands.
//!
//! What: every command of the CICS API with its options, argument kinds, conditions and support
//! state. Why: translator, run-time dispatch and the support matrix are generated from one place.
//! Not here: behaviour (see `region/commands`).
//!
//! The rows live in `table/*.txt`, one file per group of commands; `build.rs` makes [`cmd`],
//! [`opt`] and the rows of [`all`] from them.

#![forbid(unsafe_code)]

pub mod abi;
mod cvda;
mod lookup;
mod reference;
mod spec;
pub mod sql;

pub use cvda::{cvda_name, dfhvalue};
pub use lookup::{all, by_words, command, common_options, option_by_name, option_name};
pub use reference::reference_page;
pub use spec::{ArgKind, Command, Constant, DataKind, Flow, OptionSpec, Status};

pub use lookup::{cmd, opt};

/// Number of a command; stable within one build of translator and region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CommandId(pub u16);

/// Number of an option keyword; the same keyword has one number in all commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct OptionId(pub u16);
