//! Functions and registers that GnuCOBOL lacks.
//!
//! How: `FUNCTION HEX-OF(A)` becomes `FUNCTION CONCATENATE(mark A)`, which the run time's edge
//! takes for itself when the first argument is the mark with the name of a function; a function
//! whose value is an integer becomes FUNCTION LENGTH of that. So it may stand wherever a function
//! may. Not here: what the functions do (region/workers).

use crate::declared::Declared;
use crate::token::{Kind, Token};

/// Functions, and whether their value is an integer.
const FUNCTIONS: &[(&str, bool)] = &[
    ("BIT-OF", false),
    ("BIT-TO-CHAR", false),
    ("DISPLAY-OF", false),
    ("HEX-OF", false),
    ("HEX-TO-CHAR", false),
    ("NATIONAL-OF", false),
    ("ULENGTH", true),
    ("UPOS", true),
    ("USUBSTR", false),
    ("USUPPLEMENTARY", true),
    ("UUID4", false),
    ("UVALID", true),
    ("UWIDTH", true),
];

/// Begins the mark; the edge has the same bytes.
const MARK: &[u8] = b"\0TXMF:";

/// A function that is supplied.
pub(crate) fn is_supplied(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, _)| *known == name)
}

/// Puts what the compiler knows in place of what is supplied.
pub(crate) fn supply(tokens: Vec<Token>, declared: &Declared) -> Vec<Token> {
    let wanted = |t: &Token| is_supplied(&t.upper()) || t.is_any(&["SHIFT-IN", "SHIFT-OUT"]);
    if !tokens.iter().any(wanted) {
        return tokens;
    }
    let supply = Supply {
        tokens: &tokens,
        declared,
        keyword_optional: tokens
            .windows(3)
            .any(|w| w[0].is("FUNCTION") && w[1].is("ALL") && w[2].is("INTRINSIC")),
    };
    let mut out = Vec::with_capacity(tokens.len() + 64);
    supply.range(0, tokens.len(), &mut out);
    out
}

struct Supply<'a> {
    tokens: &'a [Token],
    declared: &'a Declared,
    /// REPOSITORY. FUNCTION ALL INTRINSIC.
    keyword_optional: bool,
}

impl Supply<'_> {
    fn range(&self, start: usize, end: usize, out: &mut Vec<Token>) {
        let mut at = start;
        while at < end {
            at = self.one(at, end, out);
        }
    }

    /// Writes what stands at `at`; answers what comes after it.
    fn one(&self, at: usize, end: usize, out: &mut Vec<Token>) -> usize {
        let token = &self.tokens[at];
        let shift = [("SHIFT-OUT", "X'0E'"), ("SHIFT-IN", "X'0F'")];
        if let Some((_, literal)) = shift.iter().find(|(name, _)| token.is(name)) {
            out.push(Token {
                kind: Kind::Literal,
                text: (*literal).into(),
                ..token.clone()
            });
            return at + 1;
        }
        let keyword = token.is("FUNCTION");
        let name_at = at + usize::from(keyword);
        let name = self.tokens.get(name_at).map(Token::upper);
        let name = name.unwrap_or_default();
        let known = FUNCTIONS.iter().find(|(known, _)| *known == name);
        let opens = self
            .tokens
            .get(name_at + 1)
            .is_some_and(|t| t.kind == Kind::Open);
        let (Some(&(_, integer)), true) = (
            known,
            keyword || self.keyword_optional && (opens || name == "UUID4"),
        ) else {
            out.push(token.clone());
            return at + 1;
        };
        let close = match opens {
            true => close_of(self.tokens, name_at + 1).unwrap_or(end),
            false => name_at,
        };
        let word = |kind, text: &str| token.beside(kind, text);
        if integer {
            out.extend(["FUNCTION", "LENGTH"].map(|t| word(Kind::Word, t)));
            out.push(word(Kind::Open, "("));
        }
        out.extend(["FUNCTION", "CONCATENATE"].map(|t| word(Kind::Word, t)));
        out.push(word(Kind::Open, "("));
        out.push(word(Kind::Literal, &mark(&self.named(&name, close))));
        if opens {
            self.range(name_at + 2, close.min(end), out);
        }
        out.push(word(Kind::Close, ")"));
        if integer {
            out.push(word(Kind::Close, ")"));
        }
        close + 1
    }

    /// The name for the edge: NATIONAL-OF is told the room of its receiver.
    fn named(&self, name: &str, close: usize) -> String {
        let receiver = self.tokens.get(close + 2).filter(|_| name == "NATIONAL-OF");
        let room = receiver.and_then(|t| self.declared.national.get(&t.upper()));
        match room.filter(|_| receiver_of(self.tokens, close + 2).is_some()) {
            Some(room) => format!("{name}:{room}"),
            None => name.to_owned(),
        }
    }
}

fn mark(name: &str) -> String {
    let bytes = MARK.iter().copied().chain(name.bytes());
    let hex: String = bytes.map(|b| format!("{b:02X}")).collect();
    format!("X'{hex}'")
}

fn close_of(tokens: &[Token], open: usize) -> Option<usize> {
    let mut depth = 0usize;
    for (n, token) in tokens.iter().enumerate().skip(open) {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(n);
                }
            }
            Kind::Period => return None,
            _ => {}
        }
    }
    None
}

/// `MOVE FUNCTION NATIONAL-OF ( ... ) TO item`, the item at `at` its only receiver: index of MOVE.
pub(crate) fn receiver_of(tokens: &[Token], at: usize) -> Option<usize> {
    let close = at.checked_sub(2)?;
    if !tokens.get(at - 1)?.is("TO") || tokens[close].kind != Kind::Close {
        return None;
    }
    let start = (0..close)
        .rev()
        .take_while(|n| tokens[*n].kind != Kind::Period)
        .find(|n| tokens[*n].is("MOVE"))?;
    let keyword = usize::from(tokens.get(start + 1)?.is("FUNCTION"));
    let name = start + 1 + keyword;
    let open = tokens
        .get(name)
        .filter(|t| t.is("NATIONAL-OF"))
        .map(|_| name + 1)?;
    if close_of(tokens, open) != Some(close) {
        return None;
    }
    is_last(tokens, at).then_some(start)
}

/// No subscript, qualifier or other receiver follows.
pub(crate) fn is_last(tokens: &[Token], at: usize) -> bool {
    let next = tokens.get(at + 1);
    !next.is_some_and(|t| t.kind == Kind::Open || t.kind == Kind::Comma || t.is_any(&["OF", "IN"]))
}
