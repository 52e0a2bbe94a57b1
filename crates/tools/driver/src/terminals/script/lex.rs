//! Words and quoted texts of one line of a script.

use std::fmt::Display;
use transom_messages::{Problem, dr};

/// One word or text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    /// Of its first character, from 1.
    pub(super) column: usize,
    /// Without quotation marks.
    pub(super) text: String,
    pub(super) quoted: bool,
}

/// The tokens of a line; `#` outside quotation marks begins a comment.
///
/// # Errors
/// A text without its closing mark, or joined to what follows.
pub(super) fn tokens(line: u32, text: &str) -> Result<Vec<Token>, Problem> {
    let mut found = Vec::new();
    let mut rest = text.chars().enumerate().peekable();
    while let Some((at, first)) = rest.next() {
        match first {
            '#' => break,
            c if c.is_whitespace() => {}
            '"' => {
                let text = quoted(&mut rest).ok_or_else(|| {
                    let text = "the text has no closing quotation mark";
                    wrong(line, at + 1, text)
                })?;
                found.push(token(at, text, true));
                if let Some((at, c)) = rest.peek()
                    && !c.is_whitespace()
                    && *c != '#'
                {
                    return Err(wrong(line, at + 1, "a blank is needed after a text"));
                }
            }
            first => {
                let mut word = String::from(first);
                while let Some((_, c)) = rest.next_if(|(_, c)| !c.is_whitespace()) {
                    word.push(c);
                }
                found.push(token(at, word, false));
            }
        }
    }
    Ok(found)
}

/// What is wrong with a script at a line and column.
pub(super) fn wrong(line: u32, column: usize, text: impl Display) -> Problem {
    let column = u32::try_from(column).unwrap_or(u32::MAX);
    Problem::new(dr::script_line(text), (line, column))
}

fn token(at: usize, text: String, quoted: bool) -> Token {
    Token {
        column: at + 1,
        text,
        quoted,
    }
}

/// Up to the closing mark; `\"` and `\\` stand for themselves.
fn quoted(rest: &mut impl Iterator<Item = (usize, char)>) -> Option<String> {
    let mut text = String::new();
    loop {
        match rest.next()?.1 {
            '"' => return Some(text),
            '\\' => match rest.next()?.1 {
                c @ ('"' | '\\') => text.push(c),
                c => text.extend(['\\', c]),
            },
            c => text.push(c),
        }
    }
}

/// What a value can be called.
pub(super) fn is_name(text: &str) -> bool {
    let first = text.chars().next();
    first.is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
        && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
}

/// The name a text begins with, in braces or not, and the rest.
pub(super) fn name_at_start(text: &str) -> (&str, &str) {
    if let Some((name, rest)) = text.strip_prefix('{').and_then(|t| t.split_once('}')) {
        return (name, rest);
    }
    let end = text.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
    text.split_at(end.unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_texts_and_comments() {
        let line = r#"  expect "a \"b\" # c" at 1,2  # "comment"#;
        let found = tokens(1, line).unwrap();
        let shown: Vec<_> = found.iter().map(|t| (t.column, t.text.as_str())).collect();
        assert_eq!(
            shown,
            [(3, "expect"), (10, "a \"b\" # c"), (24, "at"), (27, "1,2")]
        );
        assert_eq!(
            tokens(7, "type 1,2 \"abc").unwrap_err().place.column,
            Some(10)
        );
        assert_eq!(tokens(7, "\"a\"b").unwrap_err().place.column, Some(4));
    }
}
