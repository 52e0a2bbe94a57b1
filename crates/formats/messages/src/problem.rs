//! A message with the place it concerns.
//!
//! What: something that is wrong with a text a user wrote, and where. Why: decks, maps, copybooks,
//! programs, jobs and archives are corrected in one go, so whoever reads one collects problems
//! instead of stopping at the first. There are two layouts, and whoever prints chooses one by name;
//! therefore a problem has no `Display`. Not here: how many problems are kept.

use crate::{Message, Severity};
use std::fmt::{self, Display};

/// Where in the user's files.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Place {
    /// File as the caller named it; a member of an archive is `archive!member`. Empty when whoever
    /// reads does not know what it reads.
    pub file: String,
    /// From 1; 0 when the file as a whole is meant.
    pub line: u32,
    /// From 1, in characters; `None` when the line as a whole is meant.
    pub column: Option<u32>,
    /// The COPY statements that led here, innermost first: file and line.
    pub copied_from: Vec<(String, u32)>,
}

/// A message and its place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub message: Message,
    /// Where.
    pub place: Place,
}

impl Place {
    /// A line of a file.
    pub fn line(file: impl Into<String>, line: u32) -> Self {
        Self {
            file: file.into(),
            line,
            ..Self::default()
        }
    }

    /// The same file, at a line and column.
    #[must_use]
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.line = line;
        self.column = Some(column);
        self
    }

    fn is_known(&self) -> bool {
        self.line != 0 || !self.file.is_empty()
    }
}

impl From<&str> for Place {
    fn from(file: &str) -> Self {
        Self::line(file, 0)
    }
}

impl From<&String> for Place {
    fn from(file: &String) -> Self {
        Self::line(file, 0)
    }
}

impl From<String> for Place {
    fn from(file: String) -> Self {
        Self::line(file, 0)
    }
}

impl From<(u32, u32)> for Place {
    /// Line and column of a text whose name the caller knows.
    fn from((line, column): (u32, u32)) -> Self {
        Self::default().at(line, column)
    }
}

impl Display for Place {
    /// `file:line:column`, as much of it as is known.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.file)?;
        if self.line == 0 {
            return Ok(());
        }
        let colon = if self.file.is_empty() { "" } else { ":" };
        write!(f, "{colon}{}", self.line)?;
        self.column.map_or(Ok(()), |column| write!(f, ":{column}"))
    }
}

impl Problem {
    /// A message at a place.
    pub fn new(message: Message, place: impl Into<Place>) -> Self {
        Self {
            message,
            place: place.into(),
        }
    }

    /// The same problem at a line and column of its file.
    #[must_use]
    pub fn at(mut self, line: u32, column: u32) -> Self {
        self.place = self.place.at(line, column);
        self
    }

    /// The same problem, when the name of the file is known.
    #[must_use]
    pub fn in_file(mut self, file: impl Into<String>) -> Self {
        self.place.file = file.into();
        self
    }

    /// `TXMCS0003W`
    pub fn id(&self) -> &'static str {
        self.message.id()
    }

    /// The message without its id.
    pub fn words(&self) -> &str {
        self.message.words()
    }

    /// How bad it is.
    pub fn severity(&self) -> Severity {
        self.message.severity()
    }

    /// What was read cannot be used, or a statement of it has no effect.
    pub fn is_error(&self) -> bool {
        self.severity() >= Severity::Error
    }

    /// `TXMAD0005E a.aar!package.xml:3:7: words`, as logs and reports have it.
    pub fn id_first(&self) -> impl Display + '_ {
        Shown(self, true)
    }

    /// `PAY.cbl:7:12: TXMTR0010E words`, as compilers and editors have it.
    pub fn place_first(&self) -> impl Display + '_ {
        Shown(self, false)
    }
}

impl From<Message> for Problem {
    /// Without a place.
    fn from(message: Message) -> Self {
        Self::new(message, Place::default())
    }
}

/// A problem in one of the two layouts.
struct Shown<'a>(&'a Problem, bool);

impl Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(Problem { message, place }, id_first) = self;
        match (place.is_known(), id_first) {
            (false, _) => write!(f, "{message}")?,
            (true, true) => write!(f, "{} {place}: {}", message.id(), message.words())?,
            (true, false) => write!(f, "{place}: {message}")?,
        }
        for (file, line) in &place.copied_from {
            write!(f, " (copied at {file}:{line})")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_layouts() {
        let closed = || crate::ad::xml_not_well_formed("the tag is not closed");
        let both = |problem: Problem| {
            let (id, place) = (problem.id_first(), problem.place_first());
            (id.to_string(), place.to_string())
        };
        for (problem, id_first, place_first) in [
            (
                Problem::new(closed(), "a.aar!package.xml").at(3, 7),
                "TXMAD0005E a.aar!package.xml:3:7: the tag is not closed",
                "a.aar!package.xml:3:7: TXMAD0005E the tag is not closed",
            ),
            (
                Problem::new(closed(), Place::line("BANK.csd", 4)),
                "TXMAD0005E BANK.csd:4: the tag is not closed",
                "BANK.csd:4: TXMAD0005E the tag is not closed",
            ),
            (
                Problem::new(closed(), "a.aar"),
                "TXMAD0005E a.aar: the tag is not closed",
                "a.aar: TXMAD0005E the tag is not closed",
            ),
            (
                Problem::new(closed(), (3, 7)),
                "TXMAD0005E 3:7: the tag is not closed",
                "3:7: TXMAD0005E the tag is not closed",
            ),
            (
                Problem::from(closed()),
                "TXMAD0005E the tag is not closed",
                "TXMAD0005E the tag is not closed",
            ),
        ] {
            assert_eq!(both(problem), (id_first.to_owned(), place_first.to_owned()));
        }
    }

    #[test]
    fn text_of_a_copybook_says_who_copied_it() {
        let mut problem =
            Problem::new(crate::tr::copybook_not_found("INNER"), "OUTER.cpy").at(2, 8);
        problem.place.copied_from.push(("PAY.cbl".to_owned(), 9));
        let shown = problem.place_first().to_string();
        assert!(shown.starts_with("OUTER.cpy:2:8: TXMTR"), "{shown}");
        assert!(shown.ends_with("(copied at PAY.cbl:9)"), "{shown}");
    }
}
