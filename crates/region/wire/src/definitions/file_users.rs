//! Tasks that browse a file.
//!
//! What: their numbers, beside the installed file. Why: a browse is kept by its worker and only
//! reads, so nothing else tells the region that a file must not be closed yet. Not here: tasks that
//! hold or changed records, whom the region knows (`region/server/file_control::users`).

use crate::shared::{Shared, Space};
use transom_types::FileName;

/// Item with the numbers.
const USERS: u32 = 3;
/// Most tasks that are kept; a close does not wait for more.
const USERS_MAX: usize = 1_000;

/// A task begins its first browse of a file. Numbers of tasks that are gone (`alive` says so) make
/// room.
pub fn enter(shared: &dyn Shared, name: FileName, task: u32, alive: impl Fn(u32) -> bool) {
    let mut full = false;
    change(shared, name, |users| {
        full = users.len() >= USERS_MAX;
        if !full {
            users.push(task);
        }
    });
    if full {
        // Outside of the lock of the file: to look at a task takes another one.
        let gone: Vec<u32> = users(shared, name)
            .into_iter()
            .filter(|user| !alive(*user))
            .collect();
        change(shared, name, |users| {
            users.retain(|user| !gone.contains(user));
            if users.len() < USERS_MAX {
                users.push(task);
            }
        });
    }
}

/// A task ends its last browse of a file.
pub fn leave(shared: &dyn Shared, name: FileName, task: u32) {
    change(shared, name, |users| users.retain(|user| *user != task));
}

/// The tasks; some may have died.
pub fn users(shared: &dyn Shared, name: FileName) -> Vec<u32> {
    let mut users = Vec::new();
    shared.with_group(Space::File, name.as_bytes(), &mut |group| {
        users = numbers(group.get(USERS).unwrap_or_default());
    });
    users
}

fn change(shared: &dyn Shared, name: FileName, mut change: impl FnMut(&mut Vec<u32>)) {
    shared.with_group(Space::File, name.as_bytes(), &mut |group| {
        let mut users = numbers(group.get(USERS).unwrap_or_default());
        change(&mut users);
        if users.is_empty() {
            group.remove(USERS);
            return;
        }
        let bytes: Vec<u8> = users.iter().flat_map(|user| user.to_be_bytes()).collect();
        // Without room a close does not wait for the task.
        let _kept = group.put(USERS, &bytes);
    });
}

fn numbers(bytes: &[u8]) -> Vec<u32> {
    let chunks = bytes.as_chunks::<4>().0.iter();
    chunks.map(|number| u32::from_be_bytes(*number)).collect()
}
