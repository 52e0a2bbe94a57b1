//! That a region has had users, remembered beside its data.
//!
//! Why: with SEC=AUTO a region without users checks nothing. One that had some must not begin to do
//! so because their file is missing for a moment. Not here: what is checked (`authority`).

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

/// What the file says to who finds it.
const TEXT: &str = "This region has had users: with SEC=AUTO it makes its checks, whatever becomes of \
                    them. SEC=NO in transom.toml switches them off.\n";

/// The file; `None`: nothing is remembered.
#[derive(Debug, Clone, Default)]
pub(crate) struct Memory(Option<PathBuf>);

impl Memory {
    pub(crate) fn new(file: Option<&Path>) -> Self {
        Self(file.map(Path::to_owned))
    }

    /// The region has had users. Where that cannot be told, it has.
    pub(crate) fn had_users(&self) -> bool {
        let Some(file) = &self.0 else {
            return false;
        };
        !matches!(fs::symlink_metadata(file), Err(e) if e.kind() == io::ErrorKind::NotFound)
    }

    /// Remembers it.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn remember(&self) -> io::Result<()> {
        let Some(file) = self.0.as_ref().filter(|_| !self.had_users()) else {
            return Ok(());
        };
        let folder = file.parent().unwrap_or(Path::new("."));
        fs::create_dir_all(folder)?;
        let mut new = File::create(file)?;
        new.write_all(TEXT.as_bytes())?;
        new.sync_all()?;
        File::open(folder)?.sync_all()
    }
}
