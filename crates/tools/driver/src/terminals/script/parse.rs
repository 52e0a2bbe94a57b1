//! The text of a script, line by line.
//!
//! What: one statement a line; errors with line and column. Not here: files (a reader comes from
//! the caller).

use super::lex::{Token, is_name, name_at_start, tokens, wrong};
use super::statements::{
    Action, LOOPS_MAX, Piece, Place, STATEMENTS_MAX, Script, Statement, Text, USER,
};
use super::users::Users;
use std::fmt::Display;
use transom_datastream::Aid;
use transom_messages::Problem;

/// First words of statements.
const WORDS: [&str; 12] = [
    "capture",
    "cursor",
    "end",
    "expect",
    "field",
    "key",
    "loop",
    "random",
    "think",
    "transaction",
    "type",
    "user-file",
];

/// Longest pause, milliseconds: a day.
const THINK_MS_MAX: u64 = 86_400_000;

/// Reads a script. `file` gives the text of a user file.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn parse(
    text: &str,
    file: &mut dyn FnMut(&str) -> Result<String, String>,
) -> Result<Script, Problem> {
    let mut parser = Parser {
        script: Script {
            slots: vec![USER.to_owned()],
            ..Script::default()
        },
        loops: Vec::new(),
        file,
    };
    for (at, text) in text.lines().enumerate() {
        let number = at as u32 + 1;
        let mut line = Line {
            number,
            width: text.chars().count(),
            tokens: tokens(number, text)?.into_iter(),
            last: 1,
        };
        if let Some(word) = line.tokens.next() {
            parser.statement(&mut line, &word)?;
        }
    }
    if let Some(open) = parser.loops.last() {
        let line = parser.script.statements.get(*open).map_or(0, |s| s.line);
        return Err(wrong(line, 1, "this loop has no end"));
    }
    Ok(parser.script)
}

struct Parser<'a> {
    script: Script,
    /// Statements of open loops.
    loops: Vec<usize>,
    file: &'a mut dyn FnMut(&str) -> Result<String, String>,
}

/// What is left of a line.
struct Line {
    number: u32,
    width: usize,
    tokens: std::vec::IntoIter<Token>,
    /// Column of the last token taken.
    last: usize,
}

impl Line {
    fn problem(&self, column: usize, text: impl Display) -> Problem {
        wrong(self.number, column, text)
    }

    fn take(&mut self, what: &str) -> Result<Token, Problem> {
        let Some(token) = self.tokens.next() else {
            return Err(self.problem(self.width + 1, format!("{what} is missing")));
        };
        self.last = token.column;
        Ok(token)
    }

    /// Takes the next token if it is this word.
    fn take_word(&mut self, word: &str) -> bool {
        let next = self.tokens.as_slice().first();
        let is = next.is_some_and(|t| !t.quoted && t.text.eq_ignore_ascii_case(word));
        if is {
            self.tokens.next();
        }
        is
    }

    fn numbers<const N: usize>(&mut self, what: &str) -> Result<[u16; N], Problem> {
        let token = self.take(what)?;
        let parts = token.text.split(',').map(|p| p.parse().ok());
        let found: Option<Vec<u16>> = parts.map(|n| n.filter(|n| *n > 0)).collect();
        let found = found.and_then(|f| <[u16; N]>::try_from(f).ok());
        found.ok_or_else(|| {
            let text = format!("{what} is needed, as numbers from 1 with commas between them");
            self.problem(token.column, text)
        })
    }

    fn place(&mut self) -> Result<Place, Problem> {
        let [row, column] = self.numbers("ROW,COLUMN")?;
        Ok((row, column))
    }

    fn number(&mut self, what: &str, low: u64, high: u64) -> Result<u64, Problem> {
        let token = self.take(what)?;
        let given = token.text.parse().ok();
        given.filter(|n| (low..=high).contains(n)).ok_or_else(|| {
            self.problem(
                token.column,
                format!("{what} from {low} to {high} is needed"),
            )
        })
    }

    fn end(&mut self) -> Result<(), Problem> {
        match self.tokens.next() {
            None => Ok(()),
            Some(token) => {
                let text = format!("{:?} is too much here", token.text);
                Err(self.problem(token.column, text))
            }
        }
    }
}

impl Parser<'_> {
    fn statement(&mut self, line: &mut Line, word: &Token) -> Result<(), Problem> {
        let name = word.text.to_ascii_lowercase();
        let action = match name.as_str() {
            "expect" => {
                let text = self.text(line)?;
                let at = if line.take_word("at") {
                    Some(line.place()?)
                } else {
                    None
                };
                Action::Expect { text, at }
            }
            "type" => Action::Type {
                at: line.place()?,
                text: self.text(line)?,
            },
            "field" => Action::Field {
                nth: line.number("the number of a field", 1, 4_000)? as u16,
                text: self.text(line)?,
            },
            "cursor" => Action::Cursor(line.place()?),
            "key" => self.key(line)?,
            "transaction" => self.transaction(line)?,
            "think" => Action::Think(think(line)?),
            "loop" => self.begin(line, word.column)?,
            "end" => self.end(line, word.column)?,
            "capture" => self.capture(line)?,
            "random" => {
                let slot = self.new_slot(line)?;
                let low = line.number("the lowest number", 0, u64::MAX >> 1)?;
                let width = line.tokens.as_slice().first().map_or(0, |t| t.text.len());
                let high = line.number("the highest number", low, u64::MAX >> 1)?;
                Action::Random {
                    slot,
                    low,
                    high,
                    width,
                }
            }
            "user-file" => {
                self.user_file(line)?;
                return line.end();
            }
            _ => {
                let known = WORDS.join(", ");
                let text = format!("{:?} is no statement; there are {known}", word.text);
                return Err(line.problem(word.column, text));
            }
        };
        line.end()?;
        if self.script.statements.len() == STATEMENTS_MAX {
            let text = format!("a script has at most {STATEMENTS_MAX} statements");
            return Err(line.problem(word.column, text));
        }
        let line = line.number;
        self.script.statements.push(Statement { line, action });
        Ok(())
    }

    fn key(&mut self, line: &mut Line) -> Result<Action, Problem> {
        let token = line.take("the name of a key")?;
        let aid = Aid::from_name(&token.text).filter(|aid| {
            aid.pf_number().is_some()
                || [Aid::ENTER, Aid::CLEAR, Aid::PA1, Aid::PA2, Aid::PA3].contains(aid)
        });
        let Some(aid) = aid else {
            let text = format!(
                "{:?} is no key; there are ENTER, CLEAR, PA1 to PA3, PF1 to PF24",
                token.text
            );
            return Err(line.problem(token.column, text));
        };
        let label = self.label(line, &format!("line {} {}", line.number, aid.name()))?;
        Ok(Action::Key { aid, label })
    }

    fn transaction(&mut self, line: &mut Line) -> Result<Action, Problem> {
        let name = line.tokens.as_slice().first().map(|t| t.text.clone());
        let text = self.text(line)?;
        let label = self.label(line, &name.unwrap_or_default())?;
        let clear = self.label_of("CLEAR");
        Ok(Action::Transaction { text, label, clear })
    }

    /// `as LABEL`, or the default. Statements with the same label share their statistics.
    fn label(&mut self, line: &mut Line, default: &str) -> Result<usize, Problem> {
        if line.take_word("as") {
            let token = line.take("a label")?;
            return Ok(self.label_of(&token.text));
        }
        Ok(self.label_of(default))
    }

    fn label_of(&mut self, name: &str) -> usize {
        let labels = &mut self.script.labels;
        let known = labels.iter().position(|l| l == name);
        known.unwrap_or_else(|| {
            labels.push(name.to_owned());
            labels.len() - 1
        })
    }

    fn begin(&mut self, line: &mut Line, column: usize) -> Result<Action, Problem> {
        let endless = line.tokens.as_slice().is_empty();
        let times = match endless {
            true => None,
            false => Some(line.number("a number of times", 1, 1_000_000_000)? as u32),
        };
        if self.loops.len() == LOOPS_MAX {
            let text = format!("at most {LOOPS_MAX} loops inside each other are possible");
            return Err(line.problem(column, text));
        }
        self.loops.push(self.script.statements.len());
        Ok(Action::Loop { times, end: 0 })
    }

    fn end(&mut self, line: &mut Line, column: usize) -> Result<Action, Problem> {
        let Some(begin) = self.loops.pop() else {
            return Err(line.problem(column, "no loop is open here"));
        };
        let here = self.script.statements.len();
        if let Some(Statement {
            action: Action::Loop { end, .. },
            ..
        }) = self.script.statements.get_mut(begin)
        {
            *end = here;
        }
        Ok(Action::End { begin })
    }

    fn capture(&mut self, line: &mut Line) -> Result<Action, Problem> {
        let slot = self.new_slot(line)?;
        let [row, column, length] = line.numbers("ROW,COLUMN,LENGTH")?;
        Ok(Action::Capture {
            slot,
            at: (row, column),
            length,
        })
    }

    /// A name that gets a value here; it may have one already.
    fn new_slot(&mut self, line: &mut Line) -> Result<usize, Problem> {
        let token = line.take("a name")?;
        let name = token.text;
        if !is_name(&name) || name == USER {
            let text = format!("{name:?} cannot be the name of a value");
            return Err(line.problem(token.column, text));
        }
        let slots = &mut self.script.slots;
        let known = slots.iter().position(|s| *s == name);
        Ok(known.unwrap_or_else(|| {
            slots.push(name);
            slots.len() - 1
        }))
    }

    fn user_file(&mut self, line: &mut Line) -> Result<(), Problem> {
        let token = line.take("the name of a file")?;
        if self.script.slots.len() > 1 {
            let text = "user-file comes first, and once";
            return Err(line.problem(token.column, text));
        }
        let wrong = |text: String| line.problem(token.column, text);
        let text = (self.file)(&token.text).map_err(|e| wrong(format!("{}: {e}", token.text)))?;
        let users = Users::parse(&text).map_err(|e| {
            let e = e.in_file(&token.text);
            wrong(format!("{}: {}", e.place, e.words()))
        })?;
        for name in &users.columns {
            if !is_name(name) || self.script.slots.contains(name) {
                let text = format!("{}: {name:?} cannot be the name of a column", token.text);
                return Err(wrong(text));
            }
            self.script.slots.push(name.clone());
        }
        self.script.users = users;
        Ok(())
    }

    /// A text with `$NAME` or `${NAME}` in it; `$$` is one dollar.
    fn text(&mut self, line: &mut Line) -> Result<Text, Problem> {
        let token = line.take("a text")?;
        let mut pieces = Vec::new();
        let mut plain = String::new();
        let mut rest = token.text.as_str();
        while let Some((before, after)) = rest.split_once('$') {
            plain.push_str(before);
            if let Some(more) = after.strip_prefix('$') {
                plain.push('$');
                rest = more;
                continue;
            }
            let (name, more) = name_at_start(after);
            let Some(slot) = self.script.slots.iter().position(|s| s == name) else {
                let text = self.unknown(name);
                return Err(line.problem(token.column, text));
            };
            if !plain.is_empty() {
                pieces.push(Piece::Plain(std::mem::take(&mut plain)));
            }
            pieces.push(Piece::Slot(slot));
            rest = more;
        }
        plain.push_str(rest);
        if !plain.is_empty() {
            pieces.push(Piece::Plain(plain));
        }
        Ok(Text(pieces))
    }

    fn unknown(&self, name: &str) -> String {
        if name.is_empty() {
            return "a name is needed after $; $$ is a dollar".to_owned();
        }
        let known: Vec<String> = self.script.slots.iter().map(|s| format!("${s}")).collect();
        format!("${name} has no value here; there are {}", known.join(", "))
    }
}

/// `500`, `500ms` or `2s`.
fn think(line: &mut Line) -> Result<u64, Problem> {
    let token = line.take("a time")?;
    let text = token.text.as_str();
    let (digits, factor) = match text.strip_suffix("ms") {
        Some(digits) => (digits, 1),
        None => text.strip_suffix('s').map_or((text, 1), |d| (d, 1000)),
    };
    let given = digits.parse::<u64>().ok();
    let ms = given.and_then(|n| n.checked_mul(factor));
    ms.filter(|ms| *ms <= THINK_MS_MAX).ok_or_else(|| {
        let text = "a time is needed: milliseconds, or a number with ms or s; at most a day";
        line.problem(token.column, text)
    })
}

#[cfg(test)]
mod tests;
