//! Puts a plan on the disk: beside its place first, so that nothing half done is ever there.

use crate::walk::reason;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use transom_messages::{Message, im};

/// Characters of a directory's name in that of the folder in which it is made.
const NAME_MAX: usize = 50;

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
        .prefix(&prefix(dir))
        .tempdir_in(parent);
    let made = made.map_err(|why| failed(parent, why))?;
    // Says to other imports that this one is alive.
    let _lock = fs::File::open(made.path())
        .and_then(|folder| folder.lock().map(|()| folder))
        .map_err(|why| failed(made.path(), why))?;
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

/// Removes what imports of the same directory have left that were killed; says each.
pub(crate) fn remove_left(dir: &Path) -> Vec<Message> {
    let parent = dir.parent().unwrap_or(Path::new("/"));
    let entries = fs::read_dir(parent).into_iter().flatten().flatten();
    let left = entries.filter(|entry| {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        is_folder && is_of(&entry.file_name().to_string_lossy(), &prefix(dir))
    });
    left.filter_map(|entry| {
        let path = entry.path();
        let lock = match fs::File::open(&path) {
            Ok(folder) => folder.try_lock().map(|()| folder),
            Err(why) => Err(fs::TryLockError::Error(why)),
        };
        let removed = match lock {
            Ok(_lock) => fs::remove_dir_all(&path),
            Err(fs::TryLockError::WouldBlock) => return None,
            Err(fs::TryLockError::Error(why)) => Err(why),
        };
        Some(match removed {
            Ok(()) => im::left_removed(path.display()),
            Err(why) => im::left_stays(path.display(), reason(&why)),
        })
    })
    .collect()
}

/// Begin of the name of folders in which a directory is made.
fn prefix(dir: &Path) -> String {
    let name = dir.file_name().unwrap_or_default().to_string_lossy();
    let name: String = name.chars().take(NAME_MAX).collect();
    format!(".transom-import-{name}-")
}

/// A folder of this begin, not of another name that begins so, too.
fn is_of(folder: &str, prefix: &str) -> bool {
    let random = folder.strip_prefix(prefix);
    random.is_some_and(|rest| !rest.is_empty() && rest.chars().all(|c| c.is_ascii_alphanumeric()))
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
