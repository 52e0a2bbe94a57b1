//! EXCEPTION phrases behind DISPLAY and ACCEPT, which belong to the statement around them.
//!
//! Why: cobc has `DISPLAY .. NOT ON EXCEPTION`, Enterprise COBOL has not. In `CALL P ON EXCEPTION
//! DISPLAY X NOT ON EXCEPTION ..` cobc gave the second phrase to DISPLAY: it ran when the CALL had
//! failed, and not when it had not. What: an END-DISPLAY or END-ACCEPT in front of the phrase. Not
//! here: other statements, whose phrases are those of Enterprise COBOL.

use crate::token::{Kind, Token};
use crate::verbs::is_verb;

/// Ends each DISPLAY and ACCEPT in front of an EXCEPTION phrase.
pub(crate) fn end_in_front_of_phrases(tokens: Vec<Token>) -> Vec<Token> {
    if !tokens.iter().any(|t| t.is("EXCEPTION")) {
        return tokens;
    }
    let mut out = Vec::with_capacity(tokens.len() + 4);
    let (mut procedure, mut exec) = (false, false);
    let mut open = None;
    for (at, token) in tokens.iter().enumerate() {
        procedure |= token.is("PROCEDURE");
        exec |= token.is_any(&["EXEC", "EXECUTE"]);
        if procedure && !exec {
            if begins_phrase(&tokens[at..])
                && let Some(end) = open.take()
            {
                out.push(token.beside(Kind::Word, end));
            }
            open = opened(token, open);
        }
        exec &= !token.is("END-EXEC");
        out.push(token.clone());
    }
    out
}

/// `NOT ON EXCEPTION`, each of the first two words or none.
fn begins_phrase(tokens: &[Token]) -> bool {
    let mut rest = tokens;
    for word in ["NOT", "ON"] {
        if let [first, behind @ ..] = rest
            && first.is(word)
        {
            rest = behind;
        }
    }
    rest.first().is_some_and(|t| t.is("EXCEPTION"))
}

/// What ends the statement that a phrase would go to.
fn opened(token: &Token, open: Option<&'static str>) -> Option<&'static str> {
    match token.kind {
        Kind::Period => None,
        _ if token.is("DISPLAY") => Some("END-DISPLAY"),
        _ if token.is("ACCEPT") => Some("END-ACCEPT"),
        Kind::Word if is_verb(token) || token.is_any(&["ELSE", "WHEN", "EXCEPTION"]) => None,
        Kind::Word if token.upper().starts_with("END-") => None,
        _ => open,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::token::said_by;

    #[test]
    fn a_phrase_behind_display_is_that_of_the_statement_around() {
        for (source, wanted) in [
            (
                "CALL P ON EXCEPTION DISPLAY 'A' B NOT ON EXCEPTION DISPLAY 'C' END-CALL",
                "CALL P ON EXCEPTION DISPLAY 'A' B END-DISPLAY NOT ON EXCEPTION DISPLAY 'C' END-CALL",
            ),
            (
                "CALL P EXCEPTION ACCEPT D FROM DATE NOT EXCEPTION MOVE 1 TO B",
                "CALL P EXCEPTION ACCEPT D FROM DATE END-ACCEPT NOT EXCEPTION MOVE 1 TO B",
            ),
        ] {
            assert_eq!(said_by(end_in_front_of_phrases, source), wanted);
        }
        for as_it_is in [
            "CALL P ON EXCEPTION IF A = 1 DISPLAY 'A' END-IF NOT ON EXCEPTION DISPLAY 'C' END-CALL",
            "CALL P ON EXCEPTION DISPLAY 'A' MOVE 1 TO B NOT ON EXCEPTION DISPLAY 'C' END-CALL",
            "CALL P ON EXCEPTION DISPLAY 'A' END-DISPLAY NOT ON EXCEPTION MOVE 1 TO B",
            "DISPLAY 'A' . CALL P NOT ON EXCEPTION DISPLAY 'B' .",
        ] {
            assert_eq!(said_by(end_in_front_of_phrases, as_it_is), as_it_is);
        }
    }
}
