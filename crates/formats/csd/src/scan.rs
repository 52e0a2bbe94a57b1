//! A deck's text -> statements.
//!
//! Rules: columns 1 to 72 count; a line with `*` first is a comment; lines of JCL (`//`, `/*`) are
//! skipped; a statement goes on until the next command word that begins a line. A value goes on
//! over lines: directly when column 72 is filled, else with one blank between. What somebody would
//! type at a terminal, CEDA in front and G for GROUP, is the same statement.

use crate::MAX_VALUE_BYTES;
use crate::verbs::{Verb, is_bare, verb};
use transom_messages as messages;
use transom_messages::{Place, Problem};

/// Columns that count.
pub(crate) const COLUMNS: usize = 72;

/// One command with its operands.
#[derive(Debug)]
pub(crate) struct Statement {
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    /// What stands in the deck, in upper case.
    pub(crate) word: String,
    /// `None`: not a command.
    pub(crate) verb: Option<Verb>,
    pub(crate) operands: Vec<Operand>,
}

/// `KEYWORD` or `KEYWORD(value)`.
#[derive(Debug)]
pub(crate) struct Operand {
    pub(crate) line: u32,
    /// From 1, in characters.
    pub(crate) column: u32,
    /// Upper case.
    pub(crate) keyword: String,
    pub(crate) value: Option<String>,
}

/// Cuts a deck into statements. Problems are those of the text itself.
pub(crate) fn scan(deck: &str, text: &str) -> (Vec<Statement>, Vec<Problem>) {
    let mut scanner = Scanner {
        deck,
        line: 0,
        before: 0,
        statements: Vec::new(),
        problems: Vec::new(),
        open: None,
    };
    for (number, line) in text.lines().enumerate() {
        scanner.line = u32::try_from(number + 1).unwrap_or(u32::MAX);
        scanner.take_line(line);
    }
    scanner.abandon_value();
    (scanner.statements, scanner.problems)
}

/// A line without the transaction it is typed behind.
fn behind_ceda(chars: &[char]) -> Option<&[char]> {
    let word: String = chars.iter().take(4).collect();
    let typed = ["CEDA", "CEDB"];
    let typed = typed.iter().any(|name| word.eq_ignore_ascii_case(name));
    let rest = chars.get(4..).filter(|_| typed)?;
    let start = rest.iter().position(|c| *c != ' ')?;
    rest.get(start..).filter(|_| start > 0)
}

struct Scanner<'a> {
    deck: &'a str,
    line: u32,
    /// Characters of the line before those that are taken.
    before: usize,
    statements: Vec<Statement>,
    problems: Vec<Problem>,
    /// A value whose `)` has not come yet.
    open: Option<OpenValue>,
}

struct OpenValue {
    line: u32,
    column: u32,
    keyword: String,
    text: String,
    depth: usize,
    quote: Quote,
    too_long: bool,
}

#[derive(PartialEq, Clone, Copy)]
enum Quote {
    /// Nothing but blanks so far.
    NotYet,
    /// Unquoted.
    Plain,
    /// Between quotes.
    Inside,
    /// A quote inside came last: the end, or the first of two.
    MaybeEnd,
}

impl Scanner<'_> {
    fn problem(&mut self, line: u32, message: messages::Message) {
        let place = Place::line(self.deck, line);
        self.problems.push(Problem::new(message, place));
    }

    fn take_line(&mut self, raw: &str) {
        if raw.starts_with("//") || raw.starts_with("/*") {
            return;
        }
        let chars: Vec<char> = raw
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .collect();
        let (chars, beyond) = chars.split_at(chars.len().min(COLUMNS));
        let filled = chars.len() == COLUMNS && chars[COLUMNS - 1] != ' ';
        let end = chars.iter().rposition(|c| *c != ' ').map_or(0, |i| i + 1);
        let Some(start) = chars.iter().position(|c| *c != ' ') else {
            return;
        };
        let mut chars = &chars[start..end];
        if chars[0] == '*' {
            return;
        }
        // Text of CEDA and CEDB, copied as somebody would type it.
        if let Some(rest) = behind_ceda(chars)
            && (self.open.is_none() || begins_statement(rest))
        {
            chars = rest;
        }
        self.before = end - chars.len();
        if !is_sequence(beyond) {
            self.problem(self.line, messages::cs::text_ignored(COLUMNS));
        }
        if self.open.is_some() && begins_statement(chars) {
            self.abandon_value();
        }
        self.take_chars(chars);
        if let Some(open) = &mut self.open
            && !filled
            && !open.text.is_empty()
        {
            open.push(' ');
        }
    }

    fn take_chars(&mut self, chars: &[char]) {
        let mut at = 0;
        while at < chars.len() {
            if let Some(open) = &mut self.open {
                let closed = open.take(chars[at]);
                at += 1;
                if closed {
                    self.close_value();
                }
                continue;
            }
            if chars[at] == ' ' || chars[at] == ',' {
                at += 1;
                continue;
            }
            if chars[at] == ')' {
                self.problem(self.line, messages::cs::parenthesis_alone());
                at += 1;
                continue;
            }
            let first = at == 0;
            let column = u32::try_from(self.before + at + 1).unwrap_or(u32::MAX);
            let length = chars[at..]
                .iter()
                .position(|c| matches!(c, ' ' | '(' | ')' | ','));
            let end = length.map_or(chars.len(), |l| at + l);
            let word: String = chars[at..end]
                .iter()
                .collect::<String>()
                .to_ascii_uppercase();
            let next = chars[end..].iter().position(|c| *c != ' ').map(|i| end + i);
            match next.filter(|i| chars[*i] == '(') {
                Some(paren) => {
                    self.open = Some(OpenValue::new((self.line, column), word));
                    at = paren + 1;
                }
                None => {
                    self.take_word(word, column, first);
                    at = end;
                }
            }
        }
    }

    /// A word without parentheses: a command, or an operand such as ALL.
    fn take_word(&mut self, word: String, column: u32, first: bool) {
        let verb = verb(&word);
        let begins = match self.statements.last() {
            None => true,
            Some(_) if !first => false,
            Some(last) => {
                // A bare word that is no operand is a misspelt command, and what follows is its
                // own; DEFINE and ALTER have no bare operands, nor has a misspelt command.
                verb.is_some()
                    || matches!(
                        last.verb,
                        None | Some(Verb::Define | Verb::UserDefine | Verb::Alter)
                    )
                    || !is_bare(&word)
            }
        };
        if begins {
            self.statements.push(Statement {
                line: self.line,
                column,
                word,
                verb,
                operands: Vec::new(),
            });
        } else {
            self.operand(Operand {
                line: self.line,
                column,
                keyword: word,
                value: None,
            });
        }
    }

    fn operand(&mut self, mut operand: Operand) {
        // CEDA takes one letter for it, and everybody types one.
        if operand.keyword.starts_with('G') && "GROUP".starts_with(&operand.keyword) {
            operand.keyword = "GROUP".to_owned();
        }
        match self.statements.last_mut() {
            Some(statement) => statement.operands.push(operand),
            None => self.statements.push(Statement {
                line: operand.line,
                column: operand.column,
                word: operand.keyword,
                verb: None,
                operands: Vec::new(),
            }),
        }
    }

    fn close_value(&mut self) {
        let Some(open) = self.open.take() else { return };
        if open.too_long {
            self.problem(
                open.line,
                messages::cs::value_too_long(&open.keyword, MAX_VALUE_BYTES),
            );
            return;
        }
        let quoted = open.quote == Quote::MaybeEnd;
        let value = if quoted {
            open.text
        } else {
            open.text.trim_end().to_string()
        };
        self.operand(Operand {
            line: open.line,
            column: open.column,
            keyword: open.keyword,
            value: Some(value),
        });
    }

    /// The value never ended: the statement that follows must not be lost in it.
    fn abandon_value(&mut self) {
        if let Some(open) = self.open.take() {
            let what = if open.quote == Quote::Inside {
                "quote"
            } else {
                "parenthesis"
            };
            self.problem(
                open.line,
                messages::cs::value_not_closed(&open.keyword, what),
            );
        }
    }
}

impl OpenValue {
    fn new((line, column): (u32, u32), keyword: String) -> Self {
        Self {
            line,
            column,
            keyword,
            text: String::new(),
            depth: 0,
            quote: Quote::NotYet,
            too_long: false,
        }
    }

    fn push(&mut self, c: char) {
        if self.text.len() + c.len_utf8() > MAX_VALUE_BYTES {
            self.too_long = true;
        } else {
            self.text.push(c);
        }
    }

    /// Takes one character; true when it was the closing parenthesis.
    fn take(&mut self, c: char) -> bool {
        match (self.quote, c) {
            (Quote::NotYet, ' ') => {}
            (Quote::NotYet, '\'') => self.quote = Quote::Inside,
            (Quote::Inside, '\'') => self.quote = Quote::MaybeEnd,
            (Quote::Inside, _) => self.push(c),
            (Quote::MaybeEnd, '\'') => {
                self.push('\'');
                self.quote = Quote::Inside;
            }
            (Quote::MaybeEnd, ')') => return true,
            (Quote::MaybeEnd, _) => {}
            (Quote::NotYet | Quote::Plain, ')') if self.depth == 0 => return true,
            (Quote::NotYet | Quote::Plain, _) => {
                self.quote = Quote::Plain;
                match c {
                    '(' => self.depth += 1,
                    ')' => self.depth -= 1,
                    _ => {}
                }
                self.push(c);
            }
        }
        false
    }
}

/// Columns 73 to 80 may hold a sequence number or a change mark.
fn is_sequence(beyond: &[char]) -> bool {
    let text: String = beyond.iter().collect();
    let text = text.trim();
    text.is_empty() || (beyond.len() <= 8 && text.chars().all(|c| c.is_ascii_alphanumeric()))
}

/// The line looks like `DEFINE PROGRAM(`: a command, blanks, a word, a parenthesis.
fn begins_statement(chars: &[char]) -> bool {
    let line: String = chars.iter().collect();
    let mut words = line.split_whitespace();
    let first = words.next().unwrap_or("").to_ascii_uppercase();
    let second = words.next().unwrap_or("");
    let Some((keyword, _)) = second.split_once('(') else {
        return false;
    };
    let plain = !keyword.is_empty() && keyword.chars().all(|c| c.is_ascii_alphanumeric());
    plain && verb(&first).is_some()
}
