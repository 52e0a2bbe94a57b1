//! `[sql]`.

use crate::kind::{Anything, Inside, Kind, Name, Number, Programs, Seconds, Word, YesNo};
use crate::problem::SettingProblem;
use std::path::{Path, PathBuf};
use std::time::Duration;

settings! {
    /// The database of EXEC SQL.
    pub struct SqlSettings in "[sql]" {
        /// What runs SQL, {values}: the embedded engine, or a server of PostgreSQL. NONE: the first
        /// statement of a task ends it with AEY9, as without DB2CONN.
        engine: &'static str = "SQLITE", Word(&["SQLITE", "POSTGRES", "NONE"]);
        /// Connection string of the server, for POSTGRES: `host=db.bank dbname=bank user=cics`, or
        /// an URL. `sslmode` and `sslrootcert` are those of libpq; without them a server that is
        /// not on this machine must show a certificate of its name that this machine trusts.
        postgresql: Option<String> = None, Anything;
        /// File of the database, below the directory. It is made when it is needed first.
        file: String = "data/sql.db".into(), Inside;
        /// Memory for pages of the database that units of work change, {values} MB; what is used
        /// counts.
        cache_megabytes: u32 = 64, Number(1, 65_536);
        /// Pages of 4 KB in the log of the embedded engine, {values}, from which on they are
        /// brought into the file.
        log_pages: u32 = 4_000, Number(100, 1_000_000);
        /// Schema of tables that a statement names without one, {values}: QUALIFIER or OWNER of
        /// BIND, and what CURRENT SQLID and CURRENT SCHEMA are where nobody has set them. Without
        /// it such a name is that of a table without a schema.
        qualifier: Option<String> = None, Name(SCHEMA_MAX);
        /// CURRENT SERVER, {values}.
        location: String = "TRANSOM".into(), Name(16);
        /// How long a statement waits for the units of work that write before it, {values}; then
        /// SQLCODE -911 or -913.
        lock_wait_seconds: Duration = Duration::from_secs(30), Seconds(1, 3_600);
        /// DROLLBACK of DB2CONN. YES: after such a wait the whole unit of work is backed out,
        /// files and queues too, and SQLCODE is -911. NO: nothing is, and it is -913.
        drollback: bool = true, YesNo;
    }
}

/// Longest name of a schema.
const SCHEMA_MAX: usize = 128;

/// A line of `[sql.packages]`: program, or the beginning of names with `*`, and its qualifier.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlPackage {
    /// In upper case.
    pub name: String,
    /// Schema of tables its statements name without one.
    pub qualifier: String,
}

impl SqlPackage {
    /// Checks a line.
    pub(crate) fn of(name: &str, qualifier: &str) -> Result<Self, SettingProblem> {
        let wrong = |value, why| SettingProblem::value(name, value, why);
        let names = Programs(1).check(name).map_err(|why| wrong(name, why))?;
        let qualifier = Name(SCHEMA_MAX).check(qualifier);
        Ok(Self {
            name: names.concat(),
            qualifier: qualifier.map_err(|why| wrong("", why))?,
        })
    }
}

impl SqlSettings {
    /// File of the database.
    pub fn path(&self, root: &Path) -> PathBuf {
        root.join(&self.file)
    }
}
