//! Metrics, and the document of many.

use super::attribute::{Attribute, attributes, resource, scope};
use serde_json::{Value as Json, json};
use transom_telemetry::{BOUNDS_NS, Reading};

/// Figures under one name.
#[derive(Debug, Clone)]
pub(crate) struct Metric {
    /// `transom.task.duration`.
    pub(crate) name: String,
    /// As UCUM has it: `s`, `1`.
    pub(crate) unit: &'static str,
    /// Its figures.
    pub(crate) points: Points,
}

/// Figures, each with what it is about.
#[derive(Debug, Clone)]
pub(crate) enum Points {
    /// More or less, at this moment.
    Gauge(Vec<(Vec<Attribute>, u64)>),
    /// How long something took, in seconds, since the start.
    Times(Vec<(Vec<Attribute>, Reading)>),
}

/// What of two moments of a sum or histogram.
const CUMULATIVE: u8 = 2;

/// The document of figures that count since the first moment; `about`: who made them.
pub(crate) fn metrics(
    about: &[Attribute],
    (start_ns, now_ns): (u64, u64),
    all: &[Metric],
) -> String {
    let all: Vec<Json> = all
        .iter()
        .map(|metric| json(metric, start_ns, now_ns))
        .collect();
    let scoped = json!({"scope": scope(), "metrics": all});
    json!({"resourceMetrics": [{"resource": resource(about), "scopeMetrics": [scoped]}]})
        .to_string()
}

fn json(metric: &Metric, start_ns: u64, now_ns: u64) -> Json {
    let (start, now) = (start_ns.to_string(), now_ns.to_string());
    let number = |(about, value): &(Vec<Attribute>, u64)| {
        json!({
            "attributes": attributes(about),
            "startTimeUnixNano": start,
            "timeUnixNano": now,
            "asInt": value.to_string(),
        })
    };
    let times = |(about, reading): &(Vec<Attribute>, Reading)| {
        let counts: Vec<Json> = reading
            .counts
            .iter()
            .map(|n| n.to_string().into())
            .collect();
        let bounds: Vec<f64> = BOUNDS_NS.iter().map(|ns| *ns as f64 / 1e9).collect();
        json!({
            "attributes": attributes(about),
            "startTimeUnixNano": start,
            "timeUnixNano": now,
            "count": reading.count().to_string(),
            "sum": reading.sum_ns as f64 / 1e9,
            "bucketCounts": counts,
            "explicitBounds": bounds,
        })
    };
    let (kind, points) = match &metric.points {
        Points::Gauge(points) => {
            let points: Vec<Json> = points.iter().map(number).collect();
            ("gauge", json!({"dataPoints": points}))
        }
        Points::Times(points) => {
            let points: Vec<Json> = points.iter().map(times).collect();
            let histogram = json!({"dataPoints": points, "aggregationTemporality": CUMULATIVE});
            ("histogram", histogram)
        }
    };
    let mut out = json!({"name": metric.name, "unit": metric.unit});
    out[kind] = points;
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;
    use transom_telemetry::Histogram;

    #[test]
    fn histograms_are_in_seconds_with_all_their_places() {
        let times = Histogram::default();
        times.saw(Duration::from_millis(2));
        times.saw(Duration::from_secs(90));
        let metric = Metric {
            name: "transom.task.duration".to_owned(),
            unit: "s",
            points: Points::Times(vec![(
                vec![("cics.transaction.id", "PAY1".into())],
                times.read(),
            )]),
        };
        let read: Json = serde_json::from_str(&metrics(&[], (1, 2), &[metric])).unwrap();
        let metric = &read["resourceMetrics"][0]["scopeMetrics"][0]["metrics"][0];
        let point = &metric["histogram"]["dataPoints"][0];
        assert_eq!(
            (&point["count"], &point["sum"]),
            (&"2".into(), &90.002.into())
        );
        let counts = point["bucketCounts"].as_array().unwrap();
        let bounds = point["explicitBounds"].as_array().unwrap();
        assert_eq!(counts.len(), bounds.len() + 1);
        assert_eq!((&counts[3], &bounds[3]), (&"1".into(), &0.0025.into()));
        assert_eq!(counts.last(), Some(&"1".into()));
    }
}
