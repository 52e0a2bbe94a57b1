//! Why a display of EDF could not be shown.
//!
//! A leaf. Not here: what becomes of the task then (`mod`).

/// Why a display could not be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Lost {
    /// The terminal, or the task that shows displays there, is gone.
    Gone,
    /// EDF was switched off.
    Off,
    /// The task that is debugged must end.
    Purged,
}
