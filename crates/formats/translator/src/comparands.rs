//! Expressions of conditions, written so that the compiler cuts their last quotient too.
//!
//! Why: a comparand is an intermediate result on z/OS, with no more decimal places than the
//! operands of the condition have: `2 < 7 / 3` is false. cobc cuts the comparand on the left alone,
//! and not even that where it is compared with ZERO or its sign is asked for. What: `+ 0` behind
//! expressions with a quotient or a power. Not here: what is cut (the run time's intermediate.c).

use crate::token::{Kind, Token};
use crate::verbs::{is_connective, is_verb};

/// Words that a condition stands behind.
const BEGINS: &[&str] = &["IF", "UNTIL", "WHEN", "EVALUATE"];

/// What stands between two parentheses, or in a whole condition.
#[derive(Default)]
struct Level {
    /// Subscripts, reference modification, arguments: left alone.
    inner: bool,
    /// There was a quotient or a power.
    quotient: bool,
    /// The last word was an operand.
    operand: bool,
}

/// Writes a sum behind the quotients of conditions, and `= ZERO` where the compiler does not
/// understand `IS ZERO AND`.
pub(crate) fn cut_comparands(mut tokens: Vec<Token>) -> Vec<Token> {
    for at in 2..tokens.len() {
        let zero = tokens[at - 1].is_any(&["ZERO", "ZEROS", "ZEROES"]);
        if zero && tokens[at - 2].is("IS") && tokens[at].is_any(&["AND", "OR"]) {
            tokens[at - 2].kind = Kind::Operator;
            tokens[at - 2].text = "=".into();
        }
    }
    if !tokens.iter().any(divides) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len() + 16);
    let mut levels = vec![Level::default()];
    let (mut procedure, mut exec, mut condition) = (false, false, false);
    for (at, token) in tokens.iter().enumerate() {
        procedure |= token.is("PROCEDURE");
        exec |= token.is_any(&["EXEC", "EXECUTE"]);
        if procedure && !exec && condition {
            let before = at.checked_sub(1).and_then(|before| tokens.get(before));
            let joined = before.is_some_and(|t| t.is_any(&["OF", "IN", "FUNCTION", "LENGTH"]));
            let outside = levels.iter().all(|level| !level.inner);
            if step(&mut levels, token, joined) && outside {
                out.extend(["+", "0"].map(|text| token.beside(Kind::Word, text)));
            }
        }
        if token.is_any(BEGINS) {
            condition = true;
            levels = vec![Level::default()];
        } else if token.kind == Kind::Period || is_verb(token) {
            condition = false;
        }
        exec &= !token.is("END-EXEC");
        out.push(token.clone());
    }
    out
}

/// Takes one word; whether an expression with a quotient ends in front of it.
fn step(levels: &mut Vec<Level>, token: &Token, joined: bool) -> bool {
    let Some(level) = levels.last_mut() else {
        return false;
    };
    let ends = level.quotient && level.operand && !level.inner;
    match token.kind {
        Kind::Open => {
            let inner = level.operand;
            levels.push(Level {
                inner,
                ..Level::default()
            });
            false
        }
        Kind::Close => {
            let closed = levels.pop().unwrap_or_default();
            match levels.last_mut() {
                Some(level) => level.operand = true,
                None => levels.push(Level::default()),
            }
            ends && !closed.inner
        }
        Kind::Word if matches!(&*token.text, "+" | "-" | "*" | "/" | "**") => {
            level.quotient |= divides(token);
            level.operand = false;
            false
        }
        Kind::Word if token.is_any(&["OF", "IN"]) => false,
        Kind::Word | Kind::Literal if !level.operand || joined => {
            level.operand = !token.is_any(&["FUNCTION", "LENGTH"]) && !is_connective(token);
            false
        }
        Kind::Colon | Kind::Comma => false,
        _ => {
            level.quotient = false;
            level.operand = token.kind == Kind::Word && !is_connective(token);
            ends
        }
    }
}

fn divides(token: &Token) -> bool {
    token.kind == Kind::Word && matches!(&*token.text, "/" | "**")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::said_by;

    fn said(statement: &str) -> String {
        said_by(cut_comparands, statement)
    }

    #[test]
    fn expressions_with_a_quotient_end_with_a_sum() {
        for (source, wanted) in [
            (
                "IF A < B / C MOVE 1 TO D.",
                "IF A < B / C + 0 MOVE 1 TO D .",
            ),
            (
                "IF A OF G / B (I) IS POSITIVE AND C > D",
                "IF A OF G / B ( I ) + 0 IS POSITIVE AND C > D",
            ),
            (
                "PERFORM UNTIL A > (B / C) * 2 OR D = E ** 2 ADD 1 TO A",
                "PERFORM UNTIL A > ( B / C + 0 ) * 2 OR D = E ** 2 + 0 ADD 1 TO A",
            ),
            (
                "EVALUATE A / B WHEN FUNCTION MAX (C D) / E CONTINUE",
                "EVALUATE A / B + 0 WHEN FUNCTION MAX ( C D ) / E + 0 CONTINUE",
            ),
            (
                "IF (A / B > C) AND NOT (D / E) IS ZERO OR A / B POSITIVE.",
                "IF ( A / B + 0 > C ) AND NOT ( D / E + 0 ) = ZERO OR A / B + 0 POSITIVE .",
            ),
            ("IF A = B / C THEN", "IF A = B / C + 0 THEN"),
            (
                "IF A / B NOT = ZERO GO TO P.",
                "IF A / B + 0 NOT = ZERO GO TO P .",
            ),
        ] {
            assert_eq!(said(source), wanted);
        }
    }

    #[test]
    fn a_sign_condition_with_zero_is_a_comparison() {
        assert_eq!(
            said("IF A IS ZERO AND B IS ZEROES OR C IS ZERO"),
            "IF A = ZERO AND B = ZEROES OR C IS ZERO"
        );
        assert_eq!(said("IF A IS NOT ZERO AND B"), "IF A IS NOT ZERO AND B");
    }

    #[test]
    fn other_expressions_stay() {
        for source in [
            "COMPUTE A = B / C IF A = B CONTINUE .",
            "IF A ( I / 2 ) = B * C DIVIDE A BY B GIVING C .",
            "IF A = B COMPUTE C = D / E ELSE COMPUTE C = D / F .",
            "IF FUNCTION MAX ( A / B C ) > D CONTINUE .",
        ] {
            assert_eq!(said(source), source);
        }
    }
}
