//! `/metrics`: all figures as Prometheus reads them.
//!
//! What: facts of the region, statistics with limits, peaks and times reached, how long tasks and
//! requests took, requests to files, what the operator was told. Each kind of thing has a bounded
//! number of series; what is beyond is counted together or said to be missing. A text is kept for a
//! fifth of a second: clients by the thousand cost no more than a few. Not here: how a text is
//! written (`telemetry`).

use crate::desk::{Desk, Told};
use crate::reply::{self, METRICS, Reply};
use crate::shared::Shared;
use crate::{health, names, process, statistics};
use bytes::Bytes;
use hyper::StatusCode;
use std::sync::PoisonError;
use std::time::{Duration, Instant};
use transom_region_api::FileRow;
use transom_telemetry::{Exposition, Kind, OperationFigures, TimedAll};

/// How long a text is handed out.
const KEPT: Duration = Duration::from_millis(200);
/// Room set aside for a text; the last one's length is what the next one will have.
const ROOM: usize = 64 * 1_024;
/// Names of levels in the order of their counts.
const LEVELS: [&str; 4] = ["information", "warning", "error", "severe"];

/// Answers a scrape.
pub(crate) fn answer(shared: &Shared) -> Reply {
    let mut kept = shared
        .metrics
        .lock()
        .unwrap_or_else(PoisonError::into_inner);
    let now = Instant::now();
    let fresh = |since: &Instant| now.duration_since(*since) < KEPT;
    let text = match &*kept {
        Some((since, text)) if fresh(since) => text.clone(),
        last => {
            let room = last.as_ref().map_or(ROOM, |(_, text)| text.len() + ROOM);
            let text = Bytes::from(text(shared, room));
            *kept = Some((now, text.clone()));
            text
        }
    };
    drop(kept);
    reply::document(StatusCode::OK, METRICS, text)
}

fn text(shared: &Shared, room: usize) -> String {
    let desk = &shared.desk;
    let mut out = Exposition::with_capacity(room);
    region(&mut out, desk);
    process::put(&mut out);
    statistics::put(&mut out, &desk.control.statistics().unwrap_or_default());
    let lists = desk.overview.lists(shared.rows_max);
    let classes = &lists.classes[..lists.classes.len().min(shared.rows_max)];
    statistics::put_classes(&mut out, classes);
    files(&mut out, &lists.files.rows);
    let mut missing = vec![
        ("file", lists.files.total - lists.files.rows.len()),
        ("class", lists.classes.len() - classes.len()),
    ];
    let times = desk.overview.times();
    tasks(&mut out, "transaction", &times.transactions, |t| {
        names::text(t.as_bytes()).into_owned()
    });
    tasks(&mut out, "program", &times.programs, |p| {
        names::text(p.as_bytes()).into_owned()
    });
    if let Some(opened) = desk.opened.get() {
        let mut all = (opened.operations)();
        missing.push(("operation", all.len().saturating_sub(shared.rows_max)));
        all.truncate(shared.rows_max);
        operations(&mut out, &all);
    }
    told(&mut out, &(desk.told)());
    let help = "Things of a kind that have no series of their own, for there are too many.";
    out.family("transom_series_missing", Kind::Gauge, help);
    for (kind, number) in missing {
        out.sample(&[("kind", kind)], number as u64);
    }
    out.into_text()
}

/// Identity, size and state.
fn region(out: &mut Exposition, desk: &Desk) {
    let Ok(info) = desk.control.info() else {
        return;
    };
    out.family(
        "transom_info",
        Kind::Gauge,
        "The region that runs; always 1.",
    );
    let (applid, sysid) = (info.applid.as_str(), info.sysid.as_str());
    let facts = [
        ("applid", applid),
        ("sysid", sysid),
        ("version", desk.version),
    ];
    out.sample(&facts, 1);
    let gauges = [
        (
            "transom_ready",
            "The region takes work: 1.",
            u64::from(health::is_ready(desk)),
        ),
        ("transom_tasks", "User tasks now.", info.tasks.into()),
        ("transom_tasks_max", "MXT.", info.max_tasks.into()),
        (
            "transom_workers",
            "COBOL worker processes now.",
            info.workers.into(),
        ),
    ];
    for (name, help, value) in gauges {
        out.family(name, Kind::Gauge, help);
        out.sample(&[], value);
    }
}

/// How long tasks took, by transaction or by program; `others="true"` are those beyond the bound.
fn tasks<K>(out: &mut Exposition, by: &str, all: &TimedAll<K>, name: impl Fn(&K) -> String) {
    let help = format!("From the attach of a task to its end, by {by}; others: beyond the bound.");
    let named: Vec<String> = all.by_name.iter().map(|timed| name(&timed.name)).collect();
    out.family(
        &format!("transom_task_{by}_seconds"),
        Kind::Histogram,
        &help,
    );
    for (name, timed) in named.iter().zip(&all.by_name) {
        out.histogram(&[(by, name), ("others", "")], &timed.times);
    }
    out.histogram(&[(by, ""), ("others", "true")], &all.others);
    let help = format!("Tasks that abended, by {by}; others: beyond the bound.");
    out.family(
        &format!("transom_task_{by}_abends_total"),
        Kind::Counter,
        &help,
    );
    for (name, timed) in named.iter().zip(&all.by_name) {
        out.sample(&[(by, name), ("others", "")], timed.failed);
    }
    out.sample(&[(by, ""), ("others", "true")], all.others_failed);
}

fn files(out: &mut Exposition, files: &[FileRow]) {
    if files.is_empty() {
        return;
    }
    let help = "Requests to a file since it was installed, by kind.";
    out.family("transom_file_requests_total", Kind::Counter, help);
    for file in files {
        let name = names::text(file.name.as_bytes());
        for (request, count) in file.requests {
            out.sample(&[("file", &name), ("request", request)], count);
        }
    }
    out.family("transom_file_open", Kind::Gauge, "The file is open: 1.");
    for file in files {
        let name = names::text(file.name.as_bytes());
        out.sample(&[("file", &name)], u64::from(file.open));
    }
}

fn operations(out: &mut Exposition, all: &[OperationFigures]) {
    if all.is_empty() {
        return;
    }
    let labels = all.iter().map(|one| {
        [
            ("api", &*one.api),
            ("method", &*one.method),
            ("path", &*one.path),
        ]
    });
    let labels: Vec<_> = labels.collect();
    let help = "From the headers of a request to its reply, by operation of an API; a service that \
                is invoked by itself has no API.";
    out.family("transom_api_request_seconds", Kind::Histogram, help);
    for (labels, one) in labels.iter().zip(all) {
        out.histogram(labels, &one.times);
    }
    type Counter = (&'static str, &'static str, fn(&OperationFigures) -> u64);
    let counters: [Counter; 3] = [
        (
            "transom_api_failures_total",
            "Requests that did not get the program's reply.",
            |one| one.failures,
        ),
        (
            "transom_api_request_bytes_total",
            "Bytes of bodies received.",
            |one| one.request_bytes,
        ),
        (
            "transom_api_response_bytes_total",
            "Bytes of bodies sent for successful requests.",
            |one| one.response_bytes,
        ),
    ];
    for (name, help, value) in counters {
        out.family(name, Kind::Counter, help);
        for (labels, one) in labels.iter().zip(all) {
            out.sample(labels, value(one));
        }
    }
}

fn told(out: &mut Exposition, told: &Told) {
    let help = "Lines the operator was told, by level.";
    out.family("transom_messages_total", Kind::Counter, help);
    for (level, count) in LEVELS.into_iter().zip(told.counts) {
        out.sample(&[("level", level)], count);
    }
    let help = "Lines for the operator that could not be written.";
    out.family("transom_messages_lost_total", Kind::Counter, help);
    out.sample(&[], told.lost);
    let help = "Lines of the access log that nobody could write.";
    out.family("transom_access_lines_lost_total", Kind::Counter, help);
    out.sample(&[], told.access_lost);
}
