//! Generated COBOL as words.
//!
//! Not here: what is generated.

use crate::token::{At, Kind, Token};

/// Words of generated COBOL at a place of the user. `PIC~X` stays on one line: the compiler takes
/// no `#line` in front of a picture.
pub(crate) fn words(text: &str, at: At, out: &mut Vec<Token>) {
    let mut quoted = false;
    let cut = |c: char| {
        quoted ^= c == '\'';
        c == ' ' && !quoted
    };
    for word in text.split(cut).filter(|word| !word.is_empty()) {
        let kind = match word {
            "(" => Kind::Open,
            ")" => Kind::Close,
            "." => Kind::Period,
            _ if word.ends_with('\'') => Kind::Literal,
            _ => Kind::Word,
        };
        let picture = word.strip_prefix("PIC~");
        let text = picture.map_or_else(|| word.to_owned(), |picture| format!("PIC {picture}"));
        out.push(Token {
            kind,
            text: text.into(),
            at,
            glued: false,
            debug: false,
        });
    }
}
