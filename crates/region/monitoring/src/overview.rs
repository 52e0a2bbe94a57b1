//! What there is in a region, read from the memory that region and workers share.
//!
//! Why here: who looks from beside wants rows of every domain, and must neither ask a service nor
//! hold a lock that work waits for longer than it takes to read one row. Not here: how rows are
//! shown.

use crate::gauge::group;
use transom_region_api::{FileRow, Listed, Lists, QueueRow, StatisticsGroup, TaskRow};
use transom_types::FileName;
use transom_wire::definitions::{FileCounts, FileEntry, FileUse, TaskEntry, TdKind, TdQueueEntry};
use transom_wire::temporary_storage::Header;
use transom_wire::{Shared, Space};

/// At most so many of each kind; classes are the dispatcher's.
pub fn lists(shared: &dyn Shared, rows_max: usize) -> Lists {
    Lists {
        tasks: tasks(shared, rows_max),
        files: files(shared, rows_max),
        queues: queues(shared, rows_max),
        classes: Vec::new(),
    }
}

/// Figures of all files together, of which so many are open.
pub fn file_statistics(shared: &dyn Shared, open: u64) -> StatisticsGroup {
    let names = shared.group_names(Space::File);
    let mut total = FileCounts::default();
    for name in &names {
        let counts = FileEntry::counts(shared, FileName::from_field(name));
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum = sum.wrapping_add(count);
        }
    }
    let of = |used: FileUse| total.get(used as usize).copied().unwrap_or(0);
    group(
        "file control",
        &[
            ("installed", names.len() as u64),
            ("open", open),
            ("reads", of(FileUse::Read)),
            ("reads_for_update", of(FileUse::ReadUpdate)),
            ("browse_reads", of(FileUse::Browse)),
            ("adds", of(FileUse::Add)),
            ("updates", of(FileUse::Update)),
            ("deletes", of(FileUse::Delete)),
        ],
    )
}

/// Names of a space in order; the first of them, and how many there are.
fn names(shared: &dyn Shared, space: Space, most: usize) -> (Vec<Vec<u8>>, usize) {
    let mut names = shared.group_names(space);
    let total = names.len();
    names.sort();
    names.truncate(most);
    (names, total)
}

fn tasks(shared: &dyn Shared, rows_max: usize) -> Listed<TaskRow> {
    let (names, total) = names(shared, Space::Task, rows_max);
    let numbers = names.iter().filter_map(|name| name[..].try_into().ok());
    let entries = numbers.filter_map(|n| TaskEntry::find(shared, u32::from_be_bytes(n)));
    let rows = entries.map(|task| TaskRow {
        number: task.task_number,
        transid: task.transid,
        program: task.program,
        userid: task.userid,
        terminal: task.terminal,
        waits_for: task.suspend_type.to_string(),
    });
    Listed {
        rows: rows.collect(),
        total,
    }
}

fn files(shared: &dyn Shared, rows_max: usize) -> Listed<FileRow> {
    let (names, total) = names(shared, Space::File, rows_max);
    let names = names.iter().map(|name| FileName::from_field(name));
    let rows = names.filter_map(|name| {
        let file = FileEntry::find(shared, name)?;
        let [read, read_update, browse, add, update, delete] = FileEntry::counts(shared, name);
        Some(FileRow {
            name,
            dsname: file.dsname,
            open: file.shape.is_some(),
            requests: [
                ("read", read),
                ("read_update", read_update),
                ("browse", browse),
                ("add", add),
                ("update", update),
                ("delete", delete),
            ],
        })
    });
    Listed {
        rows: rows.collect(),
        total,
    }
}

fn queues(shared: &dyn Shared, rows_max: usize) -> Listed<QueueRow> {
    let (transient, of_transient) = names(shared, Space::TransientData, rows_max);
    let mut rows: Vec<QueueRow> = Vec::new();
    for name in transient {
        let Ok(key) = name[..].try_into() else {
            continue;
        };
        if let Some(queue) = TdQueueEntry::find(shared, key) {
            rows.push(QueueRow {
                kind: kind(queue.kind),
                name,
                items: None,
            });
        }
    }
    let (main, of_main) = names(shared, Space::TsMain, rows_max - rows.len().min(rows_max));
    for name in main {
        let mut header = None;
        shared.with_group(Space::TsMain, &name, &mut |group| {
            header = Header::read(group);
        });
        if let Some(header) = header {
            rows.push(QueueRow {
                kind: "temporary storage",
                name,
                items: Some(header.count),
            });
        }
    }
    Listed {
        rows,
        total: of_transient + of_main,
    }
}

fn kind(kind: TdKind) -> &'static str {
    match kind {
        TdKind::Intra => "transient data, intrapartition",
        TdKind::Output => "transient data, output file",
        TdKind::Input => "transient data, input file",
        TdKind::Reader => "transient data, internal reader",
        TdKind::Log => "transient data, log",
        TdKind::Indirect => "transient data, indirect",
        TdKind::Remote => "transient data, remote",
    }
}
