//! The report as a table for people.
//!
//! A heading for what each part is about, counts behind it, and below it what is not as it should
//! be by name. Not here: colour; the table is the same in a pipe.

use crate::report::{Programs, Report};
use std::fmt::Write as _;

/// Where names begin.
const INDENT: usize = 18;
/// Columns of a line.
const WIDTH: usize = 100;

/// The table.
pub(crate) fn text(report: &Report) -> String {
    let mut out = String::from("\n");
    programs(&mut out, &report.programs);
    row(&mut out, "maps", &count(report.maps.ready.len(), "mapset"));
    names(&mut out, "no source", &report.maps.without_source);
    files(&mut out, report);
    transactions(&mut out, report);
    apis(&mut out, report);
    invreq(&mut out, report);
    unknown(&mut out, report);
    for (n, (kind, list)) in report.without_effect.iter().enumerate() {
        if n == 0 {
            row(
                &mut out,
                "without effect",
                "definitions of what is not here",
            );
        }
        names(&mut out, &kind.to_ascii_lowercase(), list);
    }
    out.push('\n');
    out
}

fn programs(out: &mut String, programs: &Programs) {
    let mut counts = format!("{} ok", programs.ready.len());
    for (facility, list) in &programs.needs {
        let _ = write!(counts, ", {} need {}", list.len(), facility.name());
    }
    let _ = write!(counts, ", {} fail", programs.failed.len());
    row(out, "programs", &counts);
    for (facility, list) in &programs.needs {
        names(out, &format!("need {}", facility.name()), list);
    }
    names(out, "fail", &programs.failed);
    names(out, "no source", &programs.without_source);
    names(out, "copybooks", &programs.copybooks);
}

fn files(out: &mut String, report: &Report) {
    let there = report.files.iter().filter(|row| row.state.is_there());
    let there = there.count();
    let counts = format!(
        "{there} with data set, {} without",
        report.files.len() - there
    );
    row(out, "files", &counts);
    for file in &report.files {
        let state = &file.state;
        row(
            out,
            &format!("  {}", file.file),
            format!("{} {state}", file.dsname).trim(),
        );
    }
}

fn transactions(out: &mut String, report: &Report) {
    let (start, cannot) = (&report.transactions.start, &report.transactions.cannot);
    let counts = format!("{} can start, {} cannot", start.len(), cannot.len());
    row(out, "transactions", &counts);
    names(out, "can start", start);
    for (transaction, _, why) in cannot {
        row(out, &format!("  {transaction}"), why);
    }
}

fn apis(out: &mut String, report: &Report) {
    if report.apis.is_empty() {
        return;
    }
    let ready = report.apis.iter().filter(|api| api.why_not.is_none());
    let counts = format!(
        "{} of {} operations have their program",
        ready.count(),
        report.apis.len()
    );
    row(out, "APIs", &counts);
    for api in &report.apis {
        let state = api.why_not.as_deref().unwrap_or("ok");
        let line = format!("{} {} {state}", api.path, api.program);
        row(out, &format!("  {}", api.method), &line);
    }
}

fn invreq(out: &mut String, report: &Report) {
    if report.invreq.is_empty() {
        return;
    }
    let counts = count(report.invreq.len(), "command");
    row(out, "answer INVREQ", &format!("{counts} not supported"));
    for (what, users) in &report.invreq {
        let users: Vec<String> = users
            .iter()
            .map(|(program, uses)| match uses {
                1 => program.clone(),
                n => format!("{program} ({n})"),
            })
            .collect();
        row(out, &format!("  {what}"), &users.join(" "));
    }
}

fn unknown(out: &mut String, report: &Report) {
    for (n, name) in report.unknown.iter().enumerate() {
        if n == 0 {
            row(out, "named, not there", "what programs name by literals");
        }
        let users = name.users.join(" ");
        row(
            out,
            &format!("  {}", name.what),
            &format!("{}: {users}", name.why),
        );
    }
}

fn count(n: usize, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

/// A label and what is behind it, broken between words.
fn row(out: &mut String, label: &str, text: &str) {
    let mut line = format!("{label:INDENT$}");
    if label.len() >= INDENT {
        line.push_str("  ");
    }
    let mut begun = false;
    for word in text.split(' ') {
        if begun && line.len() + 1 + word.len() > WIDTH {
            out.push_str(line.trim_end());
            out.push('\n');
            line = " ".repeat(INDENT);
            begun = false;
        }
        if begun {
            line.push(' ');
        }
        line.push_str(word);
        begun = true;
    }
    out.push_str(line.trim_end());
    out.push('\n');
}

/// Names below a heading; nothing where there are none.
fn names(out: &mut String, label: &str, names: &[String]) {
    if !names.is_empty() {
        row(out, &format!("  {label}"), &names.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_rows_are_broken_between_names() {
        let mut out = String::new();
        let many: Vec<String> = (0..20).map(|n| format!("PROGRA{n:02}")).collect();
        names(&mut out, "need SQL", &many);
        let lines: Vec<&str> = out.lines().collect();
        assert!(lines.iter().all(|line| line.len() <= WIDTH), "{out}");
        assert!(lines[0].starts_with("  need SQL        PROGRA00 "), "{out}");
        assert!(lines[1].starts_with("                  PROGRA"), "{out}");
    }
}
