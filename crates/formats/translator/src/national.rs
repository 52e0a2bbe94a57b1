//! Parts of national items, which the compiler counts in bytes and takes for characters.
//!
//! What: position and length of a reference modification become those of bytes; in a function the
//! part is made a value that is known as national, and its LENGTH is half of what the compiler
//! says. Not here: where a national item may stand at all (`refuse`).

use crate::declared::Declared;
use crate::documents::words::words;
use crate::token::{Kind, Token};

/// A part of national text as a value that functions know as national.
pub(crate) fn known_as_national(part: &str) -> String {
    // Unicode there and back again, which changes nothing.
    format!("FUNCTION NATIONAL-OF ( FUNCTION DISPLAY-OF ( {part} 1208 ) 1208 )")
}

/// Puts bytes in place of characters.
pub(crate) fn national_parts(tokens: Vec<Token>, declared: &Declared) -> Vec<Token> {
    if declared.national.is_empty() {
        return tokens;
    }
    let mut out: Vec<Token> = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let known = declared.national.contains_key(&token.upper());
        let Some(part) = Part::at(&tokens, at).filter(|_| known) else {
            out.push(token.clone());
            at += 1;
            continue;
        };
        let text = part.text(&tokens[at..]);
        at += part.end;
        let closes = tokens.get(at).is_some_and(|t| t.kind == Kind::Close);
        match (function(&out), closes) {
            (Function::Length(length), true) => {
                out.truncate(out.len() - length);
                let half = format!("FUNCTION INTEGER ( FUNCTION LENGTH ( {text} ) / 2 )");
                words(&half, token.at, &mut out);
                at += 1;
            }
            (Function::Other, _) => words(&known_as_national(&text), token.at, &mut out),
            _ => words(&text, token.at, &mut out),
        }
    }
    out
}

/// Where the words of a reference modification lie, counted from the item.
struct Part {
    open: usize,
    colon: usize,
    close: usize,
    end: usize,
}

impl Part {
    fn at(tokens: &[Token], item: usize) -> Option<Self> {
        let tokens = tokens.get(item..)?;
        let mut open = 1;
        while tokens.get(open)?.is_any(&["OF", "IN"]) {
            open += 2;
        }
        loop {
            if tokens.get(open)?.kind != Kind::Open {
                return None;
            }
            let (close, colon) = brackets(tokens, open)?;
            if let Some(colon) = colon {
                return Some(Self {
                    open,
                    colon,
                    close,
                    end: close + 1,
                });
            }
            open = close + 1;
        }
    }

    fn text(&self, tokens: &[Token]) -> String {
        let joined = |tokens: &[Token]| {
            let kept = tokens.iter().filter(|t| t.kind != Kind::Comma);
            kept.map(|t| &*t.text).collect::<Vec<_>>().join(" ")
        };
        let item = joined(&tokens[..self.open]);
        let first = joined(&tokens[self.open + 1..self.colon]);
        let length = match &*joined(&tokens[self.colon + 1..self.close]) {
            "" => String::new(),
            length => format!(" ( {length} ) * 2"),
        };
        format!("{item} ( ( {first} ) * 2 - 1 :{length} )")
    }
}

/// The end of brackets, and the colon in them.
fn brackets(tokens: &[Token], open: usize) -> Option<(usize, Option<usize>)> {
    let (mut depth, mut colon) = (0usize, None);
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth == 1 => return Some((at, colon)),
            Kind::Close => depth -= 1,
            Kind::Period => return None,
            _ if depth == 1 && &*token.text == ":" => colon = Some(at),
            _ => {}
        }
    }
    None
}

/// What the words before an argument are.
enum Function {
    None,
    /// FUNCTION LENGTH and its bracket, so many words.
    Length(usize),
    Other,
}

fn function(before: &[Token]) -> Function {
    let mut depth = 0;
    for (at, token) in before.iter().enumerate().rev() {
        match token.kind {
            Kind::Close => depth += 1,
            Kind::Open if depth > 0 => depth -= 1,
            Kind::Open => {
                let name = at.checked_sub(1).map(|n| &before[n]);
                let keyword = at >= 2 && before[at - 2].is("FUNCTION");
                let last = at + 1 == before.len();
                return match name {
                    Some(name) if name.is("LENGTH") && last => {
                        Function::Length(2 + usize::from(keyword))
                    }
                    Some(name) if crate::supplied::is_supplied(&name.upper()) => Function::Other,
                    _ => Function::None,
                };
            }
            Kind::Period => return Function::None,
            _ => {}
        }
    }
    Function::None
}
