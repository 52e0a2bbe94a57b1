//! What reading API definitions complains with: one message id, one file, one place, one sentence.
//!
//! A [`Problem`] ending in `E` means the value could not be built; one ending in `W` or `I` comes
//! beside a usable value. It is data for a log line, an HTTP reply or a compiler-style listing, not
//! an error chain.

use std::fmt;
use transom_messages::Message;

/// Reading gives the value or the first problem that made it impossible.
pub type Result<T> = std::result::Result<T, Problem>;

/// One complaint about an archive, a definition file or a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Message id such as `TXMAD0001E`; each has a page in the messages crate.
    pub id: &'static str,
    /// File the complaint is about; a member of an archive is written `archive!member`.
    pub file: String,
    /// 1-based line in that file; 0 when there is none.
    pub line: u32,
    /// 1-based column counted in characters; 0 when there is none.
    pub column: u32,
    /// The message text without id and place.
    pub text: String,
}

impl Problem {
    /// A problem about a whole file.
    pub fn new(message: Message, file: impl Into<String>) -> Problem {
        Problem {
            id: message.id(),
            file: file.into(),
            line: 0,
            column: 0,
            text: message.into_words(),
        }
    }

    /// The same problem with a place in the file.
    #[must_use]
    pub fn at(mut self, line: u32, column: u32) -> Problem {
        self.line = line;
        self.column = column;
        self
    }

    /// False for warnings and notices.
    pub fn is_error(&self) -> bool {
        self.id.ends_with('E') || self.id.ends_with('S')
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id)?;
        if !self.file.is_empty() {
            write!(f, " {}", self.file)?;
            if self.line != 0 {
                write!(f, ":{}:{}", self.line, self.column)?;
            }
            f.write_str(":")?;
        }
        write!(f, " {}", self.text)
    }
}

impl std::error::Error for Problem {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prints_file_place_and_text() {
        let problem = Problem::new(
            transom_messages::ad::xml_not_well_formed("the tag is not closed"),
            "a.aar!package.xml",
        )
        .at(3, 7);
        assert_eq!(
            problem.to_string(),
            "TXMAD0005E a.aar!package.xml:3:7: the tag is not closed"
        );
    }
}
