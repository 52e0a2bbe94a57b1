//! Units of work: what workers ask the region.
//!
//! Not here: the commands, stores and two-phase commit (`transom_recovery`).

use crate::language;

/// Identifier of a unit of work, as UOW of INQUIRE UOW.
pub type UnitId = [u8; 16];

language! {
    /// What a worker asks.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Request {
        /// Commits.
        1 = Commit,
        /// Backs out.
        2 = Backout,
        /// Identifiers of all units of work. Answers them as a list.
        3 = List,
        /// State of one. Answers [`UnitState`].
        4 = Inquire(id: UnitId),
        /// An operator decides.
        5 = Decide { commit: bool, id: UnitId },
    }

    /// A unit of work.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct UnitState {
        pub stage: Stage,
        /// Its task; 0: none any more.
        pub task: u32,
        /// Seconds since it became what it is; 0 while it is in flight.
        pub age_s: u32,
        /// Name of the partner it waits for; may be empty.
        pub link: String,
    }

    /// How far a unit of work is.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum Stage {
        0 = InFlight,
        1 = InDoubt,
        /// Committed, and a partner does not know it yet.
        2 = Committed,
        /// Backed out, and a partner does not know it yet.
        3 = BackedOut,
    }
}
