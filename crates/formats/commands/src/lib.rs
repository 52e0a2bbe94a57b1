//! THE table of EXEC CICS commands.
//!
//! What: every command of the CICS API with its options, argument kinds, conditions and support
//! state. Why: translator, run-time dispatch and the support matrix are generated from one place.
//! Not here: behaviour (see `region/core`).

#![forbid(unsafe_code)]

pub mod abi;

/// Number of a command; stable within one build of translator and region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct CommandId(pub u16);

/// Number of an option keyword; the same keyword has one number in all commands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct OptionId(pub u16);
