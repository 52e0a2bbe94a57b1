//! What came out.

use crate::plan::{Plan, TIME_OVER};

/// Failures of a part that are shown in full.
const SHOWN_MAX: usize = 20;

/// Characters of a failure.
const TEXT_MAX: usize = 1_000;

/// Result of one part.
#[derive(Debug, Default)]
pub(crate) struct Part {
    /// Cases that ran.
    pub(crate) cases: u64,
    /// What was wrong, one text per case.
    pub(crate) failures: Vec<String>,
    /// What could not be run, with the reason.
    pub(crate) skipped: Vec<String>,
    /// Figures for the summary.
    pub(crate) notes: Vec<String>,
}

impl Part {
    /// One that could not be run at all.
    pub(crate) fn skipped(reason: impl Into<String>) -> Self {
        Self {
            skipped: vec![reason.into()],
            ..Self::default()
        }
    }

    /// Counts a case.
    pub(crate) fn case(&mut self, name: &str, result: Result<(), String>) {
        self.cases += 1;
        if let Err(text) = result {
            let text: String = text.chars().take(TEXT_MAX).collect();
            self.failures.push(format!("{name}: {text}"));
        }
    }

    /// A part in which nothing was done shows nothing, so that is a failure; one that had no time
    /// for all its cases may have done nothing.
    pub(crate) fn must_have(&mut self, done: bool, complaint: &str) {
        let cut = self.skipped.iter().any(|s| s.ends_with(TIME_OVER));
        if !done && !cut {
            self.failures.push(complaint.to_owned());
        }
    }
}

/// Results of all parts.
#[derive(Debug, Default)]
pub(crate) struct Report {
    parts: Vec<(&'static str, Part)>,
}

impl Report {
    /// Shows a part that is over.
    pub(crate) fn add(&mut self, name: &'static str, part: Part) {
        let failed = part.failures.len();
        println!("{name:8} {} cases, {failed} failed", part.cases);
        part.notes.iter().for_each(|n| println!("         {n}"));
        part.skipped
            .iter()
            .for_each(|s| println!("skipped: {name}: {s}"));
        for failure in part.failures.iter().take(SHOWN_MAX) {
            println!("  FAILED {failure}");
        }
        if failed > SHOWN_MAX {
            println!("  and {} more", failed - SHOWN_MAX);
        }
        self.parts.push((name, part));
    }

    /// The last line; true when nothing failed.
    pub(crate) fn finish(&self, plan: &Plan) -> bool {
        let cases: u64 = self.parts.iter().map(|(_, p)| p.cases).sum();
        let failed: usize = self.parts.iter().map(|(_, p)| p.failures.len()).sum();
        println!(
            "torture: {cases} cases, {failed} failed, {} s, seed {}",
            plan.elapsed().as_secs(),
            plan.seed
        );
        failed == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_without_time_may_have_done_nothing() {
        let mut part = Part::default();
        part.skipped.push(format!("5 rounds: {TIME_OVER}"));
        part.must_have(false, "nobody had a resource");
        assert!(part.failures.is_empty());
        let mut part = Part::skipped("no executable");
        part.must_have(true, "nobody had a resource");
        part.must_have(false, "no transfer was committed");
        assert_eq!(part.failures, ["no transfer was committed"]);
    }
}
