//! Puts a plan on the disk: beside its place first, so that nothing half done is ever there.

use crate::walk::reason;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use transom_messages::{Message, im};

/// A file of the system directory.
#[derive(Debug)]
pub(crate) struct Item {
    /// Path below the system directory.
    pub(crate) to: String,
    pub(crate) content: Content,
}

/// What goes into a file.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Content {
    /// A file of the checkout as it is.
    Copy(PathBuf),
    Text(String),
    /// Text without line ends, as lines of a length.
    Lines(PathBuf, usize),
}

/// Makes the system directory.
pub(crate) fn write(dir: &Path, items: &[Item]) -> Result<(), Message> {
    let failed = |path: &Path, why: io::Error| im::not_written(path.display(), reason(&why));
    let parent = dir.parent().unwrap_or(Path::new("/"));
    fs::create_dir_all(parent).map_err(|why| failed(parent, why))?;
    let made = tempfile::Builder::new()
        .prefix(".transom-import-")
        .tempdir_in(parent);
    let made = made.map_err(|why| failed(parent, why))?;
    for item in items {
        let path = made.path().join(&item.to);
        put(&path, &item.content).map_err(|why| failed(&dir.join(&item.to), why))?;
    }
    // An empty folder of that name may be there.
    match fs::remove_dir(dir) {
        Err(why) if why.kind() != io::ErrorKind::NotFound => return Err(failed(dir, why)),
        _ => {}
    }
    fs::rename(made.path(), dir).map_err(|why| failed(dir, why))?;
    // It has another name now; there is nothing left to delete.
    _ = made.keep();
    Ok(())
}

fn put(path: &Path, content: &Content) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    match content {
        Content::Copy(from) => {
            let mut input = fs::File::open(from)?;
            io::copy(&mut input, &mut fs::File::create_new(path)?).map(|_| ())
        }
        Content::Text(text) => fs::write(path, text),
        Content::Lines(from, length) => {
            fs::write(path, crate::data::lines(&fs::read(from)?, *length))
        }
    }
}
