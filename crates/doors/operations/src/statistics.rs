//! Statistics of a region as metrics.
//!
//! What: each group is the beginning of names, each figure a family: `times_at_max` of `transaction
//! manager` is `transom_transaction_manager_times_at_max_total`. Several groups of one name (two
//! listeners) are told apart by their number. Why a table of counters: Prometheus makes rates of
//! what only grows, and of nothing else. Not here: the figures.

use transom_region_api::{Statistic, StatisticsGroup};
use transom_telemetry::{Exposition, Kind};
use transom_types::TransClass;

/// Figures that only grow while a region runs, beside those that begin with `times_`.
const COUNTERS: [&str; 28] = [
    "attached_total",
    "backed_out",
    "backouts",
    "commits",
    "committed",
    "connection_waits",
    "connections_opened",
    "deadlocks",
    "died_with_task",
    "direct_writes",
    "ended",
    "groups",
    "lock_timeouts",
    "lock_waits",
    "logons",
    "logons_refused",
    "performance_records",
    "purged",
    "records_lost",
    "requests_resent",
    "retained_refusals",
    "spans_lost",
    "spans_sent",
    "spawned",
    "tasks_completed",
    "tasks_refused",
    "zygote_restarts",
    "passwords_checked",
];
/// Shown by class instead.
const CLASSES: &str = "transaction class";

fn is_counter(name: &str) -> bool {
    name.starts_with("times_") || COUNTERS.contains(&name)
}

/// `transom_GROUP_NAME`, with the ending that counters have.
fn family(out: &mut Exposition, group: &str, name: &str) {
    let counts = is_counter(name);
    let (kind, end) = match counts {
        true if !name.ends_with("_total") => (Kind::Counter, "_total"),
        true => (Kind::Counter, ""),
        false => (Kind::Gauge, ""),
    };
    let full = format!("transom_{}_{name}{end}", group.to_ascii_lowercase());
    let help = format!("{} of the statistics of {group}.", name.replace('_', " "));
    out.family(&full, kind, &help);
}

/// All groups but those of classes.
pub(crate) fn put(out: &mut Exposition, groups: &[StatisticsGroup]) {
    let mut done: Vec<&str> = vec![CLASSES];
    for group in groups {
        if done.contains(&group.name) {
            continue;
        }
        done.push(group.name);
        let same: Vec<_> = groups.iter().filter(|g| g.name == group.name).collect();
        for (at, figure) in group.values.iter().enumerate() {
            if group.values[..at].iter().any(|v| v.name == figure.name) {
                continue;
            }
            family(out, group.name, figure.name);
            for (number, one) in (1..).zip(&same) {
                let Some(value) = value(&one.values, figure.name) else {
                    continue;
                };
                match same.len() {
                    1 => out.sample(&[], value),
                    _ => out.sample(&[("number", &format!("{number}"))], value),
                }
            }
        }
    }
}

/// Figures of classes, by their names.
pub(crate) fn put_classes(out: &mut Exposition, classes: &[(TransClass, Vec<Statistic>)]) {
    let Some((_, first)) = classes.first() else {
        return;
    };
    for figure in first {
        family(out, CLASSES, figure.name);
        for (class, values) in classes {
            if let Some(value) = value(values, figure.name) {
                out.sample(&[("class", &crate::names::text(class.as_bytes()))], value);
            }
        }
    }
}

fn value(values: &[Statistic], name: &str) -> Option<u64> {
    values.iter().find(|v| v.name == name).map(|v| v.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(name: &'static str, values: &[(&'static str, u64)]) -> StatisticsGroup {
        let values = values.iter();
        StatisticsGroup {
            name,
            values: values
                .map(|(name, value)| Statistic {
                    name,
                    value: *value,
                })
                .collect(),
        }
    }

    #[test]
    fn a_family_is_told_once_with_all_that_have_it() {
        let mut out = Exposition::default();
        let groups = [
            group(
                "TN3270 listener",
                &[("connections_peak", 7), ("times_at_connections_max", 1)],
            ),
            group("record store", &[("commits", 9)]),
            group("transaction class", &[("active", 1)]),
            group(
                "TN3270 listener",
                &[("connections_peak", 8), ("times_at_connections_max", 0)],
            ),
        ];
        put(&mut out, &groups);
        let text = out.into_text();
        let lines: Vec<_> = text.lines().filter(|l| !l.starts_with("# HELP")).collect();
        assert_eq!(
            lines,
            [
                "# TYPE transom_tn3270_listener_connections_peak gauge",
                "transom_tn3270_listener_connections_peak{number=\"1\"} 7",
                "transom_tn3270_listener_connections_peak{number=\"2\"} 8",
                "# TYPE transom_tn3270_listener_times_at_connections_max_total counter",
                "transom_tn3270_listener_times_at_connections_max_total{number=\"1\"} 1",
                "transom_tn3270_listener_times_at_connections_max_total{number=\"2\"} 0",
                "# TYPE transom_record_store_commits_total counter",
                "transom_record_store_commits_total 9",
            ]
        );
    }
}
