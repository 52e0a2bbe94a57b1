//! What the region installs in shared memory and commands look up: programs, transactions, the
//! region's own facts, running tasks.
//!
//! What: the entries, their encoding, and `install` / `find` on [`Shared`]. Why: the region side
//! writes them (CSD install, autoinstall, SET), the worker side reads them on every LINK. Not
//! here: resource definition syntax (`transom_csd`), the commands.
//!
//! An entry is item [`DEFINITION`] of the group named by its padded name; item [`USE_COUNT`] is the
//! number of uses as eight bytes, so that counting does not rewrite the definition.

mod connection;
mod db2;
mod decks;
mod file;
mod file_journal;
mod file_shape;
pub mod file_users;
mod ipconn;
mod journal_model;
mod kept;
mod not_usable;
mod profile;
mod program;
mod records;
pub mod request;
mod set;
mod system;
mod take_off;
mod task;
mod td_kind;
mod tdqueue;
mod terminal;
mod transaction;
mod tsmodel;
mod typeterm;

pub use decks::{Definitions, Remark};
pub use file::{FileCounts, FileUse};
pub use file_journal::FileJournal;
pub use file_shape::{FileShape, FileType};
pub use kept::{KEPT_GROUP, Kept};
pub use not_usable::NotUsable;
pub use records::*;
pub use set::set;
pub use system::{Checks, DateForm, LastStarts, StartType, SystemEntry};
pub use take_off::{Names, installed_names, take_off};
pub use task::TaskEntry;
pub use td_kind::TdKind;
pub use terminal::{TerminalDefinition, TerminalEntry, TerminalKind, UpperCase};
pub use tsmodel::MODELS_MAX;

use crate::shared::{Group, Shared, Space};

/// Item that holds a definition.
pub const DEFINITION: u32 = 0;
/// Item that counts uses.
pub const USE_COUNT: u32 = 1;
/// Group of [`Space::System`] with the region's facts.
pub const SYSTEM_GROUP: &[u8] = b"SYSTEM";
/// First part of the names of groups of [`Space::System`] with the addresses of LOADed tables; the
/// module's file follows.
pub const TABLE_GROUP: &[u8] = b"TABLE ";

/// How often the program or transaction of this padded name was used.
pub fn use_count(shared: &dyn Shared, space: Space, name: &[u8]) -> u64 {
    let mut count = 0;
    shared.with_group(space, name, &mut |group| count = read_use_count(group));
    count
}

/// Counts one use more of what is installed.
pub fn count_use(shared: &dyn Shared, space: Space, name: &[u8]) {
    shared.with_group(space, name, &mut |group| add_use(group));
}

/// Removes a definition (DISCARD).
pub fn discard(shared: &dyn Shared, space: Space, name: &[u8]) {
    shared.with_group(space, name, &mut |group| group.remove_all());
}

/// The address of storage that all tasks share, of a group of [`Space::System`]: a table.
/// `None`: nobody asked for it yet.
pub fn address_in(shared: &dyn Shared, group: &[u8]) -> Option<usize> {
    get(shared, Space::System, group, |bytes| {
        Some(u64::from_be_bytes(bytes.try_into().ok()?) as usize)
    })
}

/// Keeps an address there, unless another task was first; answers the one that is kept.
pub fn keep_address(shared: &dyn Shared, group: &[u8], mine: usize) -> usize {
    let mut chosen = mine;
    shared.with_group(Space::System, group, &mut |group| {
        let there = group
            .get(DEFINITION)
            .and_then(|bytes| bytes.try_into().ok());
        match there.map(u64::from_be_bytes) {
            Some(address) => chosen = address as usize,
            None => {
                group.put(DEFINITION, &(mine as u64).to_be_bytes());
            }
        }
    });
    chosen
}

fn add_use(group: &mut dyn Group) {
    group.count(USE_COUNT, 1, 0, 1);
}

fn read_use_count(group: &dyn Group) -> u64 {
    group
        .get(USE_COUNT)
        .and_then(|b| b.try_into().ok())
        .map_or(0, u64::from_le_bytes)
}

fn put(shared: &dyn Shared, space: Space, name: &[u8], bytes: &[u8]) -> bool {
    let mut stored = false;
    shared.with_group(space, name, &mut |group| {
        stored = group.put(DEFINITION, bytes)
    });
    stored
}

/// Makes room for the only definition of its kind.
fn only(shared: &dyn Shared, space: Space, name: &[u8]) {
    let names = shared.group_names(space).into_iter();
    names
        .filter(|other| other != name)
        .for_each(|other| discard(shared, space, &other));
}

fn get<T>(
    shared: &dyn Shared,
    space: Space,
    name: &[u8],
    decode: fn(&[u8]) -> Option<T>,
) -> Option<T> {
    let mut found = None;
    shared.with_group(space, name, &mut |group| {
        found = group.get(DEFINITION).and_then(decode);
    });
    found
}
