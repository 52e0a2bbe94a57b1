//! How results and findings reach the user.
//!
//! Why handed in: whoever has the command line has the terminal too.

use transom_system::Finding;

/// Two ways to the user.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// Results, for standard output.
    pub results: fn(&str),
    /// What there is to tell; answers the number of errors.
    pub findings: fn(&[Finding]) -> usize,
}

impl Output {
    pub(crate) fn print(self, text: &str) {
        (self.results)(text);
    }

    pub(crate) fn findings(self, list: &[Finding]) -> usize {
        (self.findings)(list)
    }
}
