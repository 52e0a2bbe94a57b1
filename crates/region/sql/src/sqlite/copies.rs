//! Copies of the database: one that fits a copy of the store, and one put back.
//!
//! What: while a copy is [`Held`] nobody changes the database, in whatever process, so no unit of
//! work is decided; what is copied is the state of that moment. Not here: the store, manifests
//! (`region/utilities`).

use super::functions::Sequences;
use super::shared::SqliteOptions;
use super::syncs::Syncs;
use super::{errors, open};
use rusqlite::Connection;
use rusqlite::backup::Backup;
use std::fmt;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use transom_recovery::StoreError;
use transom_recovery::guard::lock;

/// Pages that are copied at a time: all.
const ALL: i32 = -1;
/// What stands beside the file while it is used.
const BESIDE: [&str; 2] = ["-wal", "-shm"];

/// The database at one moment.
pub struct Held {
    /// It has the turn to write.
    turn: Mutex<Option<Connection>>,
    /// It reads what was there at that moment, also later.
    reader: Connection,
    options: SqliteOptions,
}

impl Held {
    /// Waits for who writes, and then keeps all from writing; `None`: there is no database.
    pub fn of(options: &SqliteOptions) -> Result<Option<Self>, StoreError> {
        if !options.file.exists() {
            return Ok(None);
        }
        let turn = connection(options)?;
        let reader = connection(options)?;
        let begun = turn.execute_batch("BEGIN IMMEDIATE").and_then(|()| {
            reader.execute_batch("BEGIN")?;
            reader.query_row("SELECT COUNT(*) FROM sqlite_schema", [], |_| Ok(()))
        });
        begun.map_err(|e| errors::of_store(&e))?;
        Ok(Some(Self {
            turn: Mutex::new(Some(turn)),
            reader,
            options: options.clone(),
        }))
    }

    /// Others write again.
    pub fn release(&self) {
        // A connection that is closed has given up its turn.
        *lock(&self.turn) = None;
    }

    /// Writes the copy, reads all of it, and has it on the device.
    pub fn copy(&self, target: &Path) -> Result<(), StoreError> {
        made(target).map_err(|e| StoreError::Io(e.to_string()))?;
        let copied = || -> rusqlite::Result<()> {
            let mut to = Connection::open(target)?;
            Backup::new(&self.reader, &mut to)?.step(ALL)?;
            // As a file of its own, without a log.
            to.pragma_update(None, "journal_mode", "DELETE")
        };
        copied().map_err(|e| errors::of_store(&e))?;
        let copy = SqliteOptions {
            file: target.to_owned(),
            ..self.options.clone()
        };
        let check = connection(&copy)?;
        let found: String = check
            .query_row("PRAGMA integrity_check(1)", [], |row| row.get(0))
            .map_err(|e| errors::of_store(&e))?;
        // The check opened it as a region does.
        let closed = check.pragma_update(None, "journal_mode", "DELETE");
        closed.map_err(|e| errors::of_store(&e))?;
        drop(check);
        if found != "ok" {
            return Err(StoreError::Wrong(found));
        }
        let synced = File::open(target).and_then(|file| file.sync_all());
        synced.map_err(|e| StoreError::Io(e.to_string()))
    }
}

/// What went wrong with files, or before in the way of who decides.
#[derive(Debug)]
pub enum NotPutBack<E> {
    /// A file.
    File(io::Error),
    /// It was decided so, and all is as it was.
    Decided(E),
}

impl<E: fmt::Display> fmt::Display for NotPutBack<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Decided(error) => error.fmt(f),
        }
    }
}

impl<E: fmt::Debug + fmt::Display> std::error::Error for NotPutBack<E> {}

impl<E> From<io::Error> for NotPutBack<E> {
    fn from(error: io::Error) -> Self {
        Self::File(error)
    }
}

/// Puts a copy in the place of the database, or none where none was; without either the database
/// stays. Nobody may use it. What was there is kept beside it under the name that is answered.
/// `decide` comes between.
pub fn put_back<T, E>(
    copy: Option<Option<PathBuf>>,
    database: &Path,
    decide: impl FnOnce() -> Result<T, E>,
) -> Result<(T, Option<PathBuf>), NotPutBack<E>> {
    let Some(copy) = copy else {
        let done = decide().map_err(NotPutBack::Decided)?;
        return Ok((done, None));
    };
    let fresh = with(database, ".restored");
    if let Some(copy) = &copy {
        copied(copy, &fresh)?;
    }
    let kept = free_name(database);
    let was_there = database.exists();
    // Killed from here on there is no database, and the store takes no empty one for it.
    if was_there {
        moved(database, &kept)?;
    }
    let done = match decide() {
        Ok(done) => done,
        Err(error) => {
            if was_there {
                moved(&kept, database)?;
            }
            return Err(NotPutBack::Decided(error));
        }
    };
    if copy.is_some() {
        fs::rename(&fresh, database)?;
    }
    if let Some(folder) = database.parent().filter(|folder| folder.is_dir()) {
        File::open(folder)?.sync_all()?;
    }
    Ok((done, was_there.then_some(kept)))
}

fn copied(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut copy = made(to)?;
    io::copy(&mut File::open(from)?, &mut copy)?;
    copy.sync_all()
}

/// With what stands beside it while it is used.
fn moved(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)?;
    let mut beside = BESIDE.iter().filter(|end| with(from, end).exists());
    beside.try_for_each(|end| fs::rename(with(from, end), with(to, end)))
}

fn connection(options: &SqliteOptions) -> Result<Connection, StoreError> {
    let how = (options, Syncs::Each);
    open::connection(how, &Arc::new(Sequences::default()), &Arc::default())
}

/// A file for this user alone.
fn made(path: &Path) -> io::Result<File> {
    OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(path)
}

fn with(path: &Path, end: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(end);
    name.into()
}

fn free_name(database: &Path) -> PathBuf {
    let first = with(database, ".replaced");
    let further = (1_u32..).map(|n| with(database, &format!(".replaced.{n}")));
    let mut all = std::iter::once(first.clone()).chain(further);
    all.find(|name| !name.exists()).unwrap_or(first)
}
