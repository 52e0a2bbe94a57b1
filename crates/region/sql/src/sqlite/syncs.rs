//! Who flushes the log of SQLite: a session of a region waits for others, a script is alone.
//!
//! Not here: how (`flushes`).

/// Who flushes the log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Syncs {
    /// SQLite, in each COMMIT.
    Each,
    /// Whoever waits first, for all who wait.
    Together,
}
