//! Cuts logical lines into text words.
//!
//! Why: one place knows quotes, separators and comment entries. Not here: COPY, EXEC.

use crate::lines::{Logical, is_card, logical_lines, looks_free};
use crate::token::{At, Kind, Session, Token};
use std::rc::Rc;
use transom_messages as messages;

/// Words of one file and the CBL/PROCESS cards found in it.
pub(crate) struct Lexed {
    pub(crate) tokens: Vec<Token>,
    pub(crate) cards: Vec<Card>,
}

/// A CBL or PROCESS card.
pub(crate) struct Card {
    pub(crate) text: String,
    pub(crate) at: At,
}

/// Reads one file. `free`: the format, when the caller knows it.
pub(crate) fn lex(text: &str, inclusion: u32, free: Option<bool>, session: &mut Session) -> Lexed {
    let free = free.unwrap_or_else(|| looks_free(text));
    let mut out = Lexed {
        tokens: Vec::new(),
        cards: Vec::new(),
    };
    let mut state = Header::Outside;
    let mut comment_entry = false;
    for line in logical_lines(text, free) {
        if line.chars.starts_with(&['>', '>']) || line.chars.starts_with(&['$']) {
            directive(&line, inclusion, &mut out);
            continue;
        }
        let text: String = line.chars.iter().collect();
        if state == Header::Outside && is_card(&text) {
            let (line, column) = line.at.first().copied().unwrap_or_default();
            let at = At {
                inclusion,
                line,
                column,
            };
            out.cards.push(Card { text, at });
            continue;
        }
        if comment_entry {
            // Text in area A is no header by standing there: old entries hold tables and macros.
            if !(free || line.area_a) || !starts_header(&text) {
                continue;
            }
            comment_entry = false;
        }
        if state == Header::Identification && line.area_a && starts_comment_entry(&text) {
            comment_entry = true;
            continue;
        }
        let first = out.tokens.len();
        let mut cutter = Cutter {
            line: &line,
            at: 0,
            inclusion,
            session,
            out: &mut out.tokens,
        };
        cutter.run();
        if drop_listing_control(&mut out.tokens, first) {
            continue;
        }
        state.advance(&out.tokens[first..]);
    }
    out
}

fn directive(line: &Logical, inclusion: u32, out: &mut Lexed) {
    // `$SET` belongs to other compilers; `>>` lines are for cobc.
    if line.chars[0] == '>' {
        let (number, column) = line.at[0];
        out.tokens.push(Token {
            kind: Kind::Directive,
            text: line.chars.iter().collect::<String>().into(),
            at: At {
                inclusion,
                line: number,
                column,
            },
            glued: false,
            debug: line.debug,
        });
    }
}

/// Which division the reader is in, as far as comment entries need it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Header {
    Outside,
    Identification,
    Later,
}

impl Header {
    fn advance(&mut self, tokens: &[Token]) {
        for pair in tokens.windows(2) {
            if pair[1].is("DIVISION") {
                *self = match pair[0].upper().as_str() {
                    "IDENTIFICATION" | "ID" => Header::Identification,
                    _ => Header::Later,
                };
            } else if pair[0].is("END") && pair[1].is("PROGRAM") {
                *self = Header::Outside;
            } else if pair[0].is("PROGRAM-ID") {
                *self = Header::Identification;
            }
        }
    }
}

const COMMENT_ENTRIES: &[&str] = &[
    "AUTHOR",
    "INSTALLATION",
    "DATE-WRITTEN",
    "DATE-COMPILED",
    "SECURITY",
    "REMARKS",
];

fn starts_comment_entry(text: &str) -> bool {
    let word = text.split(['.', ' ']).next().unwrap_or("");
    COMMENT_ENTRIES.iter().any(|w| word.eq_ignore_ascii_case(w))
}

fn starts_header(text: &str) -> bool {
    const HEADERS: &[&str] = &[
        "IDENTIFICATION",
        "ID",
        "ENVIRONMENT",
        "DATA",
        "PROCEDURE",
        "PROGRAM-ID",
        "CONFIGURATION",
        "INPUT-OUTPUT",
        "FILE",
        "WORKING-STORAGE",
        "LOCAL-STORAGE",
        "LINKAGE",
        "COPY",
        "REPLACE",
    ];
    let word = text.split(['.', ' ']).next().unwrap_or("");
    HEADERS.iter().any(|w| word.eq_ignore_ascii_case(w)) || starts_comment_entry(text)
}

/// EJECT, SKIP1..3, TITLE and *CBL lines only shape the listing.
fn drop_listing_control(tokens: &mut Vec<Token>, first: usize) -> bool {
    let Some(token) = tokens.get(first) else {
        return true;
    };
    let words = tokens.len() - first;
    let alone = words == 1 || (words == 2 && tokens[first + 1].kind == Kind::Period);
    let title = token.is("TITLE")
        && tokens
            .get(first + 1)
            .is_some_and(|t| t.kind == Kind::Literal);
    let control = token.is_any(&["*CBL", "*CONTROL"]);
    if control || title || (alone && token.is_any(&["EJECT", "SKIP1", "SKIP2", "SKIP3"])) {
        tokens.truncate(first);
        return true;
    }
    false
}

struct Cutter<'a> {
    line: &'a Logical,
    at: usize,
    inclusion: u32,
    session: &'a mut Session,
    out: &'a mut Vec<Token>,
}

impl Cutter<'_> {
    fn run(&mut self) {
        let mut glued = false;
        while let Some(c) = self.peek(0) {
            if c == ' ' {
                self.at += 1;
                glued = false;
                continue;
            }
            if c == '*' && self.peek(1) == Some('>') {
                return;
            }
            let start = self.at;
            let kind = self.one(c);
            let text: String = self.line.chars[start..self.at].iter().collect();
            let (line, column) = self.line.at[start];
            if let Some(odd) = text.chars().find(|c| *c > '\u{ff}') {
                let at = At {
                    inclusion: self.inclusion,
                    line,
                    column,
                };
                self.session
                    .problem(messages::tr::character_replaced(odd), at);
            }
            self.out.push(Token {
                kind,
                text: Rc::from(text),
                at: At {
                    inclusion: self.inclusion,
                    line,
                    column,
                },
                glued,
                debug: self.line.debug,
            });
            glued = true;
        }
    }

    fn peek(&self, ahead: usize) -> Option<char> {
        self.line.chars.get(self.at + ahead).copied()
    }

    /// A separator stands before a blank, the end of the line or the end of pseudo-text.
    fn blank_after(&self, ahead: usize) -> bool {
        match self.peek(ahead + 1) {
            Some('=') => self.peek(ahead + 2) == Some('='),
            next => next.is_none_or(|c| c == ' '),
        }
    }

    /// `==` stands here: in `==<TAG>==` the sign before it is not part of it.
    fn delimiter(&self, ahead: usize) -> bool {
        let equal = |n: usize| self.peek(ahead + n) == Some('=');
        equal(0) && equal(1) && !equal(2)
    }

    /// Moves over one text word.
    fn one(&mut self, c: char) -> Kind {
        let single = match c {
            '(' => Some(Kind::Open),
            ')' => Some(Kind::Close),
            ':' => Some(Kind::Colon),
            '.' if self.blank_after(0) => Some(Kind::Period),
            '.' if self.out.last().is_some_and(|t| t.is("END-EXEC")) => Some(Kind::Period),
            ',' | ';' if !self.peek(1).is_some_and(|n| n.is_ascii_digit()) => Some(Kind::Comma),
            '&' => Some(Kind::Operator),
            _ => None,
        };
        if let Some(kind) = single {
            self.at += 1;
            return kind;
        }
        match c {
            '\'' | '"' => self.literal(c),
            '=' if self.peek(1) == Some('=') => {
                self.at += 2;
                Kind::Pseudo
            }
            '=' | '<' | '>' => {
                let second = self.peek(1);
                let double = matches!((c, second), ('<', Some('=' | '>')) | ('>', Some('=')))
                    && !self.delimiter(1);
                self.at += 1 + usize::from(double);
                Kind::Operator
            }
            _ => self.word(),
        }
    }

    fn literal(&mut self, quote: char) -> Kind {
        let start = self.at;
        self.at += 1;
        while let Some(c) = self.peek(0) {
            self.at += 1;
            if c == quote {
                if self.peek(0) == Some(quote) {
                    self.at += 1;
                    continue;
                }
                return Kind::Literal;
            }
        }
        let (line, column) = self.line.at[start];
        let at = At {
            inclusion: self.inclusion,
            line,
            column,
        };
        // Debugging lines are often not compiled for years; cobc reads those that are.
        if !self.line.debug {
            self.session.problem(messages::tr::literal_not_closed(), at);
        }
        Kind::Literal
    }

    fn word(&mut self) -> Kind {
        const PREFIXES: &[&str] = &[
            "X", "Z", "N", "G", "B", "H", "U", "NX", "NC", "GX", "UX", "BX",
        ];
        let start = self.at;
        while let Some(c) = self.peek(0) {
            match c {
                ' ' | '(' | ')' | ':' | '=' | '<' | '>' | '&' => break,
                '.' | ',' | ';' if self.blank_after(0) => break,
                '\'' | '"' => {
                    let word: String = self.line.chars[start..self.at].iter().collect();
                    if PREFIXES.iter().any(|p| p.eq_ignore_ascii_case(&word)) {
                        return self.literal(c);
                    }
                    break;
                }
                _ => self.at += 1,
            }
        }
        // A lone character that is none of the above, such as a stray period, is a word.
        self.at = self.at.max(start + 1);
        Kind::Word
    }
}
