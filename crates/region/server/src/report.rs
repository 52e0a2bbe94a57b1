//! Statistics: every bounded thing with its limit, its peak and how often the limit was reached.

use super::{Inner, asynchronous, interval};
use transom_region_api::{Statistic, StatisticsGroup};
use transom_wire::Space;

pub(super) fn statistics(inner: &Inner) -> Vec<StatisticsGroup> {
    let (counts, classes) = inner.dispatcher.counts();
    let installed = |space| inner.pool.shared().group_names(space).len();
    let (programs, transactions) = (installed(Space::Program), installed(Space::Transaction));
    let pool = inner.pool.statistics();
    let mut groups = vec![
        group(
            "transaction manager",
            &[
                ("max_tasks", u64::from(inner.dispatcher.max_tasks())),
                ("active", counts.active as u64),
                ("active_peak", counts.active_peak as u64),
                ("times_at_max", counts.times_at_max),
                ("queued", counts.queued as u64),
                ("queued_peak", counts.queued_peak as u64),
                ("times_queue_full", counts.times_queue_full),
                ("attached_total", counts.admitted),
            ],
        ),
        group("program", &[("installed", programs as u64)]),
        group("transaction", &[("installed", transactions as u64)]),
        group(
            "COBOL workers",
            &[
                ("workers", pool.workers as u64),
                ("workers_peak", pool.workers_peak as u64),
                ("spawned", pool.spawned),
                ("ended", pool.ended),
                ("died_with_task", pool.died),
                ("zygote_restarts", pool.zygote_restarts),
                ("tasks_completed", pool.completed),
                ("tasks_refused", pool.refused),
            ],
        ),
        group(
            "storage manager",
            &[
                ("shared_used_bytes", pool.shared_used as u64),
                ("shared_limit_bytes", pool.shared_total as u64),
            ],
        ),
    ];
    groups.push(StatisticsGroup {
        name: "terminal control",
        values: inner.terminals.statistics(),
    });
    groups.extend(queue_groups(inner));
    groups.extend(super::file_control::statistics(inner));
    for class in classes {
        groups.push(group(
            "transaction class",
            &[
                ("max_active", u64::from(class.limit.max_active)),
                ("purge_threshold", u64::from(class.limit.purge_threshold)),
                ("active", u64::from(class.active)),
                ("active_peak", u64::from(class.peak)),
                ("queued", class.queued as u64),
                ("times_at_max", class.times_at_max),
                ("purged", class.purged),
            ],
        ));
    }
    groups
}

fn queue_groups(inner: &Inner) -> [StatisticsGroup; 5] {
    let [(requests, requests_max), (bytes, bytes_max)] = interval::counts(inner);
    let (memory, memory_max) = inner.services.transient.memory_bytes();
    let children = inner.children.of_one_parent();
    let (auxiliary, auxiliary_max) = inner.services.queues.spill.figures();
    let answers = inner.children.answer_bytes();
    let journals = inner.services.files.journals();
    [
        group(
            "journals",
            &[
                ("journals", journals[0]),
                ("journals_limit", super::file_control::JOURNALS_MAX as u64),
                ("times_at_journals_limit", journals[4]),
                ("files", journals[1]),
                ("writes", journals[2]),
                ("flushes", journals[3]),
            ],
        ),
        group(
            "temporary storage",
            &[
                ("disk_bytes", auxiliary.0),
                ("disk_bytes_peak", auxiliary.1),
                ("disk_bytes_limit", auxiliary_max),
                ("times_at_disk_bytes_limit", auxiliary.2),
            ],
        ),
        group(
            "interval control",
            &[
                ("requests", requests.0),
                ("requests_peak", requests.1),
                ("requests_limit", requests_max),
                ("times_at_requests_limit", requests.2),
                ("data_bytes", bytes.0),
                ("data_bytes_peak", bytes.1),
                ("data_bytes_limit", bytes_max),
                ("times_at_data_bytes_limit", bytes.2),
            ],
        ),
        group(
            "transient data",
            &[
                ("memory_bytes", memory.0),
                ("memory_bytes_peak", memory.1),
                ("memory_bytes_limit", memory_max),
                ("times_at_memory_bytes_limit", memory.2),
            ],
        ),
        group(
            "asynchronous services",
            &[
                ("children_of_a_task_peak", children.1),
                ("children_of_a_task_limit", inner.children.most() as u64),
                ("times_at_children_limit", children.2),
                ("answer_bytes", answers.0),
                ("answer_bytes_peak", answers.1),
                ("answer_bytes_limit", asynchronous::ANSWER_BYTES_MAX),
                ("times_at_answer_bytes_limit", answers.2),
            ],
        ),
    ]
}

fn group(name: &'static str, values: &[(&'static str, u64)]) -> StatisticsGroup {
    StatisticsGroup {
        name,
        values: values
            .iter()
            .map(|(name, value)| Statistic {
                name,
                value: *value,
            })
            .collect(),
    }
}
