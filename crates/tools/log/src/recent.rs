//! The last lines, for who looks later.
//!
//! Why: whoever opens a status page wants to see what the operator was told just now, and a metric
//! counts lines without reading a log. Not here: writing lines.

use std::collections::VecDeque;
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};
use transom_messages::{Line, Severity};

/// Lines that are kept.
const LINES: usize = 200;
/// Bytes that are kept of one.
const LINE_BYTES: usize = 2_000;

/// A line that was told.
#[derive(Debug, Clone)]
pub struct Recent {
    /// When, milliseconds since 1970.
    pub unix_ms: u64,
    /// How urgent.
    pub level: Severity,
    /// What was said.
    pub text: String,
}

#[derive(Default)]
struct Kept {
    lines: VecDeque<Recent>,
    counts: [u64; 4],
}

static KEPT: LazyLock<Mutex<Kept>> = LazyLock::new(Mutex::default);

/// The last lines, oldest first, and how many there were of each level: information, warning,
/// error, severe.
pub fn recent() -> (Vec<Recent>, [u64; 4]) {
    let kept = kept();
    (kept.lines.iter().cloned().collect(), kept.counts)
}

pub(crate) fn keep(line: &Line) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let mut text = match line.task {
        0 => line.to_string(),
        // The message says it.
        _ if line.all_fields().any(|(name, _)| name == "task") => line.to_string(),
        task => format!("{line} (task {task})"),
    };
    if let Some((end, _)) = text
        .char_indices()
        .find(|(at, c)| at + c.len_utf8() > LINE_BYTES)
    {
        text.truncate(end);
    }
    let level = match line.level {
        Severity::Information => 0,
        Severity::Warning => 1,
        Severity::Error => 2,
        Severity::Severe => 3,
    };
    let mut kept = kept();
    kept.counts[level] += 1;
    if kept.lines.len() >= LINES {
        kept.lines.pop_front();
    }
    kept.lines.push_back(Recent {
        unix_ms: now.map_or(0, |now| now.as_millis() as u64),
        level: line.level,
        text,
    });
}

fn kept() -> MutexGuard<'static, Kept> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_stay_and_all_are_counted() {
        for n in 0..LINES + 5 {
            let text = format!("{n} {}", "ä".repeat(LINE_BYTES));
            keep(&Line::text(Severity::Warning, text).of_task(7));
        }
        let (lines, counts) = recent();
        assert_eq!((lines.len(), counts[1]), (LINES, LINES as u64 + 5));
        assert!(lines[0].text.starts_with("5 ä") && lines[0].text.len() <= LINE_BYTES);
        assert_eq!(lines[0].level, Severity::Warning);
    }
}
