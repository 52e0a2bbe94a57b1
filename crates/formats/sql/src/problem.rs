//! What is wrong with an SQL statement, and where.
//!
//! Why one type: a mistake of the user and a form that Transom refuses both end as an SQLCODE with
//! tokens at a place. Not here: the texts (`codes`).

use crate::codes;
use std::fmt;

/// A place in the text of a statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct At {
    /// Bytes from the beginning of the text.
    pub offset: usize,
    /// From 1.
    pub line: u32,
    /// From 1, in characters.
    pub column: u32,
}

/// A statement that is not run: Db2 would refuse it too, or Transom does not do it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SqlProblem {
    /// Below 0.
    pub code: i32,
    /// The tokens of SQLERRMC, in the order in which the text of the code names them.
    pub tokens: Vec<String>,
    /// Set where Db2 would run the statement and Transom does not: what is missing.
    pub refused: Option<String>,
    pub at: At,
}

impl SqlProblem {
    pub fn new(code: i32, tokens: &[&str], at: At) -> Self {
        Self {
            code,
            tokens: tokens.iter().map(|t| (*t).to_owned()).collect(),
            refused: None,
            at,
        }
    }

    /// A form that Db2 has and Transom refuses. -84 is Db2's own code for a statement that this
    /// place of work does not accept.
    pub fn refused(reason: impl Into<String>, at: At) -> Self {
        Self {
            refused: Some(reason.into()),
            ..Self::new(-84, &[], at)
        }
    }
}

impl fmt::Display for SqlProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = codes::text(self.code, &self.tokens);
        write!(f, "SQLCODE {}: {text}", self.code)?;
        match &self.refused {
            Some(reason) => write!(f, ": {reason}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for SqlProblem {}
