//! Powers of powers from left to right.
//!
//! Why: operations of one rank go from left to right, and cobc raises from right to left:
//! `2 ** 3 ** 2` was 512, where z/OS answers 64. What: parentheses around a power in front of
//! another `**`. Not here: what is cut of a power (`computed`, the run time's intermediate.c).

use crate::token::{Kind, Token};
use crate::verbs::is_connective;

/// What stands between two parentheses, or in a whole statement.
#[derive(Default)]
struct Level {
    /// The last word was an operand.
    operand: bool,
    /// Where the operand begins, with its sign.
    start: usize,
    /// There is a sign in front of an operand that is yet to come.
    sign: bool,
    /// The operand is an exponent: where its base begins.
    base: Option<usize>,
}

impl Level {
    fn begins(&mut self, at: usize) {
        if !self.sign && self.base.is_none() {
            self.start = at;
        }
        self.operand = true;
        self.sign = false;
    }
}

/// Writes parentheses around the powers that another `**` follows.
pub(crate) fn from_left_to_right(tokens: Vec<Token>) -> Vec<Token> {
    let power = |t: &&Token| t.kind == Kind::Word && &*t.text == "**";
    if tokens.iter().filter(power).count() < 2 {
        return tokens;
    }
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len() + 16);
    let mut levels = vec![Level::default()];
    let (mut procedure, mut exec) = (false, false);
    for (at, token) in tokens.iter().enumerate() {
        procedure |= token.is("PROCEDURE");
        exec |= token.is_any(&["EXEC", "EXECUTE"]);
        if procedure && !exec {
            let joined = at > 0 && tokens[at - 1].is_any(&["OF", "IN", "FUNCTION", "LENGTH"]);
            step(&mut levels, token, joined, &mut out);
        }
        exec &= !token.is("END-EXEC");
        out.push(token.clone());
    }
    out
}

/// Takes a word that is about to be written.
fn step(levels: &mut Vec<Level>, token: &Token, joined: bool, out: &mut Vec<Token>) {
    let inside = levels.len() > 1;
    let Some(level) = levels.last_mut() else {
        return;
    };
    match token.kind {
        Kind::Period => *levels = vec![Level::default()],
        Kind::Open => {
            if !level.operand {
                level.begins(out.len());
            }
            levels.push(Level::default());
        }
        Kind::Close if inside => {
            levels.pop();
        }
        Kind::Word if matches!(&*token.text, "+" | "-" | "*" | "/" | "**") => {
            operator(level, token, out);
        }
        Kind::Word if token.is_any(&["OF", "IN"]) => {}
        Kind::Word | Kind::Literal if level.operand && joined => {}
        Kind::Word if is_connective(token) => *level = Level::default(),
        Kind::Word | Kind::Literal => {
            if level.operand {
                *level = Level::default();
            }
            level.begins(out.len());
        }
        _ => *level = Level::default(),
    }
}

fn operator(level: &mut Level, token: &Token, out: &mut Vec<Token>) {
    if !level.operand {
        if !level.sign && level.base.is_none() {
            level.start = out.len();
        }
        level.sign = true;
        return;
    }
    level.operand = false;
    if &*token.text != "**" {
        level.base = None;
        return;
    }
    if let Some(base) = level.base {
        out.insert(base, token.beside(Kind::Open, "("));
        out.push(token.beside(Kind::Close, ")"));
    }
    level.base = Some(level.start);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::said_by;

    fn said(statement: &str) -> String {
        said_by(from_left_to_right, statement)
    }

    #[test]
    fn a_power_of_a_power_has_parentheses() {
        for (source, wanted) in [
            ("A = B ** C ** D.", "A = ( B ** C ) ** D ."),
            ("A = - B ** C ** 2 + 1", "A = ( - B ** C ) ** 2 + 1"),
            ("A = B ** 2 ** 3 ** 4", "A = ( ( B ** 2 ) ** 3 ) ** 4"),
            (
                "A = 1 + B OF G (I) ** - 2 ** C",
                "A = 1 + ( B OF G ( I ) ** - 2 ) ** C",
            ),
            (
                "A = (B + C) ** 2 ** (D ** E ** F)",
                "A = ( ( B + C ) ** 2 ) ** ( ( D ** E ) ** F )",
            ),
            (
                "A = FUNCTION ABS (B) ** C ** D",
                "A = ( FUNCTION ABS ( B ) ** C ) ** D",
            ),
            ("A = B ** C * D ** E", "A = B ** C * D ** E"),
            (
                "A = B ** C COMPUTE D = E ** F",
                "A = B ** C COMPUTE D = E ** F",
            ),
        ] {
            assert_eq!(
                said(&format!("COMPUTE {source}")),
                format!("COMPUTE {wanted}")
            );
        }
        assert_eq!(said("IF A > B ** C ** D"), "IF A > ( B ** C ) ** D");
        assert_eq!(said("IF (A) ** C ** D = 1"), "IF ( ( A ) ** C ) ** D = 1");
    }
}
