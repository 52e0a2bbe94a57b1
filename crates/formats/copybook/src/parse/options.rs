//! How a copybook is read.
//!
//! What: what the text itself does not say. Not here: what follows from it for columns (`source`)
//! and signs (`picture`).

/// How columns of the source are used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum SourceFormat {
    /// Fixed if it reads without errors, else the one with the fewest errors of fixed, variable and
    /// free.
    #[default]
    Auto,
    /// Sequence number 1-6, indicator 7, text 8-72.
    Fixed,
    /// As fixed, but text goes on to the end of the line.
    Variable,
    /// Text anywhere, also in column 1.
    Free,
}

/// How to read a copybook.
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    pub format: SourceFormat,
    /// DECIMAL-POINT IS COMMA.
    pub decimal_comma: bool,
    /// CURRENCY SIGN; `None` is `$`.
    pub currency: Option<char>,
}
