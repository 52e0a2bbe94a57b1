//! What came out.

use crate::plan::Plan;

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
