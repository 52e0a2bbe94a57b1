//! A database that another process writes, read without asking it.
//!
//! What: a connection that can only read, on files that are opened for reading. It sees what is
//! committed: its view stays while the header of the log's index is the same, and while all that
//! was committed since is on no device and has been told to nobody; otherwise it is taken anew. So
//! each statement sees what a session in the region would see. A statement that takes long is given
//! up, and one that may have seen a commit that is not on the device yet; who writes answers it
//! then. Why: decisions 0055 and 0022. Not here: which statements may be answered so
//! (`statements::read`).

use super::commits::{self, Commits, Now, Numbers};
use super::functions;
use super::hurry::{tell, version};
use super::shared::SqliteOptions;
use super::{catalog, errors, run};
use crate::statements::{Defined, Driver, Kept, Qualifiers, Ran, Resource, Run, Tables};
use rusqlite::{Connection, OpenFlags};
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use transom_recovery::{StoreError, UowId};
use transom_sql::Dialect;
use transom_sqlview::Beginning;
use transom_wire::sql::{SqlAnswer, SqlQualifier, SqlReading};

/// The header of the log's index, 48 bytes: its first copy changes last when somebody commits.
type Header = [u64; 6];
/// The word of it whose first half is a number that each commit of pages counts.
const CHANGES: usize = 1;
/// Statements that stay prepared.
const STATEMENTS: usize = 400;
/// Steps of SQLite's machine between two looks, and looks until a statement takes too long: about
/// a millisecond.
const STEPS: i32 = 1_000;
const LOOKS: u32 = 30;
/// Bytes of the database that are mapped.
const MAPPED: i64 = 1 << 36;
/// KiB of pages from the log that are kept.
const KEPT: i64 = -512;

/// A database that is only read.
pub(crate) struct Reading {
    /// Goes before the file below: its locks end when any descriptor of that file is closed.
    connection: Connection,
    index: Beginning,
    /// Which commits are on the device.
    commits: Numbers,
    qualifiers: Qualifiers,
    /// The view that is open.
    seen: Option<Seen>,
    /// All of this view is on the device.
    settled: bool,
    schema: i64,
    /// Looks at the statement that runs.
    looks: Arc<AtomicU32>,
}

/// What was before a view was taken: the view has it all, and may have more.
#[derive(Clone, Copy)]
struct Seen {
    header: Header,
    commits: Now,
}

impl Seen {
    /// All that was committed since the view was taken, as header and numbers say it now, in this
    /// order, is on its way to the device: nobody was told of it.
    fn lacks_only_what_is_on_its_way(&self, header: &Header, now: Now) -> bool {
        let changes = |header: &Header| {
            let [a, b, c, d, ..] = header[CHANGES].to_ne_bytes();
            u32::from_ne_bytes([a, b, c, d])
        };
        let since = changes(header).wrapping_sub(changes(&self.header));
        let on_their_way = now.begun.wrapping_sub(now.durable);
        now.durable == self.commits.durable
            && now.others == self.commits.others
            // One more is that of a process beside the region, which flushes first.
            && u64::from(since) <= on_their_way
    }
}

/// What a reader is told of a database.
pub(crate) fn told(options: &SqliteOptions) -> Option<SqlReading> {
    let file = std::path::absolute(&options.file).ok()?;
    let packages = options.qualifiers.packages();
    let packages = packages.map(|(package, schema)| SqlQualifier {
        package: package.to_owned(),
        schema: schema.to_owned(),
    });
    Some(SqlReading {
        file: file.to_str()?.to_owned(),
        ebcdic_order: options.ebcdic_order,
        schema: options.qualifiers.all.to_string(),
        packages: packages.collect(),
        location: options.qualifiers.location.clone(),
    })
}

/// A database with its log, the log's index and the numbers of commits.
pub(crate) fn log_files(file: &Path) -> [PathBuf; 4] {
    ["", "-wal", "-shm", commits::NAME].map(|end| {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        PathBuf::from(name)
    })
}

/// Keeps log and index where they are, and has a file for the numbers of commits; `None`: there is
/// no database that has them.
pub(crate) fn hold(options: &SqliteOptions) -> Option<Connection> {
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let held = Connection::open_with_flags(&options.file, flags).ok()?;
    held.busy_timeout(options.lock_wait).ok()?;
    let read = held.query_row("SELECT 1 FROM sqlite_schema LIMIT 1", [], |_| Ok(()));
    read.ok()?;
    Commits::name(&options.file).ok().map(|()| held)
}

impl Reading {
    /// Opens it.
    pub(crate) fn open(told: &SqlReading) -> Result<Self, StoreError> {
        let [file, _, index, _] = log_files(Path::new(&told.file));
        let commits = Numbers::of(&file).ok_or(StoreError::Closed)?;
        let index = File::open(index).and_then(Beginning::of);
        let index = index.map_err(|e| StoreError::Io(e.to_string()))?;
        let looks = Arc::new(AtomicU32::new(0));
        let opened =
            transom_sqlview::for_reading(|| connection(&file, told.ebcdic_order, looks.clone()));
        let connection = opened.unwrap_or(Err(rusqlite::Error::InvalidQuery));
        let packages = told.packages.iter();
        let packages = packages.map(|one| (one.package.clone(), one.schema.clone()));
        Ok(Self {
            connection: connection.map_err(|e| errors::of_store(&e))?,
            index,
            commits,
            qualifiers: Qualifiers::new(&told.schema, packages, &told.location),
            seen: None,
            settled: false,
            schema: -1,
            looks,
        })
    }

    /// Lets go of its view: until the next statement nobody keeps pages of the log for it.
    pub(crate) fn rest(&mut self) -> rusqlite::Result<()> {
        match self.seen.take() {
            Some(_) => tell(&self.connection, "COMMIT"),
            None => Ok(()),
        }
    }

    /// Forgets pages it has read.
    pub(crate) fn forget_pages(&self) -> rusqlite::Result<()> {
        self.connection.execute_batch("PRAGMA shrink_memory")
    }

    /// Sees what is committed now.
    fn look(&mut self) -> rusqlite::Result<()> {
        let header: Header = self.index.words();
        if self.seen.is_some_and(|seen| seen.header == header) {
            return Ok(());
        }
        let commits = self.commits.now();
        // What SQLite has ended by itself is no view any more.
        let is_sure = self.settled && !self.connection.is_autocommit();
        let mut stays = self.seen.iter().filter(|_| is_sure);
        if stays.any(|seen| seen.lacks_only_what_is_on_its_way(&header, commits)) {
            return Ok(());
        }
        self.rest()?;
        self.settled = false;
        tell(&self.connection, "BEGIN")?;
        self.seen = Some(Seen { header, commits });
        self.schema = version(&self.connection)?;
        Ok(())
    }

    /// Nobody speaks of a commit that a power failure could undo: to be asked when all was read.
    /// The region waits for the device; a view that was there once stays so.
    fn settled(&mut self) -> Result<(), SqlAnswer> {
        // What SQLite has ended by itself is no view any more.
        if self.settled && !self.connection.is_autocommit() {
            return Ok(());
        }
        if self.commits.now().wait() {
            return Err(errors::elsewhere());
        }
        self.settled = true;
        Ok(())
    }
}

fn connection(file: &Path, ebcdic: bool, looks: Arc<AtomicU32>) -> rusqlite::Result<Connection> {
    let mut address = "file:".to_owned();
    for byte in file.as_os_str().as_encoded_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' => {
                address.push(char::from(*byte));
            }
            other => address.push_str(&format!("%{other:02X}")),
        }
    }
    address.push_str("?mode=ro&readonly_shm=1");
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY
        | OpenFlags::SQLITE_OPEN_URI
        | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let connection = Connection::open_with_flags(address, flags)?;
    // Cells are checked by those who write: pages of a mapping are looked at anew each time, and
    // what is only read cannot spread.
    for (name, value) in [
        ("cell_size_check", 0),
        ("trusted_schema", 1),
        ("case_sensitive_like", 1),
        // Nothing is written, not even what a sort has no room for.
        ("temp_store", 2),
        ("cache_size", KEPT),
        ("mmap_size", MAPPED),
    ] {
        connection.pragma_update(None, name, value)?;
    }
    // Where it does not stay, it is made anew: slower, and the same.
    transom_sqlview::keep_mapping(&connection);
    connection.set_prepared_statement_cache_capacity(STATEMENTS);
    let (none, nothing) = (Arc::default(), Arc::default());
    functions::register(&connection, ebcdic, &none, &nothing)?;
    let takes_long = move || looks.fetch_add(1, Ordering::Relaxed) >= LOOKS;
    connection.progress_handler(STEPS, Some(takes_long));
    // The log is opened with the first look at the database.
    connection.query_row("PRAGMA schema_version", [], |_| Ok(()))?;
    Ok(connection)
}

impl Driver for Reading {
    const DIALECT: Dialect = Dialect::Sqlite;
    const RESOURCE: Resource = errors::RESOURCE;

    fn qualifiers(&self) -> &Qualifiers {
        &self.qualifiers
    }

    fn schema(&mut self) -> Result<i64, SqlAnswer> {
        match self.look() {
            Ok(()) => Ok(self.schema),
            Err(error) => {
                self.seen = None;
                Err(errors::answer(&error, false))
            }
        }
    }

    fn tables(&mut self) -> Result<Tables, SqlAnswer> {
        self.looks.store(0, Ordering::Relaxed);
        let read = catalog::read(&self.connection);
        let (tables, _) = read.map_err(|e| errors::answer(&e, false))?;
        self.settled()?;
        Ok(tables)
    }

    fn clock(&self) -> &Connection {
        &self.connection
    }

    fn last_identity(&mut self) -> Result<Option<i64>, SqlAnswer> {
        Err(errors::elsewhere())
    }

    fn begin(&mut self) -> Result<(), SqlAnswer> {
        Err(errors::elsewhere())
    }

    fn writes(&self) -> bool {
        false
    }

    fn run(&mut self, run: &Run<'_>) -> Result<Ran, SqlAnswer> {
        self.looks.store(0, Ordering::Relaxed);
        let ran = run::run_text(&self.connection, run)?;
        self.settled()?;
        Ok(ran)
    }

    fn tell(&mut self, _: &str) -> Result<(), SqlAnswer> {
        Err(errors::elsewhere())
    }

    fn lock_table(&mut self, _: &str, _: bool) -> Result<(), SqlAnswer> {
        Err(errors::elsewhere())
    }

    fn keep(&mut self, _: &Defined<'_>, _: &[Kept]) -> Result<(), SqlAnswer> {
        Err(errors::elsewhere())
    }

    fn lost(&self) -> bool {
        false
    }

    fn commit(&mut self, _: Option<UowId>) -> Result<(), StoreError> {
        Err(StoreError::Closed)
    }

    fn backout(&mut self) -> Result<(), StoreError> {
        Ok(())
    }

    fn reset(&mut self) {}
}

#[cfg(test)]
mod tests;
