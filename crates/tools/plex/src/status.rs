//! What the consoles of several regions answered, as one table or one JSON object.

use serde_json::{Value, json};
use std::fmt::Write;

/// A region and what it answered.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) answer: Value,
}

/// Columns of the table of regions: heading, and where the answer has it.
const REGION: &[(&str, &str)] = &[
    ("STATE", "state"),
    ("APPLID", "applid"),
    ("SYSID", "sysid"),
    ("PROCESS", "pid"),
    ("TASKS", "tasks"),
    ("QUEUED", "queued"),
    ("WORKERS", "workers"),
    ("MIRRORS", "mirrors"),
    ("IN-DOUBT", "in_doubt"),
    ("CPU-MS", "cpu_ms"),
];

/// Those of the table of links.
const LINK: &[(&str, &str)] = &[
    ("LINK", "name"),
    ("APPLID", "applid"),
    ("STATE", "state"),
    ("SESSIONS", "sessions"),
    ("WAITING", "waiting"),
    ("ALLOCATES", "conversations"),
    ("QUEUED", "sessions_waited_for"),
    ("FAILED", "failed"),
    ("COMMANDS", "commands"),
    ("SENT", "bytes_sent"),
    ("RECEIVED", "bytes_received"),
];

/// All regions under their names.
pub(crate) fn json(all: &[Found]) -> Value {
    let one = |region: &Found| {
        let mut answer = region.answer.clone();
        answer["name"] = json!(region.name);
        answer
    };
    json!({"regions": all.iter().map(one).collect::<Vec<_>>()})
}

/// Regions, then links.
pub(crate) fn table(all: &[Found]) -> String {
    let regions = all.iter().map(|r| row(&r.name, REGION, &r.answer));
    let mut text = columns("REGION", REGION, regions.collect());
    let links: Vec<Vec<String>> = all
        .iter()
        .flat_map(|region| {
            let links = region.answer["links"].as_array().into_iter().flatten();
            links.map(|link| row(&region.name, LINK, link))
        })
        .collect();
    if !links.is_empty() {
        text += "\n";
        text += &columns("FROM", LINK, links);
    }
    text
}

fn row(name: &str, columns: &[(&str, &str)], answer: &Value) -> Vec<String> {
    let mut cells = vec![name.to_owned()];
    cells.extend(columns.iter().map(|(_, key)| cell(&answer[*key])));
    cells
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => "-".to_owned(),
        Value::String(text) => text.trim_end().to_owned(),
        other => other.to_string(),
    }
}

fn columns(first: &str, headings: &[(&str, &str)], rows: Vec<Vec<String>>) -> String {
    let mut all = vec![vec![first.to_owned()]];
    all[0].extend(headings.iter().map(|(heading, _)| (*heading).to_owned()));
    all.extend(rows);
    let width = |at: usize| all.iter().map(|row| row[at].chars().count()).max();
    let widths: Vec<usize> = (0..all[0].len()).map(|at| width(at).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in &all {
        let mut line = String::new();
        for (cell, width) in row.iter().zip(&widths) {
            let number = cell.chars().all(|c| c.is_ascii_digit());
            // A String takes whatever is written.
            let _ = match number {
                true => write!(line, "{cell:>width$}  "),
                false => write!(line, "{cell:<width$}  "),
            };
        }
        text += line.trim_end();
        text += "\n";
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_and_links_stand_below_each_other() {
        let up = json!({"state": "running", "applid": "DSWAOR1 ", "sysid": "AOR1", "pid": 12,
            "tasks": 3, "queued": 0, "workers": 4, "mirrors": 1, "in_doubt": 0, "cpu_ms": 1500,
            "links": [{"name": "FOR1", "applid": "DSWFOR1", "state": "acquired", "sessions": 2,
                "waiting": 0, "conversations": 7, "sessions_waited_for": 0, "failed": 1,
                "commands": 40, "bytes_sent": 5, "bytes_received": 6}]});
        let all = [
            Found {
                name: "AOR1".into(),
                answer: up,
            },
            Found {
                name: "FOR1".into(),
                answer: json!({"state": "down"}),
            },
        ];
        let text = table(&all);
        let lines: Vec<&str> = text.lines().collect();
        assert!(
            lines[0].starts_with("REGION  STATE    APPLID   SYSID  PROCESS  TASKS"),
            "{text}"
        );
        assert!(
            lines[1].starts_with("AOR1    running  DSWAOR1  AOR1        12"),
            "{text}"
        );
        assert!(
            lines[2].starts_with("FOR1    down     -        -"),
            "{text}"
        );
        assert!(
            lines[5].starts_with("AOR1  FOR1  DSWFOR1  acquired         2"),
            "{text}"
        );
        assert_eq!(json(&all)["regions"][1]["name"], "FOR1");
    }
}
