//! What the cases of the suite found.
//!
//! What: checks counted, differences as lines. Why: one run names all that is wrong with a store,
//! not only the first. Not here: the cases.

/// What a run found.
#[derive(Debug, Default)]
pub struct Report {
    /// Checks made.
    pub cases: usize,
    /// What went wrong, one line each.
    pub failures: Vec<String>,
}

impl Report {
    /// One check.
    pub(crate) fn check<T: PartialEq + std::fmt::Debug>(
        &mut self,
        case: &str,
        got: T,
        expected: T,
    ) {
        self.cases += 1;
        if got != expected {
            self.failures
                .push(format!("{case}: expected {expected:?}, got {got:?}"));
        }
    }
}
