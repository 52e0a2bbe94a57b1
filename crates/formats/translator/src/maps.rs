//! Areas of maps begin as LOW-VALUES.
//!
//! Why: what WORKING-STORAGE holds without a VALUE clause is undefined, cobc fills it with blanks,
//! and a blank in a map area is an attribute (unprotected, not modified) that SEND MAP sends.
//! Programs that send a map they never cleared work where storage is binary zeros, as it mostly is
//! under CICS. An area is known by its form: an 01 with nothing but a name whose first part is the
//! 12-byte FILLER of TIOAPFX, and no VALUE clause in it. Not here: other storage, which keeps what
//! cobc gives it.

use crate::token::{Kind, Token};

/// Adds VALUE LOW-VALUES to map areas of WORKING-STORAGE and LOCAL-STORAGE.
pub(crate) fn clear_map_areas(tokens: Vec<Token>) -> Vec<Token> {
    let mut storage = false;
    let mut out = Vec::with_capacity(tokens.len());
    for (at, token) in tokens.iter().enumerate() {
        if token.is_any(&["SECTION", "DIVISION"]) {
            let own = ["WORKING-STORAGE", "LOCAL-STORAGE"];
            storage = at > 0 && tokens[at - 1].is_any(&own);
        }
        out.push(token.clone());
        if storage && at > 0 && is_area(&tokens[at - 1..]) {
            out.extend(["VALUE", "LOW-VALUES"].map(|text| Token {
                text: text.into(),
                glued: false,
                ..token.clone()
            }));
        }
    }
    out
}

/// `01 name. nn FILLER PIC X(12).` and no VALUE up to the next 01 or section.
fn is_area(tokens: &[Token]) -> bool {
    let [level, name, period, rest @ ..] = tokens else {
        return false;
    };
    let first = level.is_any(&["01", "1"]) && name.kind == Kind::Word && !name.is("FILLER");
    if !first || period.kind != Kind::Period {
        return false;
    }
    let mut words = rest.iter().skip(1);
    let mut next = || words.next().map(Token::upper).unwrap_or_default();
    let prefix = next() == "FILLER"
        && matches!(next().as_str(), "PIC" | "PICTURE")
        && [next(), next(), next(), next()].concat() == "X(12)";
    prefix && !holds_values(rest)
}

fn holds_values(entries: &[Token]) -> bool {
    let mut begins = true;
    for token in entries {
        if (begins && token.is_any(&["01", "1", "77"])) || token.is_any(&["SECTION", "DIVISION"]) {
            return false;
        }
        if token.is_any(&["VALUE", "VALUES"]) {
            return true;
        }
        begins = token.kind == Kind::Period;
    }
    false
}
