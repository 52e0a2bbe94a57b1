//! A line of text -> keywords with what stands in parentheses behind them.
//!
//! What: [`words`]. Why: lines of CECI, CEMT and CEDA are cut alike. Not here: which keywords there
//! are (`interpreter::command`, `master::line`,
//! `definition::request`).

use super::latin::latin;
use transom_messages::{self as messages, Message};

/// Longest command text.
const TEXT_BYTES_MAX: usize = 8_192;

/// What stands in the parentheses.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// Characters, a number, a CICS value.
    Literal(Vec<u8>),
    /// `&NAME`.
    Variable(String),
}

/// A keyword, and what stands in the parentheses behind it.
pub(crate) struct Word {
    pub text: String,
    pub value: Option<Value>,
}

/// Splits into keywords and the values behind them.
pub(crate) fn words(text: &str) -> Result<Vec<Word>, Message> {
    if text.len() > TEXT_BYTES_MAX {
        return Err(messages::ci::command_too_long(TEXT_BYTES_MAX));
    }
    let mut words: Vec<Word> = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if first == '(' {
            let (value, after) = value(&rest[1..])?;
            match words.last_mut() {
                Some(word) if word.value.is_none() => word.value = Some(value),
                _ => return Err(messages::ci::value_without_option()),
            }
            rest = after.trim_start();
            continue;
        }
        let end = rest.find([' ', '(', ',', '\n']).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        if !word.is_empty() {
            words.push(Word {
                text: word.to_ascii_uppercase(),
                value: None,
            });
        }
        rest = after.trim_start_matches([' ', ',', '\n']);
    }
    Ok(words)
}

/// Reads up to the closing parenthesis.
fn value(text: &str) -> Result<(Value, &str), Message> {
    let unclosed = messages::ci::not_closed;
    let inner = text.trim_start();
    if let Some(quote) = inner.chars().next().filter(|c| *c == '\'' || *c == '"') {
        let mut content = String::new();
        let mut chars = inner.char_indices().skip(1).peekable();
        while let Some((at, c)) = chars.next() {
            if c != quote {
                content.push(c);
                continue;
            }
            if chars.next_if(|(_, next)| *next == quote).is_some() {
                content.push(quote);
                continue;
            }
            let after = inner[at + 1..].trim_start();
            let after = after.strip_prefix(')').ok_or_else(unclosed)?;
            return Ok((Value::Literal(latin(&content)), after));
        }
        return Err(unclosed());
    }
    let mut depth = 1;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let content = text[..at].trim();
            let value = match content.strip_prefix('&') {
                Some(name) => Value::Variable(name.to_ascii_uppercase()),
                None => Value::Literal(literal(content)),
            };
            return Ok((value, &text[at + 1..]));
        }
    }
    Err(unclosed())
}

/// `X'C1C2'` is bytes, anything else characters.
fn literal(text: &str) -> Vec<u8> {
    let hex = text
        .strip_prefix("X'")
        .or_else(|| text.strip_prefix("x'"))
        .and_then(|rest| rest.strip_suffix('\''));
    hex.and_then(from_hex).unwrap_or_else(|| latin(text))
}

fn from_hex(hex: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(
        digits
            .chunks(2)
            .map(|pair| (pair[0] << 4) | pair[1])
            .collect(),
    )
}
