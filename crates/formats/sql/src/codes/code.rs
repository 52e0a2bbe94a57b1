//! What is said of an SQLCODE.

/// One SQLCODE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SqlCode {
    pub code: i32,
    pub state: &'static str,
    /// `{0}`, `{1}` and so on are the tokens of SQLERRMC, in their order there.
    pub text: &'static str,
}
