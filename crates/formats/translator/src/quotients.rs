//! Numbers behind quotients, written so that the compiler cuts the quotient as z/OS does.
//!
//! Why: cobc cuts an intermediate result in front of the next operation, but not where that one's
//! second operand is a numeric literal: `A / B * 100` of 2 and 3 was 66.66, where z/OS, whose
//! quotient has the decimal places of the result (dmax), answers 66.00. What: such a literal
//! becomes an expression, `(100 + ZERO)`, which the compiler treats as any operand; the first of
//! two literals that are divided too. Not here: where it is cut (the run time's intermediate.c).

use crate::token::{Kind, Token};
use crate::verbs::is_connective;

/// What stands between two parentheses, or in a whole statement.
#[derive(Default)]
struct Level {
    /// Subscripts, reference modification, arguments: left alone.
    inner: bool,
    /// There was a quotient or a power.
    quotient: bool,
    /// In front of the last operator there was one.
    before: bool,
    /// The last word was an operand.
    operand: bool,
}

impl Level {
    /// Another expression begins.
    fn begin(&mut self) {
        *self = Self {
            inner: self.inner,
            ..Self::default()
        };
    }
}

/// Writes the literals behind quotients as expressions.
pub(crate) fn cut_quotients(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|t| operator(t) == Some(true)) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len() + 16);
    let mut levels = vec![Level::default()];
    let (mut procedure, mut exec) = (false, false);
    for (at, token) in tokens.iter().enumerate() {
        procedure |= token.is("PROCEDURE");
        exec |= token.is_any(&["EXEC", "EXECUTE"]);
        let wraps = procedure && !exec && (step(&mut levels, &tokens, at) | divided(&tokens, at));
        exec &= !token.is("END-EXEC");
        if wraps {
            out.extend(as_expression(token));
        } else {
            out.push(token.clone());
        }
    }
    out
}

/// Takes one word; whether it is a literal to write as an expression.
fn step(levels: &mut Vec<Level>, tokens: &[Token], at: usize) -> bool {
    let token = &tokens[at];
    let outside = levels.iter().all(|l| !l.inner);
    let Some(level) = levels.last_mut() else {
        return false;
    };
    if let Some(divides) = operator(token) {
        level.before = level.quotient;
        level.quotient |= divides;
        level.operand = false;
        return false;
    }
    match token.kind {
        Kind::Period => *levels = vec![Level::default()],
        Kind::Open => {
            let inner = level.operand;
            levels.push(Level {
                inner,
                ..Level::default()
            });
        }
        Kind::Close => close(levels),
        Kind::Operator => level.begin(),
        Kind::Word if token.is_any(&["OF", "IN", "FUNCTION", "LENGTH"]) => level.operand = false,
        Kind::Word if is_connective(token) => level.begin(),
        Kind::Word | Kind::Literal => {
            let joined = at > 0 && tokens[at - 1].is_any(&["OF", "IN", "FUNCTION", "LENGTH"]);
            if level.operand && !joined {
                level.begin();
            }
            let wraps = outside && level.before && !level.operand && is_number(token);
            level.operand = true;
            return wraps;
        }
        _ => {}
    }
    false
}

/// Back to the level outside, which goes on with a result.
fn close(levels: &mut Vec<Level>) {
    if levels.len() < 2 {
        return;
    }
    let closed = levels.pop().unwrap_or_default();
    if let Some(level) = levels.last_mut() {
        level.quotient |= closed.quotient && !closed.inner;
        level.operand = true;
    }
}

/// Of an arithmetic operator: whether what it makes may have more places than its operands.
fn operator(token: &Token) -> Option<bool> {
    match (token.kind, &*token.text) {
        (Kind::Word, "/" | "**") => Some(true),
        (Kind::Word, "+" | "-" | "*") => Some(false),
        _ => None,
    }
}

/// A literal divided by a literal, which the compiler would compute with all decimal places.
fn divided(tokens: &[Token], at: usize) -> bool {
    let next = |ahead: usize| tokens.get(at + ahead);
    let number = |token: Option<&Token>| token.is_some_and(is_number);
    let product = at > 0 && matches!(&*tokens[at - 1].text, "*" | "/" | "**");
    !product && number(next(0)) && next(1).is_some_and(|t| &*t.text == "/") && number(next(2))
}

fn is_number(token: &Token) -> bool {
    let digits = token.text.trim_start_matches(['+', '-']);
    token.kind == Kind::Word
        && digits.starts_with(|c: char| c.is_ascii_digit() || c == '.')
        && digits.chars().any(|c| c.is_ascii_digit())
        && digits
            .chars()
            .all(|c| c.is_ascii_digit() || c == '.' || c == ',')
}

fn as_expression(token: &Token) -> [Token; 5] {
    let word = |kind, text: &str| token.beside(kind, text);
    [
        word(Kind::Open, "("),
        word(Kind::Word, &token.text),
        word(Kind::Word, "+"),
        word(Kind::Word, "ZERO"),
        word(Kind::Close, ")"),
    ]
}
