//! What becomes of a task's use of files when a browse or its unit of work ends.

use super::state::TaskFiles;
use transom_region_task::command::ask_region;
use transom_region_task::state::TaskState;
use transom_types::FileName;
use transom_wire::definitions::{FileEntry, file_users};
use transom_wire::file_control::{Action, FileRequest};
use transom_workers::seam::Host;

/// The unit of work ended: records held for update are not any more, browses are over.
pub fn uow_ended(host: &mut dyn Host, task: &mut TaskState) {
    while let Some(browse) = task.files.browses.pop() {
        browse_ended(host, &task.files, browse.file(), task.number);
    }
    task.files.held.clear();
    task.files.kept.clear();
    task.files.changed.clear();
}

/// A browse is over. The last one of a file ends its use, for which somebody may wait.
pub(super) fn browse_ended(host: &mut dyn Host, files: &TaskFiles, file: FileName, task: u32) {
    if files.browses.iter().any(|browse| browse.file() == file) {
        return;
    }
    file_users::leave(host.shared(), file, task);
    if FileEntry::find(host.shared(), file).is_some_and(|entry| entry.status.is_ending()) {
        let request = FileRequest {
            file,
            action: Action::Left,
        };
        // Nothing to do when the region has gone.
        let _answer = ask_region(host, &request);
    }
}
