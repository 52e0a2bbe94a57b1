//! Rules of Db2 that engines do not share, one statement after another with what Db2 answers: the
//! same on both engines.

use crate::engines::Both;
use transom_region_sql::{Script, SqlEngine};

/// A statement with what is expected: `-803`, `+100`, the rows `1 A / 2 B`; `3 rows` of a change.
fn examples() -> Vec<(String, String)> {
    let mut statement = String::new();
    let mut examples = Vec::new();
    let lines = include_str!("rules.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line.strip_prefix("=> ") {
            Some(expected) => {
                examples.push((std::mem::take(&mut statement), expected.to_owned()));
            }
            None => statement = format!("{statement} {line}").trim().to_owned(),
        }
    }
    assert!(statement.is_empty(), "{statement} has no answer");
    examples
}

/// What an engine says.
fn said(engine: &dyn SqlEngine, statement: &str) -> String {
    let mut script = Script::on(engine, "ALICE").unwrap();
    let mut said = String::new();
    let told = script.run(&format!("{statement};"), |done| {
        let row = |row: &transom_wire::sql::SqlRow| {
            let values = row.values.iter().map(ToString::to_string);
            values.collect::<Vec<_>>().join(" ")
        };
        let rows: Vec<String> = done.rows.iter().map(row).collect();
        said = match (done.answer.code, done.answer.count) {
            (0, 0) if rows.is_empty() => "done".to_owned(),
            (0, 0) => rows.join(" / "),
            (0, count) => format!("{count} rows"),
            (code, _) => format!("{code:+}"),
        };
    });
    told.unwrap();
    said
}

#[test]
fn both_engines_keep_the_rules_of_db2() {
    let Some(both) = Both::new(true) else { return };
    let mut wrong = Vec::new();
    for (statement, expected) in examples() {
        for (engine, name) in both.engines.iter().zip(["SQLite", "PostgreSQL"]) {
            let said = said(&**engine, &statement);
            if said.trim_end() != expected {
                wrong.push(format!("{name}: {statement}\n=> {said}\nnot {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}
