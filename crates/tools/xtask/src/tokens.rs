//! Rust source as tokens with lines: enough to find functions, uses and paths.
//!
//! What: words, literals and signs; comments are left out. Why by hand: a parser of the whole
//! language is a dependency of minutes, and no rule here needs more than brackets and words. Not
//! here: types, macros (their input is read as if it were code).

/// One token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Token<'a> {
    pub(crate) kind: Kind,
    pub(crate) text: &'a str,
    /// From 1.
    pub(crate) line: usize,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Word,
    Literal,
    /// `::`
    Path,
    /// Any other sign, one character.
    Sign,
}

impl Token<'_> {
    /// True for a sign or word of this text; a literal is never one.
    pub(crate) fn is(&self, text: &str) -> bool {
        self.kind != Kind::Literal && self.text == text
    }
}

/// The tokens of a source without items and statements that are compiled for tests only.
pub(crate) fn product(text: &str) -> Vec<Token<'_>> {
    let all = tokens(text);
    let mut kept = Vec::with_capacity(all.len());
    let mut at = 0;
    while at < all.len() {
        if is_test_only(&all[at..]) {
            at = end_of_item(&all, at + TEST_ONLY.len());
        } else {
            kept.push(all[at]);
            at += 1;
        }
    }
    kept
}

/// The tokens of a source.
pub(crate) fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut found = Vec::new();
    let (mut at, mut line) = (0, 1);
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let (kind, len) = next(rest, first);
        if let Some(kind) = kind {
            let text = &rest[..len];
            found.push(Token { kind, text, line });
        }
        line += rest[..len].matches('\n').count();
        at += len;
    }
    found
}

/// The place behind the bracket that closes the one at `open`.
pub(crate) fn behind_bracket(tokens: &[Token<'_>], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        if OPENING.iter().any(|b| token.is(b)) {
            depth += 1;
        } else if CLOSING.iter().any(|b| token.is(b)) {
            depth -= 1;
            if depth == 0 {
                return at + 1;
            }
        }
    }
    tokens.len()
}

const OPENING: [&str; 3] = ["{", "(", "["];
const CLOSING: [&str; 3] = ["}", ")", "]"];
const TEST_ONLY: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

fn is_test_only(tokens: &[Token<'_>]) -> bool {
    let there = tokens.iter().map(|t| t.text).take(TEST_ONLY.len());
    there.eq(TEST_ONLY)
}

/// The place behind an item or statement: its `;` or its block.
fn end_of_item(tokens: &[Token<'_>], mut at: usize) -> usize {
    while let Some(token) = tokens.get(at) {
        if token.is("{") {
            return behind_bracket(tokens, at);
        }
        if token.is(";") {
            return at + 1;
        }
        let is_bracket = token.is("(") || token.is("[");
        at = if is_bracket {
            behind_bracket(tokens, at)
        } else {
            at + 1
        };
    }
    at
}

/// Kind (none: nothing to keep) and length of what a text begins with.
fn next(rest: &str, first: char) -> (Option<Kind>, usize) {
    if first.is_whitespace() {
        return (None, first.len_utf8());
    }
    if rest.starts_with("//") {
        return (None, rest.find('\n').unwrap_or(rest.len()));
    }
    if rest.starts_with("/*") {
        return (None, rest.find("*/").map_or(rest.len(), |end| end + 2));
    }
    if let Some(len) = string(rest) {
        return (Some(Kind::Literal), len);
    }
    if first.is_alphanumeric() || first == '_' {
        let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
        let kind = if first.is_ascii_digit() {
            Kind::Literal
        } else {
            Kind::Word
        };
        return (Some(kind), len.unwrap_or(rest.len()));
    }
    if rest.starts_with("::") {
        return (Some(Kind::Path), 2);
    }
    (Some(Kind::Sign), first.len_utf8())
}

/// The length of a string or character literal, if the text begins with one.
fn string(rest: &str) -> Option<usize> {
    let body = rest.trim_start_matches(['b', 'c']);
    let prefix = rest.len() - body.len();
    if prefix > 1 {
        return None;
    }
    if let Some(raw) = body.strip_prefix('r') {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let inside = raw[hashes..].strip_prefix('"')?;
        let end = format!("\"{}", "#".repeat(hashes));
        let len = inside.find(&end).map_or(inside.len(), |at| at + end.len());
        return Some(rest.len() - inside.len() + len);
    }
    if let Some(inside) = body.strip_prefix('"') {
        return Some(prefix + 1 + closing(inside, '"')?);
    }
    let inside = body.strip_prefix('\'')?;
    let mut characters = inside.chars();
    let is_literal = characters.next()? == '\\' || characters.next()? == '\'';
    is_literal.then(|| Some(prefix + 1 + closing(inside, '\'')?))?
}

/// The place behind the quote that ends a literal.
fn closing(inside: &str, quote: char) -> Option<usize> {
    let mut escaped = false;
    for (at, c) in inside.char_indices() {
        if !escaped && c == quote {
            return Some(at + 1);
        }
        escaped = !escaped && c == '\\';
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        product(text).iter().map(|t| t.text).collect()
    }

    #[test]
    fn literals_and_comments() {
        let text = r##"a /* b */ "c\"d" 'e' b'\'' &'f g // h
            r#"i "j" "# k::l 0x1F"##;
        assert_eq!(
            texts(text),
            [
                "a",
                r#""c\"d""#,
                "'e'",
                r"b'\''",
                "&",
                "'",
                "f",
                "g",
                r##"r#"i "j" "#"##,
                "k",
                "::",
                "l",
                "0x1F"
            ]
        );
    }

    #[test]
    fn what_tests_alone_see_is_left_out() {
        let text =
            "fn a() { #[cfg(test)] die(); b }\n#[cfg(test)]\nmod tests { fn c() {} }\nfn d();";
        assert_eq!(texts(text).join(" "), "fn a ( ) { b } fn d ( ) ;");
    }
}
