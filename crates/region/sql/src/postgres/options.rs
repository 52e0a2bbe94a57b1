//! How the server is reached, and how statements on it behave.

use crate::statements::Qualifiers;
use std::fmt;
use std::time::Duration;
use transom_types::Applid;

/// How the server is reached, and how statements on it behave.
#[derive(Clone)]
pub struct PostgresOptions {
    /// Connection string, as `[data] postgresql` has it. It may hold a password.
    pub connect: String,
    /// The region.
    pub applid: Applid,
    /// Characters are in the order of code page 037.
    pub ebcdic_order: bool,
    /// How long a statement waits for a lock.
    pub lock_wait: Duration,
    /// After that the whole unit of work is backed out (-911), not the statement alone (-913).
    pub back_out: bool,
    /// Schemas of names without one.
    pub qualifiers: Qualifiers,
}

/// Without the connection string.
impl fmt::Debug for PostgresOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PostgresOptions")
            .field("applid", &self.applid)
            .field("ebcdic_order", &self.ebcdic_order)
            .finish_non_exhaustive()
    }
}
