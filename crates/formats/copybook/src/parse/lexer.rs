//! Characters -> tokens: words, numbers, literals, PICTURE strings, periods.
//!
//! A PICTURE string is only recognisable by the word before it, so the lexer watches for
//! `PIC [IS]`. Separator commas and semicolons disappear. Nothing is given a meaning here.

use super::source::Glyph;
use super::{MAX_LITERAL, MAX_PICTURE, MAX_WORD, Problems};
use transom_messages as messages;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// Upper case, and as written.
    Word {
        upper: String,
        written: String,
    },
    /// A number with the decimal point as `.`; a plain unsigned integer is also a level number or a
    /// count.
    Number(String),
    /// A quoted literal with its prefix letters (upper case, such as `X`), quotes removed.
    Quoted {
        prefix: String,
        text: String,
    },
    /// A PICTURE string, upper case.
    Picture(String),
    Period,
    /// Any other character.
    Mark(char),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) line: u32,
    pub(super) column: u32,
    /// First token of its line.
    pub(super) leads: bool,
}

impl Token {
    /// The upper-case word, or an empty string.
    pub(super) fn word(&self) -> &str {
        match &self.kind {
            Kind::Word { upper, .. } => upper,
            _ => "",
        }
    }

    /// An unsigned integer.
    pub(super) fn integer(&self) -> Option<u32> {
        match &self.kind {
            Kind::Number(n) if n.bytes().all(|b| b.is_ascii_digit()) => n.parse().ok(),
            _ => None,
        }
    }

    /// As the user wrote it, shortened: for messages.
    pub(super) fn shown(&self) -> String {
        let text = match &self.kind {
            Kind::Word { written, .. } => written.clone(),
            Kind::Number(n) => n.clone(),
            Kind::Quoted { prefix, text } => format!("{prefix}'{text}'"),
            Kind::Picture(p) => p.clone(),
            Kind::Period => ".".to_owned(),
            Kind::Mark(c) => c.to_string(),
        };
        if text.chars().count() > 30 {
            text.chars().take(30).chain("...".chars()).collect()
        } else {
            text
        }
    }
}

/// All tokens of a text.
pub(super) fn lex(glyphs: &[Glyph], decimal_comma: bool, problems: &mut Problems) -> Vec<Token> {
    let mut lexer = Lexer {
        glyphs,
        at: 0,
        decimal_comma,
        leads: true,
        tokens: Vec::new(),
    };
    while lexer.step(problems) {}
    lexer.tokens
}

struct Lexer<'a> {
    glyphs: &'a [Glyph],
    at: usize,
    decimal_comma: bool,
    leads: bool,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn step(&mut self, problems: &mut Problems) -> bool {
        self.skip_space();
        let Some(&g) = self.glyphs.get(self.at) else {
            return false;
        };
        let start = self.at;
        let kind = match g.c {
            ',' | ';' => {
                self.at += 1;
                return true;
            }
            '"' | '\'' => self.quoted(String::new(), problems),
            '.' if !self.digit_at(self.at + 1) => {
                self.at += 1;
                Kind::Period
            }
            _ if self.starts_number() => self.number(),
            c if is_word_char(c) => match self.word(problems) {
                Some(kind) => kind,
                None => return true,
            },
            c => {
                self.at += 1;
                Kind::Mark(c)
            }
        };
        let picture_next =
            matches!(&kind, Kind::Word { upper, .. } if upper == "PIC" || upper == "PICTURE");
        self.push(kind, start);
        if picture_next {
            self.picture(problems);
        }
        true
    }

    fn push(&mut self, kind: Kind, start: usize) {
        let g = self.glyphs[start];
        self.tokens.push(Token {
            kind,
            line: g.line,
            column: g.column,
            leads: self.leads,
        });
        self.leads = false;
    }

    fn skip_space(&mut self) {
        while let Some(g) = self.glyphs.get(self.at) {
            match g.c {
                '\n' => self.leads = true,
                ' ' => {}
                _ => return,
            }
            self.at += 1;
        }
    }

    fn peek(&self, at: usize) -> char {
        self.glyphs.get(at).map_or('\n', |g| g.c)
    }

    fn digit_at(&self, at: usize) -> bool {
        self.peek(at).is_ascii_digit()
    }

    fn starts_number(&self) -> bool {
        let point = |at| {
            (self.peek(at) == '.' || self.decimal_comma && self.peek(at) == ',')
                && self.digit_at(at + 1)
        };
        match self.peek(self.at) {
            '+' | '-' => self.digit_at(self.at + 1) || point(self.at + 1),
            '.' => true,
            c if c.is_ascii_digit() => {
                // A word may start with a digit: 1ST-NAME.
                let end = (self.at..).find(|&i| !self.digit_at(i)).unwrap_or(self.at);
                !is_word_char(self.peek(end))
            }
            _ => false,
        }
    }

    fn number(&mut self) -> Kind {
        let mut text = String::new();
        if matches!(self.peek(self.at), '+' | '-') {
            text.push(self.peek(self.at));
            self.at += 1;
        }
        let mut seen_point = false;
        loop {
            let c = self.peek(self.at);
            let is_point = c == '.' || self.decimal_comma && c == ',';
            if c.is_ascii_digit() {
                text.push(c);
            } else if is_point && !seen_point && self.digit_at(self.at + 1) {
                seen_point = true;
                text.push('.');
            } else {
                break;
            }
            self.at += 1;
        }
        if seen_point {
            self.exponent(&mut text);
        }
        text.truncate(MAX_LITERAL);
        Kind::Number(text)
    }

    /// The exponent of a floating-point literal: `1.5E3`, `-0.12E-07`.
    fn exponent(&mut self, text: &mut String) {
        let signed = matches!(self.peek(self.at + 1), '+' | '-');
        let start = self.at + 1 + usize::from(signed);
        let end = (start..).find(|&i| !self.digit_at(i)).unwrap_or(start);
        let is_exponent =
            matches!(self.peek(self.at), 'E' | 'e') && end > start && !is_word_char(self.peek(end));
        if is_exponent {
            text.extend(self.glyphs[self.at..end].iter().map(|g| g.c));
            self.at = end;
        }
    }

    fn word(&mut self, problems: &mut Problems) -> Option<Kind> {
        let start = self.at;
        while is_word_char(self.peek(self.at)) {
            self.at += 1;
        }
        let written: String = self.glyphs[start..self.at].iter().map(|g| g.c).collect();
        let upper = written.to_ascii_uppercase();
        let quote_next = matches!(self.peek(self.at), '"' | '\'');
        if quote_next
            && matches!(
                upper.as_str(),
                "X" | "N" | "G" | "Z" | "NX" | "GX" | "U" | "UX" | "B" | "BX" | "H"
            )
        {
            return Some(self.quoted(upper, problems));
        }
        if written.len() > MAX_WORD {
            let g = self.glyphs[start];
            problems.add(messages::cb::word_too_long(written.len()), g.line, g.column);
            return None;
        }
        Some(Kind::Word { upper, written })
    }

    fn quoted(&mut self, prefix: String, problems: &mut Problems) -> Kind {
        let open = self.glyphs[self.at];
        self.at += 1;
        let mut text = String::new();
        loop {
            let c = self.peek(self.at);
            if c == '\n' {
                problems.add(messages::cb::literal_not_closed(), open.line, open.column);
                break;
            }
            self.at += 1;
            if c == open.c {
                if self.peek(self.at) != open.c {
                    break;
                }
                self.at += 1;
            }
            text.push(c);
        }
        if text.len() > MAX_LITERAL {
            problems.add(
                messages::cb::literal_cut(MAX_LITERAL),
                open.line,
                open.column,
            );
            text = text.chars().take(MAX_LITERAL).collect();
        }
        Kind::Quoted { prefix, text }
    }

    /// The string after PIC: all up to a blank, without the period or comma that ends it.
    fn picture(&mut self, problems: &mut Problems) {
        self.skip_space();
        if self.word_is("IS") {
            self.at += 2;
            self.skip_space();
        }
        let start = self.at;
        while !matches!(self.peek(self.at), ' ' | '\n') {
            self.at += 1;
        }
        let mut end = self.at;
        while end > start && matches!(self.peek(end - 1), '.' | ',' | ';') {
            end -= 1;
        }
        if end == start {
            return; // the parser misses the string and says so
        }
        self.at = end;
        let text: String = self.glyphs[start..end]
            .iter()
            .map(|g| g.c.to_ascii_uppercase())
            .collect();
        if text.len() > MAX_PICTURE {
            let g = self.glyphs[start];
            problems.add(messages::cb::picture_too_long(text.len()), g.line, g.column);
        }
        self.push(
            Kind::Picture(text.chars().take(MAX_PICTURE).collect()),
            start,
        );
    }

    fn word_is(&self, word: &str) -> bool {
        let mut at = self.at;
        for c in word.chars() {
            if !self.peek(at).eq_ignore_ascii_case(&c) {
                return false;
            }
            at += 1;
        }
        matches!(self.peek(at), ' ' | '\n')
    }
}

/// Letters of COBOL words; `:` for COPY REPLACING markers such as `:TAG:-NAME`, `#@$` for names of
/// DB2 columns.
fn is_word_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '#' | '@' | '$')
}
