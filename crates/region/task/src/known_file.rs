//! An installed file as a worker keeps it.
//!
//! Not here: whether a command may use it (`access`).

use std::rc::Rc;
use transom_types::FileName;
use transom_wire::Shared;
use transom_wire::definitions::{FileEntry, FileShape};

/// A file, and the shape of its data set while it is open.
pub struct KnownFile {
    pub entry: Rc<FileEntry>,
    pub shape: Option<Rc<FileShape>>,
}

impl KnownFile {
    /// Reads the installed file.
    pub fn read(shared: &dyn Shared, name: FileName) -> Option<Self> {
        let mut entry = FileEntry::find(shared, name)?;
        // A user-maintained data table is this region's alone.
        entry.rls &= !entry.is_user_table();
        Some(Self {
            shape: entry.shape.clone().map(Rc::new),
            entry: Rc::new(entry),
        })
    }
}
