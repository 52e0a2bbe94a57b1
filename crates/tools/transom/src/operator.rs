//! What the operator is told, on standard error.
//!
//! What: the one sink of region, doors and tools. Lines of a door that serves have time and level,
//! all others stand as they are; `RUST_LOG` chooses how much of the doors is shown. Why here: rooms
//! know no log, so a queue or another format comes into this file alone. Not here: the results of a
//! command, which it prints itself.

use std::sync::LazyLock;
use transom_messages::{Line, Operator, Severity, Source};

static OPERATOR: LazyLock<Operator> = LazyLock::new(|| Operator::new(|line| write(&line)));

/// The way to the operator.
pub(crate) fn operator() -> Operator {
    OPERATOR.clone()
}

fn write(line: &Line) {
    match (line.source, line.task) {
        (Source::Door, _) => write_of_door(line),
        (Source::Display, task) => eprintln!("[{task:07}] {line}"),
        (_, 0) => eprintln!("{line}"),
        (_, task) => eprintln!("{line} (task {task})"),
    }
}

fn write_of_door(line: &Line) {
    let mut text = line.to_string();
    for (name, value) in &line.fields {
        text += &format!(" {name}={value}");
    }
    match line.level {
        Severity::Information => tracing::info!("{text}"),
        Severity::Warning => tracing::warn!("{text}"),
        Severity::Error | Severity::Severe => tracing::error!("{text}"),
    }
}
