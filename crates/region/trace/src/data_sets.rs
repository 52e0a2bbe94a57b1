//! The two data sets of the auxiliary trace, one of them in use.
//!
//! What: DFHAUXT (A) and DFHBUXT (B), which are filled from their beginning when they are opened
//! and never grow longer than they may. Not here: what is written.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use transom_trace::file::Head;

/// Folder of the data sets in the region's own.
pub const FOLDER: &str = "trace";
/// Names of the files, A and B.
pub const DATA_SETS: [&str; 2] = ["DFHAUXT.trc", "DFHBUXT.trc"];

/// Both, and which is in use.
pub(crate) struct DataSets {
    folder: PathBuf,
    head: Head,
    bytes_max: u64,
    second: bool,
    open: Option<(File, u64)>,
}

impl DataSets {
    /// A is in use, and closed.
    pub(crate) fn new(folder: PathBuf, head: Head, bytes_max: u64) -> Self {
        Self {
            folder,
            head,
            bytes_max,
            second: false,
            open: None,
        }
    }

    /// A is in use.
    pub(crate) fn is_first(&self) -> bool {
        !self.second
    }

    /// The file of the one in use.
    pub(crate) fn path(&self) -> PathBuf {
        self.folder.join(DATA_SETS[usize::from(self.second)])
    }

    /// Opens the one in use at its beginning, unless it is open.
    pub(crate) fn open(&mut self) -> io::Result<()> {
        if self.open.is_some() {
            return Ok(());
        }
        make_private(&self.folder)?;
        let mut file = private().open(self.path())?;
        let head = self.head.encode();
        file.write_all(&head)?;
        self.open = Some((file, head.len() as u64));
        Ok(())
    }

    /// What was written stays.
    pub(crate) fn close(&mut self) {
        self.open = None;
    }

    /// The other one is in use from now on, and closed.
    pub(crate) fn switch(&mut self) {
        self.close();
        self.second = !self.second;
    }

    /// So many bytes have no place in the one in use.
    pub(crate) fn is_full(&self, bytes: usize) -> bool {
        let long = |(_, length): &(File, u64)| length + bytes as u64 > self.bytes_max;
        self.open.as_ref().is_some_and(long)
    }

    /// Writes at the end of the one in use, if it is open.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        if let Some((file, length)) = &mut self.open {
            file.write_all(bytes)?;
            *length += bytes.len() as u64;
        }
        Ok(())
    }
}

/// Names and keys of users are in entries: the region's user alone reads them.
fn private() -> OpenOptions {
    use std::os::unix::fs::OpenOptionsExt;
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true).mode(0o600);
    options
}

fn make_private(folder: &Path) -> io::Result<()> {
    use std::os::unix::fs::DirBuilderExt;
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true).mode(0o700).create(folder)
}
