//! Figures of a region as metrics: statistics, and how long tasks took.
//!
//! Why gauges: which figures of the statistics only grow is not theirs to say, and SET STATISTICS
//! may set them back. Transaction classes and files have no metrics of their own here; `/metrics`
//! of the operations port has them. Not here: counting, sending.

use crate::documents::{Attribute, Metric, Points};
use std::collections::BTreeMap;
use transom_region_api::{Control, Overview, StatisticsGroup};
use transom_telemetry::TimedAll;

/// Groups of which there is one for each resource.
const MANY: &str = "transaction class";

/// Figures of this moment.
pub(crate) fn figures(control: &dyn Control, overview: &dyn Overview) -> Vec<Metric> {
    let mut all = statistics(&control.statistics().unwrap_or_default());
    let times = overview.times();
    all.extend(tasks("cics.transaction", &times.transactions, |name| {
        name.as_str()
    }));
    all.extend(tasks("cics.program", &times.programs, |name| name.as_str()));
    all
}

/// `transom.GROUP.FIGURE`; groups of one name are told apart by their number.
fn statistics(groups: &[StatisticsGroup]) -> Vec<Metric> {
    type Many = Vec<(Vec<Attribute>, u64)>;
    let mut metrics: BTreeMap<String, Many> = BTreeMap::new();
    let mut seen: BTreeMap<&str, u64> = BTreeMap::new();
    for group in groups.iter().filter(|group| group.name != MANY) {
        let number = seen.entry(group.name).or_default();
        *number += 1;
        for figure in &group.values {
            let name = format!("transom.{}.{}", group.name, figure.name);
            let name = name.to_ascii_lowercase().replace(' ', "_");
            let about = match *number {
                1 => Vec::new(),
                number => vec![("transom.number", number.into())],
            };
            metrics.entry(name).or_default().push((about, figure.value));
        }
    }
    let metric = |(name, points)| Metric {
        name,
        unit: "1",
        points: Points::Gauge(points),
    };
    metrics.into_iter().map(metric).collect()
}

/// The attribute of those beyond the bound is empty.
fn tasks<K>(by: &'static str, all: &TimedAll<K>, name: fn(&K) -> &str) -> Option<Metric> {
    let named = all.by_name.iter().map(|timed| {
        let about: Vec<Attribute> = vec![(by, name(&timed.name).trim_end().into())];
        (about, timed.times)
    });
    let mut points: Vec<_> = named.collect();
    if all.others.count() > 0 {
        points.push((vec![(by, "".into())], all.others));
    }
    (!points.is_empty()).then(|| Metric {
        name: format!("{by}.duration"),
        unit: "s",
        points: Points::Times(points),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_region_api::Statistic;

    #[test]
    fn groups_of_one_name_are_one_metric_each() {
        let group = |name, value| StatisticsGroup {
            name,
            values: vec![Statistic {
                name: "accepted",
                value,
            }],
        };
        let groups = [
            group("TN3270 listener", 3),
            group("TN3270 listener", 4),
            group(MANY, 5),
        ];
        let all = statistics(&groups);
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].name, "transom.tn3270_listener.accepted");
        let Points::Gauge(points) = &all[0].points else {
            panic!("{all:?}");
        };
        let second: Vec<Attribute> = vec![("transom.number", 2.into())];
        assert_eq!(points[..], [(Vec::new(), 3), (second, 4)]);
    }
}
