//! Units of work: what workers ask the region.
//!
//! Not here: the commands, stores and two-phase commit (`transom_recovery`).

/// Bytes of an identifier of a unit of work.
pub const ID_BYTES: usize = 16;

/// First byte of a request of [`Domain::UnitOfWork`].
pub const COMMIT: u8 = 1;
/// Backs out.
pub const BACKOUT: u8 = 2;

/// Identifiers of all units of work.
pub const LIST: u8 = 3;
/// State of one: its identifier. Answer: state, task number, seconds, name of the partner.
pub const INQUIRE: u8 = 4;
/// An operator decides: 1 to commit, identifier.
pub const DECIDE: u8 = 5;
