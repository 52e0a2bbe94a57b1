//! How a PostgreSQL store is reached and what it may use.
//!
//! What: plain data. Why: sessions and the owner's lock need it without the store. Not here:
//! connecting.

use transom_types::Applid;

/// How a store is reached.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PgOptions {
    /// Connection string: `host=... user=... dbname=...` or an URL; `sslmode` and `sslrootcert` as
    /// libpq has them.
    pub connect: String,
    /// The system the region belongs to: a number it keeps in a store of its own; 0 without one.
    pub system: u64,
    /// The region: its prepared units of work are in doubt here, those of others are theirs.
    pub applid: Applid,
    /// A utility beside the region of this name: it may run at the same time, and leaves units of
    /// work in doubt alone.
    pub utility: bool,
    /// Most sessions: units of work that hold locks at the same time, and one for readers.
    pub sessions_max: usize,
    /// Most bytes of changes of one unit of work.
    pub uow_bytes_max: usize,
}

impl PgOptions {
    /// 50 sessions, 256 MB per unit of work.
    #[must_use]
    pub fn new(connect: impl Into<String>, applid: Applid) -> Self {
        Self {
            connect: connect.into(),
            system: 0,
            utility: false,
            applid,
            sessions_max: 50,
            uow_bytes_max: 256 << 20,
        }
    }
}
