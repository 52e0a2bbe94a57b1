//! VALUE clauses: literals, figurative constants, ranges.

use super::cursor::Cursor;
use super::lexer::Kind;
use crate::layout::{Figurative, Literal};
use transom_messages as messages;

/// Deepest nesting of `ALL`; more than one has no meaning.
const MAX_ALL: u32 = 2;

/// One literal at the cursor, concatenations (`&`) joined; `None` and nothing consumed if there is
/// none.
pub(super) fn literal(cursor: &mut Cursor<'_>) -> Option<Literal> {
    let mut whole = single(cursor, 0)?;
    while cursor.take_mark('&') {
        let Some(next) = single(cursor, 0) else { break };
        match (&mut whole, next) {
            (Literal::Text(a), Literal::Text(b)) => a.push_str(&b),
            (Literal::Hex(a), Literal::Hex(b)) => a.extend(b),
            _ => {
                cursor.complain(messages::cb::literals_of_two_kinds());
                break;
            }
        }
    }
    Some(whole)
}

/// `literal [THRU literal]`.
pub(super) fn range(cursor: &mut Cursor<'_>) -> Option<(Literal, Option<Literal>)> {
    let low = literal(cursor)?;
    if !cursor.take_any(&["THRU", "THROUGH"]) {
        return Some((low, None));
    }
    let high = literal(cursor);
    if high.is_none() {
        cursor.complain(messages::cb::literal_expected("THRU"));
    }
    Some((low, high))
}

fn single(cursor: &mut Cursor<'_>, depth: u32) -> Option<Literal> {
    let token = cursor.peek()?;
    let literal = match &token.kind {
        Kind::Number(n) => Literal::Number(n.clone()),
        Kind::Quoted { prefix, text } => match prefix.as_str() {
            "X" | "NX" | "GX" | "UX" | "H" => match hex(text) {
                Some(bytes) => Literal::Hex(bytes),
                None => {
                    cursor.complain(messages::cb::hexadecimal_odd(token.shown()));
                    Literal::Text(text.clone())
                }
            },
            _ => Literal::Text(text.clone()),
        },
        Kind::Word { upper, .. } => match figurative(upper) {
            Some(f) => Literal::Figurative(f),
            None if upper == "ALL" && depth < MAX_ALL => {
                cursor.advance();
                return match single(cursor, depth + 1) {
                    Some(inner) => Some(Literal::All(Box::new(inner))),
                    None => {
                        cursor.complain(messages::cb::literal_expected("ALL"));
                        None
                    }
                };
            }
            None => return None,
        },
        _ => return None,
    };
    cursor.advance();
    Some(literal)
}

fn figurative(word: &str) -> Option<Figurative> {
    Some(match word {
        "ZERO" | "ZEROS" | "ZEROES" => Figurative::Zero,
        "SPACE" | "SPACES" => Figurative::Space,
        "HIGH-VALUE" | "HIGH-VALUES" => Figurative::HighValue,
        "LOW-VALUE" | "LOW-VALUES" => Figurative::LowValue,
        "QUOTE" | "QUOTES" => Figurative::Quote,
        "NULL" | "NULLS" => Figurative::Null,
        _ => return None,
    })
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect();
    let digits = digits.filter(|d| d.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|p| p[0] << 4 | p[1]).collect())
}
