//! The coverage report: which commands a program uses and what Transom does with them.

use crate::Coverage;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use transom_commands::Status;

impl Coverage {
    /// A table for people: command, number of uses, state, options that do not work.
    pub fn report(&self) -> String {
        let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
        for used in &self.uses {
            let row = rows
                .entry(used.name)
                .or_insert_with(|| Row::new(used.status));
            row.count += 1;
            for (option, status) in &used.options {
                if *status != Status::Works && !row.options.contains(&(*option, *status)) {
                    row.options.push((option, *status));
                }
            }
        }
        let mut out = format!(
            "{} EXEC CICS commands, {} kinds\n",
            self.uses.len(),
            rows.len()
        );
        for (name, row) in rows {
            let _ = write!(
                out,
                "{:>5}  {:<26} {}",
                row.count,
                name,
                describe(row.status)
            );
            let mut between = "; ";
            for (option, status) in row.options {
                let _ = write!(out, "{between}{option}: {}", describe(status));
                between = ", ";
            }
            out.push('\n');
        }
        for (kind, file, line) in &self.untranslated {
            let _ = writeln!(out, "       {kind} at {file}:{line} is not translated");
        }
        out
    }
}

struct Row {
    count: usize,
    status: Status,
    options: Vec<(&'static str, Status)>,
}

impl Row {
    fn new(status: Status) -> Self {
        Self {
            count: 0,
            status,
            options: Vec::new(),
        }
    }
}

fn describe(status: Status) -> &'static str {
    match status {
        Status::Works => "works",
        Status::Constant => "answers a constant",
        Status::Ignored => "accepted and ignored",
        Status::Invreq => "answers INVREQ",
    }
}
