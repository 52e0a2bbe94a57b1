//! EXEC CICS INQUIRE DSNAME (with START, NEXT, END): data sets that files name.
//!
//! Conditions: DSNNOTFOUND 1 (no file names it), ILLOGIC 1, END 2 (browse).

use super::answer::either;
use super::browse::{Wanted, wanted_of};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::{FileName, Resp};
use transom_wire::definitions::{FileEntry, FileShape};
use transom_wire::{Shared, Space};

/// Longest name of a data set.
const NAME_BYTES: usize = 44;

/// INQUIRE DSNAME.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let names = |cx: &mut Cx<'_>| {
        let files = files(cx.host.shared());
        let named = files.iter().filter(|file| !file.dsname.is_empty());
        let names = named.map(|file| format!("{:NAME_BYTES$}", file.dsname).into_bytes());
        Ok(names.collect())
    };
    let Wanted::Name(name) = wanted_of(cx, opt::DSNAME, NAME_BYTES, names)? else {
        return NORMAL;
    };
    let name = String::from_utf8_lossy(&name).trim_end().to_owned();
    let mut files = files(cx.host.shared());
    files.retain(|file| file.dsname.eq_ignore_ascii_case(&name));
    let Some(first) = files.first() else {
        return raise(Resp::DSNNOTFOUND, 1);
    };
    let shape = files.iter().find_map(|file| file.shape.clone());
    let base = shape.as_ref().map_or("", base_of).to_owned();
    // What the open files know counts: it may come from the catalog.
    let known = files.iter().find(|file| file.shape.is_some());
    let recoverable = known.unwrap_or(first).is_recoverable();
    let recoverable = either(recoverable, "RECOVERABLE", "NOTRECOVABLE");
    cx.set_number(opt::FILECOUNT, files.len() as i64);
    cx.set_text(opt::BASEDSNAME, &base);
    let object = match &shape {
        Some(shape) => either(shape.path, "PATH", "BASE"),
        None => "NOTAPPLIC",
    };
    cx.set_cvda(opt::OBJECT, object);
    cx.set_cvda(opt::RECOVSTATUS, recoverable);
    NORMAL
}

fn files(shared: &dyn Shared) -> Vec<FileEntry> {
    let names = shared.group_names(Space::File).into_iter();
    let found = names.filter_map(|name| FileEntry::find(shared, FileName::from_field(&name)));
    found.collect()
}

fn base_of(shape: &FileShape) -> &str {
    shape.base.split_once('/').map_or("", |(_, name)| name)
}
