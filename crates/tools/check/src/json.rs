//! The report as JSON for scripts.
//!
//! Members are only ever added. Not here: colour, order of findings by weight.

use crate::report::{Programs, Report};
use serde_json::{Map, Value, json};
use transom_system::Finding;

/// One document with a line feed at its end.
pub(crate) fn document(dir: &str, report: &Report, found: &[Finding]) -> String {
    let without_effect: Map<String, Value> = report
        .without_effect
        .iter()
        .map(|(kind, names)| ((*kind).to_owned(), json!(names)))
        .collect();
    let document = json!({
        "directory": dir,
        "errors": found.iter().filter(|f| f.is_error).count(),
        "programs": programs(&report.programs),
        "mapsets": {
            "ok": report.maps.ready,
            "withoutSource": report.maps.without_source,
        },
        "files": list(&report.files, |row| json!({
            "file": row.file,
            "dataSet": row.dsname,
            "isThere": row.state.is_there(),
            "state": row.state.to_string(),
        })),
        "transactions": {
            "canStart": report.transactions.start,
            "cannotStart": list(&report.transactions.cannot, |(transaction, program, why)| json!({
                "transaction": transaction,
                "program": program,
                "why": why,
            })),
        },
        "apis": list(&report.apis, |row| json!({
            "method": row.method,
            "path": row.path,
            "program": row.program,
            "ok": row.why_not.is_none(),
            "why": row.why_not,
        })),
        "invreq": list(&report.invreq, |(what, users)| json!({
            "command": what,
            "programs": list(users, |(program, uses)| json!({"program": program, "uses": uses})),
        })),
        "unknown": list(&report.unknown, |row| json!({
            "name": row.what,
            "why": row.why,
            "programs": row.users,
        })),
        "withoutEffect": without_effect,
        "findings": list(found, |finding| json!({
            "error": finding.is_error,
            "text": finding.text,
        })),
    });
    format!("{document:#}\n")
}

fn list<T>(rows: impl IntoIterator<Item = T>, row: impl Fn(T) -> Value) -> Value {
    rows.into_iter().map(row).collect()
}

fn programs(programs: &Programs) -> Value {
    let needs: Map<String, Value> = programs
        .needs
        .iter()
        .map(|(facility, names)| (facility.name().to_owned(), json!(names)))
        .collect();
    json!({
        "ok": programs.ready,
        "need": needs,
        "fail": programs.failed,
        "withoutSource": programs.without_source,
        "copybooks": programs.copybooks,
    })
}
