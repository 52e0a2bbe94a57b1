//! Comparisons of two literals.
//!
//! Why: cobc carries them out while it compiles, by ASCII, whatever the collating sequence
//! is. What: both literals become numbers that compare as the literals do on z/OS. Not here:
//! comparisons with items (the collating sequence), hexadecimal literals, of which a message has
//! told that they keep their bytes.

use crate::collating::{characters, weight};
use crate::token::{Kind, Session, Token};
use std::cmp::Ordering;
use transom_messages::tr;

/// Puts numbers in the place of literals that are compared with each other.
pub(crate) fn order_literals(mut tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    // A sequence of the program's own is left to the compiler.
    if tokens.iter().any(|t| t.is("SEQUENCE")) {
        return tokens;
    }
    for at in 0..tokens.len() {
        if tokens[at].is("EVALUATE") {
            evaluate(&tokens, at, session);
        }
        let Some(left) = text(&tokens[at]) else {
            continue;
        };
        let Some(relation) = relation(&tokens, at + 1) else {
            continue;
        };
        let other = at + 1 + relation;
        let Some(right) = tokens.get(other).and_then(text) else {
            continue;
        };
        if goes_on(&tokens, other + 1) {
            session.problem(tr::literals_go_on(), tokens[at].at);
            continue;
        }
        let (first, second) = match compare(&left, &right) {
            Ordering::Less => ("1", "2"),
            Ordering::Equal => ("1", "1"),
            Ordering::Greater => ("2", "1"),
        };
        for (at, number) in [(at, first), (other, second)] {
            tokens[at].kind = Kind::Word;
            tokens[at].text = number.into();
            tokens[at].glued = false;
        }
        // A word is not glued to the operator in front of it.
        if let Some(next) = tokens.get_mut(at + 1) {
            next.glued = false;
        }
    }
    tokens
}

/// The characters of a literal that is written as such.
fn text(token: &Token) -> Option<Vec<u8>> {
    let quoted = token.kind == Kind::Literal && token.text.starts_with(['\'', '"']);
    quoted.then(|| characters(token))?
}

/// Number of words of a relation that asks for an order.
fn relation(tokens: &[Token], start: usize) -> Option<usize> {
    let mut at = start;
    let mut skip = |words: &[&str]| {
        let there = tokens.get(at).is_some_and(|t| t.is_any(words));
        at += usize::from(there);
        there
    };
    skip(&["IS"]);
    skip(&["NOT"]);
    if skip(&["GREATER", "LESS"]) {
        skip(&["THAN"]);
        if skip(&["OR"]) {
            skip(&["EQUAL"]);
            skip(&["TO"]);
        }
        return Some(at - start);
    }
    let operator = tokens.get(at).filter(|t| t.kind == Kind::Operator)?;
    let ordered = matches!(&*operator.text, "<" | ">" | "<=" | ">=");
    ordered.then_some(at + 1 - start)
}

/// `OR 'C'`: the subject of the comparison is compared with more.
fn goes_on(tokens: &[Token], at: usize) -> bool {
    let joins = tokens.get(at).is_some_and(|t| t.is_any(&["AND", "OR"]));
    let not = usize::from(tokens.get(at + 1).is_some_and(|t| t.is("NOT")));
    let next = tokens.get(at + 1 + not);
    joins
        && next.is_some_and(|t| {
            let relation = t.kind == Kind::Operator || t.is_any(&["GREATER", "LESS", "EQUAL"]);
            // A literal may begin a comparison of its own.
            let alone = t.kind == Kind::Literal && self::relation(tokens, at + 2 + not).is_none();
            relation || alone
        })
}

/// `EVALUATE 'M' WHEN 'A' THRU 'Z'` compares literals, too.
fn evaluate(tokens: &[Token], start: usize, session: &mut Session) {
    if tokens.get(start + 1).and_then(text).is_none() {
        return;
    }
    let ends = |t: &Token| t.kind == Kind::Period || t.is_any(&["EVALUATE", "END-EVALUATE"]);
    let rest = &tokens[start + 1..];
    let body = &rest[..rest.iter().position(ends).unwrap_or(rest.len())];
    let range = body
        .windows(3)
        .find(|w| w[1].is_any(&["THRU", "THROUGH"]) && text(&w[0]).is_some());
    if let Some(range) = range {
        session.problem(tr::literals_in_evaluate(), range[0].at);
    }
}

fn compare(left: &[u8], right: &[u8]) -> Ordering {
    let length = left.len().max(right.len());
    let weights = |bytes: &[u8]| -> Vec<usize> {
        let blanks = std::iter::repeat(&b' ');
        let all = bytes.iter().chain(blanks).take(length);
        all.map(|byte| weight(*byte)).collect()
    };
    weights(left).cmp(&weights(right))
}
