//! `[sql]`.

use crate::kind::{Inside, Seconds, Word, YesNo};
use std::path::{Path, PathBuf};
use std::time::Duration;

settings! {
    /// The database of EXEC SQL.
    pub struct SqlSettings in "[sql]" {
        /// What runs SQL, {values}. NONE: the first statement of a task ends it with AEY9, as
        /// without DB2CONN.
        engine: &'static str = "SQLITE", Word(&["SQLITE", "NONE"]);
        /// File of the database, below the directory. It is made when it is needed first.
        file: String = "data/sql.db".into(), Inside;
        /// How long a statement waits for the units of work that write before it, {values}; then
        /// SQLCODE -911 or -913.
        lock_wait_seconds: Duration = Duration::from_secs(30), Seconds(1, 3_600);
        /// DROLLBACK of DB2CONN. YES: after such a wait the whole unit of work is backed out,
        /// files and queues too, and SQLCODE is -911. NO: nothing is, and it is -913.
        drollback: bool = true, YesNo;
    }
}

impl SqlSettings {
    /// File of the database.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join(&self.file)
    }
}
