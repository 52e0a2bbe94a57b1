//! Opening a database: what every connection is set to, and the tables of Transom.

use super::functions::{self, Sequences, Taken};
use super::shared::{SqliteOptions, Writing};
use super::syncs::Syncs;
use super::{checkpoints, errors};
use rusqlite::{Connection, OptionalExtension};
use std::fs::OpenOptions;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io::ErrorKind;
use std::os::unix::fs::OpenOptionsExt;
use std::sync::{Arc, Mutex};
use transom_recovery::StoreError;

/// Layout of the tables of Transom.
const FORMAT: &str = "1";
/// Statements that stay prepared.
const STATEMENTS: usize = 400;
/// The same where all sessions change something.
const STATEMENTS_OF_ALL: usize = 2_000;

const TABLES: &str = "
CREATE TABLE IF NOT EXISTS transom_system (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS transom_mark (uow BLOB PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS transom_object (kind TEXT, name TEXT, text TEXT NOT NULL, schema TEXT, PRIMARY KEY (kind, name)) WITHOUT ROWID;
";

/// The first connection: makes what is not there, and refuses what does not fit.
pub(super) fn first(
    (options, syncs): (&SqliteOptions, Syncs),
    sequences: &Arc<Sequences>,
) -> Result<Connection, StoreError> {
    if let Some(folder) = options.file.parent() {
        std::fs::create_dir_all(folder).map_err(|e| StoreError::Io(e.to_string()))?;
    }
    // SQLite gives its log and its index the mode of the database. One that is there is not opened
    // here: closing it would take away the locks of connections of this process.
    let made = OpenOptions::new()
        .append(true)
        .create_new(true)
        .mode(0o600)
        .open(&options.file);
    match made {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            return Err(StoreError::Io(error.to_string()));
        }
        _ => {}
    }
    let connection = connection((options, syncs), sequences, &Arc::default())?;
    let order = if options.ebcdic_order {
        "EBCDIC037"
    } else {
        "ASCII"
    };
    prepare(&connection, order).map_err(|e| errors::of_store(&e))?;
    for (key, wanted, what) in [
        ("format", FORMAT, "layout"),
        ("order", order, "order of characters"),
    ] {
        let has = setting(&connection, key).map_err(|e| errors::of_store(&e))?;
        if has.as_deref() != Some(wanted) {
            let has = has.unwrap_or_default();
            let text = format!("its {what} is {has}, {wanted} is asked for");
            return Err(StoreError::Wrong(text));
        }
    }
    Ok(connection)
}

fn prepare(connection: &Connection, order: &str) -> rusqlite::Result<()> {
    connection.execute_batch("BEGIN IMMEDIATE")?;
    connection.execute_batch(TABLES)?;
    // Databases of earlier versions have names without a schema only as names of none.
    let has = "SELECT 1 FROM pragma_table_info('transom_object') WHERE name = 'schema'";
    let has = connection.query_row(has, [], |_| Ok(())).optional()?;
    if has.is_none() {
        connection.execute_batch("ALTER TABLE transom_object ADD COLUMN schema TEXT")?;
    }
    let by_chance = RandomState::new().build_hasher().finish();
    let identity = format!("{by_chance:016X}");
    for (key, value) in [
        ("format", FORMAT),
        ("order", order),
        ("identity", &identity),
    ] {
        connection.execute(
            "INSERT OR IGNORE INTO transom_system VALUES (?1, ?2)",
            [key, value],
        )?;
    }
    connection.execute_batch("COMMIT")
}

/// What tells the database from all others.
pub(super) fn identity(connection: &Connection) -> rusqlite::Result<String> {
    setting(connection, "identity").map(Option::unwrap_or_default)
}

fn setting(connection: &Connection, key: &str) -> rusqlite::Result<Option<String>> {
    connection
        .query_row(
            "SELECT value FROM transom_system WHERE key = ?1",
            [key],
            |row| row.get(0),
        )
        .optional()
}

/// A connection with all that statements need.
pub(super) fn connection(
    (options, syncs): (&SqliteOptions, Syncs),
    sequences: &Arc<Sequences>,
    taken: &Arc<Mutex<Taken>>,
) -> Result<Connection, StoreError> {
    let opened = || -> rusqlite::Result<Connection> {
        let connection = Connection::open(&options.file)?;
        // Writers of this process wait in order for their turn; this is for those of others.
        connection.busy_timeout(options.lock_wait)?;
        connection.pragma_update(None, "journal_mode", "WAL")?;
        connection.pragma_update(None, "synchronous", synchronous(syncs))?;
        connection.pragma_update(None, "foreign_keys", "ON")?;
        connection.pragma_update(None, "cell_size_check", "ON")?;
        connection.pragma_update(None, "trusted_schema", "ON")?;
        connection.pragma_update(None, "case_sensitive_like", "ON")?;
        connection.set_prepared_statement_cache_capacity(STATEMENTS);
        if syncs == Syncs::Together {
            checkpoints::counts(&connection);
        }
        functions::register(&connection, options.ebcdic_order, sequences, taken)?;
        Ok(connection)
    };
    opened().map_err(|e| errors::of_store(&e))
}

/// The log is on the device when COMMIT answers, or is brought there by who waits for it; with
/// NORMAL SQLite still flushes before and after it brings pages over, and when the log begins
/// again.
fn synchronous(syncs: Syncs) -> &'static str {
    match syncs {
        Syncs::Each => "FULL",
        Syncs::Together => "NORMAL",
    }
}

/// The connection that changes the database.
pub(super) fn writer(
    how: (&SqliteOptions, Syncs),
    sequences: &Arc<Sequences>,
) -> Result<Writing, StoreError> {
    let taken = Arc::default();
    let connection = connection(how, sequences, &taken)?;
    connection.set_prepared_statement_cache_capacity(STATEMENTS_OF_ALL);
    // Below zero it is KB.
    let memory = -(i64::from(how.0.cache_megabytes) << 10);
    let memory = connection.pragma_update(None, "cache_size", memory);
    memory.map_err(|e| errors::of_store(&e))?;
    Ok(Writing {
        connection,
        taken,
        version: None,
    })
}
