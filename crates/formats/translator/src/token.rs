//! Text words of COBOL with their places.
//!
//! Why: COPY, REPLACE and EXEC all work on text words, and every word remembers where the user
//! wrote it. Not here: cutting lines into words (see `lexer`).

use crate::linemap::{Inclusion, copied_from};
use std::rc::Rc;
use transom_messages as messages;
use transom_messages::{Place, Problem};

/// What a text word is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Word, number or PICTURE string.
    Word,
    /// Literal with its quotes and prefix.
    Literal,
    /// Separator period.
    Period,
    /// Comma or semicolon.
    Comma,
    /// `(`
    Open,
    /// `)`
    Close,
    /// `:`
    Colon,
    /// `= < > <= >= <> &`
    Operator,
    /// `==`
    Pseudo,
    /// A `>>` line, passed on as it is.
    Directive,
}

/// Where a word stands: number of the inclusion, line and column from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct At {
    pub(crate) inclusion: u32,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

/// One text word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Token {
    pub(crate) kind: Kind,
    pub(crate) text: Rc<str>,
    pub(crate) at: At,
    /// No blank between this word and the one before.
    pub(crate) glued: bool,
    /// From a debugging line.
    pub(crate) debug: bool,
}

impl Token {
    /// The word, whatever its case.
    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text.eq_ignore_ascii_case(word)
    }

    /// One of these words.
    pub(crate) fn is_any(&self, words: &[&str]) -> bool {
        words.iter().any(|w| self.is(w))
    }

    /// A token that the source does not have, in the place of this one.
    pub(crate) fn beside(&self, kind: Kind, text: &str) -> Self {
        Self {
            kind,
            text: text.into(),
            glued: false,
            ..self.clone()
        }
    }

    /// The same of a word, a number, an operator or a parenthesis.
    pub(crate) fn spelled(&self, text: &str) -> Self {
        let kind = match text {
            "(" => Kind::Open,
            ")" => Kind::Close,
            _ => Kind::Word,
        };
        self.beside(kind, text)
    }

    /// In upper case.
    pub(crate) fn upper(&self) -> String {
        self.text.to_ascii_uppercase()
    }
}

/// Files in use, their texts and the problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Session {
    pub(crate) inclusions: Vec<Inclusion>,
    /// Path and text of each file, once.
    pub(crate) files: Vec<(String, String)>,
    pub(crate) problems: Vec<Problem>,
    /// Statements of other interfaces that are not done: kind, file, line.
    pub(crate) untranslated: Vec<(String, String, u32)>,
    /// Statements of EXEC SQL that name tables.
    pub(crate) sql: Vec<crate::api::SqlUse>,
}

/// Messages of one translation; the rest is dropped with one closing message.
pub(crate) const MAX_PROBLEMS: usize = 500;

impl Session {
    /// A statement of another interface that is not done; nothing is wrong with the program.
    pub(crate) fn not_done(&mut self, kind: String, message: messages::Message, at: At) {
        let place = self.place(at);
        self.untranslated.push((kind, place.file, place.line));
        self.problem(message, at);
    }

    /// Registers a use of a file.
    pub(crate) fn include(&mut self, file: &str, text: &str, parent: Option<(u32, u32)>) -> u32 {
        if !self.files.iter().any(|(path, _)| path == file) {
            self.files.push((file.to_owned(), text.to_owned()));
        }
        self.inclusions.push(Inclusion {
            file: file.to_owned(),
            parent,
        });
        (self.inclusions.len() - 1) as u32
    }

    /// The file a word stands in.
    pub(crate) fn file_of(&self, at: At) -> &str {
        let inclusion = self.inclusions.get(at.inclusion as usize);
        inclusion.map_or("", |inclusion| &inclusion.file)
    }

    /// The place of a word.
    pub(crate) fn place(&self, at: At) -> Place {
        let file = self
            .inclusions
            .get(at.inclusion as usize)
            .map(|i| i.file.clone());
        Place {
            file: file.unwrap_or_default(),
            line: at.line,
            column: (at.column != 0).then_some(at.column),
            copied_from: copied_from(&self.inclusions, at.inclusion),
        }
    }

    /// Adds a problem at a word.
    pub(crate) fn problem(&mut self, message: messages::Message, at: At) {
        match self.problems.len().cmp(&MAX_PROBLEMS) {
            std::cmp::Ordering::Less => {
                let place = self.place(at);
                self.problems.push(Problem::new(message, place));
            }
            std::cmp::Ordering::Equal => {
                let place = self.place(at);
                self.problems.push(Problem::new(
                    messages::tr::too_many_messages(MAX_PROBLEMS),
                    place,
                ));
            }
            std::cmp::Ordering::Greater => {}
        }
    }
}

/// What a pass over the tokens of a procedure division makes of a statement, its words with a blank
/// between them.
#[cfg(test)]
pub(crate) fn said_by(pass: fn(Vec<Token>) -> Vec<Token>, statement: &str) -> String {
    let text = format!("PROCEDURE DIVISION.\n {statement}");
    let tokens = crate::lexer::lex(&text, 0, Some(true), &mut Session::default()).tokens;
    let tokens = pass(tokens);
    let words: Vec<&str> = tokens[3..].iter().map(|t| &*t.text).collect();
    words.join(" ")
}
