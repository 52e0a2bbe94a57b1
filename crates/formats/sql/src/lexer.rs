//! Db2 text to tokens.
//!
//! Why our own: host variables with hyphens (`:WS-KEY`), qualifiers and indicators, `¬=` and `!!`
//! are in no general SQL tokenizer, and a wrong guess (`:WS - KEY`) runs and gives another result.
//! Not here: what a word means.

use crate::problem::{At, SqlProblem};

/// Longest statement of Db2 for z/OS, in bytes.
const TEXT_MAX: usize = 2 << 20;
/// Longest constant of characters.
const STRING_MAX: usize = 32_704;
/// Longest identifier, in bytes.
const NAME_MAX: usize = 128;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// Ordinary identifier or keyword; the text is in upper case.
    Word,
    /// `"name"`; the text is what stands between the quotes.
    Delimited,
    Integer,
    Decimal,
    Float,
    /// `'text'`, and `N'text'`.
    String,
    /// `X'..'`; the text is hexadecimal digits.
    Hex,
    /// `BX'..'`, a binary string.
    Binary,
    /// `G'..'`; the text is the characters.
    Graphic,
    /// `GX'..'` or `UX'..'`; the text is hexadecimal digits.
    GraphicHex,
    /// `:NAME` or `:STRUCTURE.NAME`; the text is the name without its colon, in upper case.
    Host,
    /// `?`
    Marker,
    /// Operators and punctuation; `¬=`, `^=`, `!=` are `<>`, and `!!` is `||`.
    Symbol,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    pub text: String,
    pub at: At,
    /// Offset behind its last byte.
    pub end: usize,
}

impl Token {
    pub(crate) fn is(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text == word
    }

    pub(crate) fn is_symbol(&self, symbol: &str) -> bool {
        self.kind == TokenKind::Symbol && self.text == symbol
    }
}

/// The tokens of a text; comments are none.
pub fn tokens(text: &str) -> Result<Vec<Token>, SqlProblem> {
    if text.len() > TEXT_MAX {
        return Err(SqlProblem::new(-101, &[], At::default()));
    }
    let mut lexer = Lexer {
        text,
        at: At {
            offset: 0,
            line: 1,
            column: 1,
        },
    };
    let mut out = Vec::new();
    while lexer.skip_blank()? {
        out.push(lexer.token()?);
    }
    Ok(out)
}

struct Lexer<'a> {
    text: &'a str,
    at: At,
}

/// Longest first.
const SYMBOLS: &[(&str, &str)] = &[
    ("¬=", "<>"),
    ("^=", "<>"),
    ("!=", "<>"),
    ("<>", "<>"),
    ("¬<", ">="),
    ("!<", ">="),
    ("¬>", "<="),
    ("!>", "<="),
    ("<=", "<="),
    (">=", ">="),
    ("=>", "=>"),
    ("||", "||"),
    ("!!", "||"),
    ("(", "("),
    (")", ")"),
    (",", ","),
    (".", "."),
    (";", ";"),
    ("+", "+"),
    ("-", "-"),
    ("*", "*"),
    ("/", "/"),
    ("=", "="),
    ("<", "<"),
    (">", ">"),
    ("?", "?"),
];

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    fn peek_second(&self) -> Option<char> {
        self.rest().chars().nth(1)
    }

    fn advance(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at.offset += c.len_utf8();
        if c == '\n' {
            self.at.line += 1;
            self.at.column = 1;
        } else {
            self.at.column += 1;
        }
        Some(c)
    }

    /// Goes to the next token; false: there is none.
    fn skip_blank(&mut self) -> Result<bool, SqlProblem> {
        loop {
            let Some(c) = self.peek() else {
                return Ok(false);
            };
            if c.is_whitespace() || c == '\0' {
                self.advance();
            } else if self.rest().starts_with("--") {
                while self.peek().is_some_and(|c| c != '\n') {
                    self.advance();
                }
            } else if self.rest().starts_with("/*") {
                self.skip_comment()?;
            } else {
                return Ok(true);
            }
        }
    }

    /// Bracketed comments nest in Db2.
    fn skip_comment(&mut self) -> Result<(), SqlProblem> {
        let start = self.at;
        let mut depth = 0u32;
        loop {
            if self.rest().starts_with("/*") {
                depth += 1;
                self.advance();
            } else if self.rest().starts_with("*/") {
                depth -= 1;
                self.advance();
            }
            if self.advance().is_none() {
                return Err(SqlProblem::new(-104, &["/*", "*/"], start));
            }
            if depth == 0 {
                return Ok(());
            }
        }
    }

    fn token(&mut self) -> Result<Token, SqlProblem> {
        let start = self.at;
        let c = self.peek().unwrap_or(' ');
        let (kind, text) = match c {
            '\'' => (TokenKind::String, self.quoted('\'')?),
            '"' => (TokenKind::Delimited, self.delimited()?),
            ':' => (TokenKind::Host, self.host()?),
            '0'..='9' => self.number()?,
            '.' if self.peek_second().is_some_and(|c| c.is_ascii_digit()) => self.number()?,
            c if begins_name(c) => self.word_or_constant()?,
            _ => self.symbol()?,
        };
        Ok(Token {
            kind,
            text,
            at: start,
            end: self.at.offset,
        })
    }

    fn quoted(&mut self, quote: char) -> Result<String, SqlProblem> {
        let start = self.at;
        let mut text = String::new();
        self.advance();
        loop {
            match self.advance() {
                None => return Err(SqlProblem::new(-10, &[&shorten(&text)], start)),
                Some(c) if c != quote => text.push(c),
                Some(_) if self.peek() == Some(quote) => {
                    self.advance();
                    text.push(quote);
                }
                Some(_) if text.len() > STRING_MAX => {
                    return Err(SqlProblem::new(-102, &[&shorten(&text)], start));
                }
                Some(_) => return Ok(text),
            }
        }
    }

    fn delimited(&mut self) -> Result<String, SqlProblem> {
        let start = self.at;
        let text = self.quoted('"')?;
        // Blanks at the end are no part of a name.
        let text = text.trim_end().to_owned();
        if text.is_empty() {
            return Err(SqlProblem::new(-104, &["\"\"", "NAME"], start));
        }
        check_name(text, start)
    }

    /// `X'00FF'` and its relatives, or a word.
    fn word_or_constant(&mut self) -> Result<(TokenKind, String), SqlProblem> {
        let start = self.at;
        let word = self.name().to_uppercase();
        if self.peek() != Some('\'') {
            return Ok((TokenKind::Word, check_name(word, start)?));
        }
        let kind = match word.as_str() {
            "X" => TokenKind::Hex,
            "BX" => TokenKind::Binary,
            "GX" | "UX" => TokenKind::GraphicHex,
            "G" => TokenKind::Graphic,
            "N" => TokenKind::String,
            _ => return Ok((TokenKind::Word, check_name(word, start)?)),
        };
        let text = self.quoted('\'')?;
        let unit = match kind {
            TokenKind::GraphicHex => 4,
            TokenKind::Hex | TokenKind::Binary => 2,
            _ => return Ok((kind, text)),
        };
        if text.len() % unit != 0 || !text.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err(SqlProblem::new(-110, &[&shorten(&text)], start));
        }
        Ok((kind, text.to_uppercase()))
    }

    fn name(&mut self) -> &str {
        let start = self.at.offset;
        while self.peek().is_some_and(continues_name) {
            self.advance();
        }
        &self.text[start..self.at.offset]
    }

    fn number(&mut self) -> Result<(TokenKind, String), SqlProblem> {
        let start = self.at;
        self.digits();
        let mut kind = TokenKind::Integer;
        if self.peek() == Some('.') {
            kind = TokenKind::Decimal;
            self.advance();
            self.digits();
        }
        if matches!(self.peek(), Some('E' | 'e')) {
            kind = TokenKind::Float;
            self.advance();
            if matches!(self.peek(), Some('+' | '-')) {
                self.advance();
            }
            self.digits();
        }
        let ends_well = self.text[..self.at.offset]
            .ends_with(|c: char| c.is_ascii_digit() || (c == '.' && kind == TokenKind::Decimal));
        // `CLOB(1M)`: a unit behind a length is a word of its own.
        let rest = self.rest();
        let is_unit = kind == TokenKind::Integer
            && rest.starts_with(['K', 'M', 'G', 'k', 'm', 'g'])
            && !rest[1..].starts_with(continues_name);
        if !ends_well || !is_unit && self.peek().is_some_and(continues_name) {
            self.name();
            let text = &self.text[start.offset..self.at.offset];
            return Err(SqlProblem::new(-103, &[&shorten(text)], start));
        }
        let text = self.text[start.offset..self.at.offset].to_uppercase();
        Ok((kind, text))
    }

    fn digits(&mut self) {
        while self.peek().is_some_and(|c| c.is_ascii_digit()) {
            self.advance();
        }
    }

    /// A name of COBOL: hyphens belong to it, and one qualifier.
    fn host(&mut self) -> Result<String, SqlProblem> {
        let start = self.at;
        self.advance();
        while self.peek() == Some(' ') {
            self.advance();
        }
        let mut text = self.cobol_name();
        if self.peek() == Some('.') && self.peek_second().is_some_and(continues_name) {
            self.advance();
            text = format!("{text}.{}", self.cobol_name());
        }
        if text.is_empty() {
            let next: String = self.peek().into_iter().collect();
            return Err(SqlProblem::new(-104, &[&next, "HOST VARIABLE"], start));
        }
        check_name(text, start)
    }

    fn cobol_name(&mut self) -> String {
        let start = self.at.offset;
        while let Some(c) = self.peek() {
            let hyphen = c == '-' && {
                let behind = self.rest()[1..].trim_start_matches('-');
                self.at.offset > start && behind.starts_with(continues_name)
            };
            if !continues_name(c) && !hyphen {
                break;
            }
            self.advance();
        }
        self.text[start..self.at.offset].to_uppercase()
    }

    fn symbol(&mut self) -> Result<(TokenKind, String), SqlProblem> {
        let found = SYMBOLS.iter().find(|(s, _)| self.rest().starts_with(s));
        let Some((written, meant)) = found else {
            let c: String = self.peek().into_iter().collect();
            return Err(SqlProblem::new(-7, &[&c], self.at));
        };
        for _ in written.chars() {
            self.advance();
        }
        let kind = if *meant == "?" {
            TokenKind::Marker
        } else {
            TokenKind::Symbol
        };
        Ok((kind, (*meant).to_owned()))
    }
}

fn begins_name(c: char) -> bool {
    c.is_alphabetic() || matches!(c, '$' | '#' | '@' | '_')
}

fn continues_name(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '$' | '#' | '@' | '_')
}

fn check_name(name: String, at: At) -> Result<String, SqlProblem> {
    if name.len() > NAME_MAX {
        return Err(SqlProblem::new(-107, &[&shorten(&name), "128"], at));
    }
    Ok(name)
}

/// A token of a message has no more than 70 bytes.
pub(crate) fn shorten(text: &str) -> String {
    text.chars().take(60).collect()
}
