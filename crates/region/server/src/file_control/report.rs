//! Statistics of files, units of work and the record store.

use crate::Inner;
use crate::replier::lock;
use transom_region_api::{Statistic, StatisticsGroup};
use transom_types::ProgramName;
use transom_wire::Space;
use transom_wire::definitions::{FileEntry, FileUse};

/// All groups.
pub(crate) fn statistics(inner: &Inner) -> Vec<StatisticsGroup> {
    let mut groups = vec![files(inner), units(inner)];
    let Some(store) = inner.services.uows.store() else {
        return groups;
    };
    let stats = store.stats();
    groups.push(group(
        "record store",
        &[
            ("commits", stats.commits),
            ("backouts", stats.backouts),
            ("direct_writes", stats.writes_now),
            ("groups", stats.groups),
            ("lock_waits", stats.lock_waits),
            ("lock_timeouts", stats.lock_timeouts),
            ("deadlocks", stats.deadlocks),
            ("retained_refusals", stats.retained_refusals),
        ],
    ));
    groups.extend(stats.limits.iter().map(|limit| {
        group(
            limit.name,
            &[
                ("now", limit.now),
                ("peak", limit.peak),
                ("limit", limit.limit),
                ("times_at_limit", limit.reached),
            ],
        )
    }));
    groups
}

/// All files together.
fn files(inner: &Inner) -> StatisticsGroup {
    let shared = inner.pool.shared();
    let names = shared.group_names(Space::File);
    let mut total = transom_wire::definitions::FileCounts::default();
    for name in &names {
        let counts = FileEntry::counts(shared, ProgramName::from_field(name));
        for (sum, count) in total.iter_mut().zip(counts) {
            *sum = sum.wrapping_add(count);
        }
    }
    let of = |used: FileUse| total.get(used as usize).copied().unwrap_or(0);
    let open = lock(&inner.services.files.open).len();
    group(
        "file control",
        &[
            ("installed", names.len() as u64),
            ("open", open as u64),
            ("reads", of(FileUse::Read)),
            ("reads_for_update", of(FileUse::ReadUpdate)),
            ("browse_reads", of(FileUse::Browse)),
            ("adds", of(FileUse::Add)),
            ("updates", of(FileUse::Update)),
            ("deletes", of(FileUse::Delete)),
        ],
    )
}

fn units(inner: &Inner) -> StatisticsGroup {
    let (committed, backed_out, active) = inner.services.uows.counts();
    group(
        "units of work",
        &[
            ("active", active as u64),
            ("committed", committed),
            ("backed_out", backed_out),
        ],
    )
}

fn group(name: &'static str, values: &[(&'static str, u64)]) -> StatisticsGroup {
    let statistic = |(name, value): &(&'static str, u64)| Statistic {
        name,
        value: *value,
    };
    StatisticsGroup {
        name,
        values: values.iter().map(statistic).collect(),
    }
}
