//! Words of a utility control statement.
//!
//! Why our own: `POSITION(25:29)` has a colon in front of a number, which is a host variable to the
//! tokens of SQL. Not here: what a word means.

use transom_messages::{Problem, sq};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Card {
    /// In upper case.
    Word(String),
    /// `"Name"`
    Name(String),
    Number(u32),
    /// `'text'`
    Text(String),
    /// `X'00FF'`
    Bytes(Vec<u8>),
    Symbol(char),
}

/// Columns of a record that are text; behind them is a number.
const RIGHT: usize = 72;

/// The words of a text with their lines.
pub(crate) fn cards(text: &str) -> Result<Vec<(Card, u32)>, Problem> {
    let mut out = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let mut rest: Vec<char> = line.trim_end_matches('\r').chars().collect();
        let is_number = |c: &char| c.is_ascii_digit();
        if rest.len() == RIGHT + 8 && rest[RIGHT..].iter().all(is_number) {
            rest.truncate(RIGHT);
        }
        let mut line = Line { rest, at: 0 };
        while let Some(card) = line.card().map_err(|what| wrong(number, what))? {
            out.push((card, number));
        }
    }
    Ok(out)
}

fn wrong(line: u32, what: &str) -> Problem {
    Problem::from(sq::load_statement(what)).at(line, 1)
}

struct Line {
    rest: Vec<char>,
    at: usize,
}

impl Line {
    fn peek(&self) -> Option<char> {
        self.rest.get(self.at).copied()
    }

    fn while_is(&mut self, is: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek().is_some_and(&is) {
            self.at += 1;
        }
        self.rest[start..self.at].iter().collect()
    }

    fn card(&mut self) -> Result<Option<Card>, &'static str> {
        self.while_is(char::is_whitespace);
        let Some(first) = self.peek() else {
            return Ok(None);
        };
        let is_hex = matches!(first, 'X' | 'x') && self.rest.get(self.at + 1) == Some(&'\'');
        Ok(Some(match first {
            '-' if self.rest.get(self.at + 1) == Some(&'-') => return Ok(None),
            _ if is_hex => {
                self.at += 1;
                let digits = self.quoted('\'')?;
                Card::Bytes(hex(&digits).ok_or("X'..' has digits that are not hexadecimal")?)
            }
            '\'' => Card::Text(self.quoted('\'')?),
            '"' => Card::Name(self.quoted('"')?.trim_end().to_owned()),
            c if c.is_ascii_digit() => {
                let digits = self.while_is(|c| c.is_ascii_digit());
                Card::Number(digits.parse().map_err(|_| "a number is too large")?)
            }
            c if is_word(c) => Card::Word(self.while_is(is_word).to_uppercase()),
            c => {
                self.at += 1;
                Card::Symbol(c)
            }
        }))
    }

    /// What stands between quotes; two of them are one.
    fn quoted(&mut self, quote: char) -> Result<String, &'static str> {
        self.at += 1;
        let mut out = String::new();
        while let Some(c) = self.peek() {
            self.at += 1;
            if c != quote {
                out.push(c);
            } else if self.peek() == Some(quote) {
                self.at += 1;
                out.push(quote);
            } else {
                return Ok(out);
            }
        }
        Err("a quote is not closed on its line")
    }
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '#' | '@' | '$')
}

fn hex(digits: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u32>> = digits.chars().map(|c| c.to_digit(16)).collect();
    let digits = digits.filter(|digits| !digits.is_empty() && digits.len() % 2 == 0)?;
    let byte = |pair: &[u32]| u8::try_from(pair[0] * 16 + pair[1]).ok();
    digits.chunks_exact(2).map(byte).collect()
}
