//! Which commits are on the device, for processes beside the region.
//!
//! What: two numbers in a file beside the database: the last commit that has begun, which others
//! may see, and the last that is on the device. Why: who reads the database in another process
//! must not speak of what a power failure would undo, and cannot ask the region for each row. Not
//! here: who waits in the region (`flushes`).

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::{FileExt, OpenOptionsExt};
use std::path::{Path, PathBuf};

/// Behind the name of the database.
pub(super) const NAME: &str = "-commits";
/// Bytes of a number.
const NUMBER: usize = size_of::<u64>();

/// The numbers.
pub(super) struct Commits(File);

impl Commits {
    /// Those of a region that begins: all that is there is on the device. The path is that of the
    /// file itself.
    pub(super) fn begin(database: &Path) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        let file = options.write(true).create(true).truncate(false).mode(0o600);
        let commits = Self(file.open(path(database))?);
        commits.begun(0)?;
        commits.durable(0)?;
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

fn path(database: &Path) -> PathBuf {
    let mut name = database.as_os_str().to_owned();
    name.push(NAME);
    name.into()
}
