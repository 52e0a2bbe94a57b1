//! Which commits are on the device, for processes beside the region.
//!
//! What: numbers in a file beside the database: the last commit that has begun, which others may
//! see, the last that is on the device, and how often somebody beside the region has committed.
//! Why: who reads the database in another process must not speak of what a power failure would
//! undo, and cannot ask the region for each row. Not here: who waits in the region (`flushes`),
//! what a reader makes of the numbers (`reading`).

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use transom_sqlview::Beginning;

/// Behind the name of the database.
pub(super) const NAME: &str = "-commits";
/// Bytes of a number.
const NUMBER: usize = size_of::<u64>();
/// Bytes of the file: who looks often has it mapped.
const BYTES: u64 = 4_096;

/// The numbers.
pub(super) struct Commits(File);

impl Commits {
    /// Those of a region that begins: all that is there is on the device. The path is that of the
    /// file itself.
    pub(super) fn begin(database: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).mode(0o600);
        let commits = Self(file.open(path(database))?);
        if commits.0.metadata()?.len() < BYTES {
            commits.0.set_len(BYTES)?;
        }
        commits.begun(0)?;
        commits.durable(0)?;
        commits.others(0)?;
        Ok(commits)
    }

    /// Makes the file where there is none, for those who must name it before a region begins: it
    /// says nothing until then.
    pub(super) fn name(database: &Path) -> io::Result<()> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).mode(0o600);
        file.open(path(&database.canonicalize()?)).map(drop)
    }

    /// To read them; `None`: no region has the database, or none had it.
    pub(super) fn look(database: &Path) -> Option<Self> {
        let database = database.canonicalize().ok()?;
        File::open(path(&database)).ok().map(Self)
    }

    /// A commit is about to be said.
    pub(super) fn begun(&self, number: u64) -> io::Result<()> {
        self.0.write_all_at(&number.to_le_bytes(), 0)
    }

    /// It is on the device.
    pub(super) fn durable(&self, number: u64) -> io::Result<()> {
        self.0.write_all_at(&number.to_le_bytes(), NUMBER as u64)
    }

    /// So often has been found, in the turn to write, that somebody else committed something. It is
    /// said before the commit of that turn has begun.
    pub(super) fn others(&self, times: u64) -> io::Result<()> {
        self.0.write_all_at(&times.to_le_bytes(), 2 * NUMBER as u64)
    }

    /// What was read before may not be on the device. A commit is here before others see it, and
    /// numbers only grow: two that are equal are those of a flush that came after all of it, in
    /// whatever order they are looked at.
    pub(super) fn wait(&self) -> bool {
        let mut numbers = [0; 2 * NUMBER];
        if self.0.read_exact_at(&mut numbers, 0).is_err() {
            return true;
        }
        let (begun, durable) = numbers.split_at(NUMBER);
        begun != durable
    }
}

/// The numbers as they are now, without a system call for each look.
pub(super) struct Numbers(Beginning);

/// What they are at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Now {
    pub(super) begun: u64,
    pub(super) durable: u64,
    pub(super) others: u64,
}

impl Numbers {
    /// Of a database that a region has; `None`: none has it, or none had it.
    pub(super) fn of(database: &Path) -> Option<Self> {
        let Commits(file) = Commits::look(database)?;
        Beginning::of(file).ok().map(Self)
    }

    /// As they are now. How often others committed is no older than what has begun.
    pub(super) fn now(&self) -> Now {
        let [begun, durable] = self.0.words().map(u64::from_le);
        let [_, _, others] = self.0.words().map(u64::from_le);
        Now {
            begun,
            durable,
            others,
        }
    }
}

impl Now {
    /// What was read before may not be on the device: as [`Commits::wait`].
    pub(super) fn wait(self) -> bool {
        self.begun != self.durable
    }
}

fn path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(NAME);
    name.into()
}
