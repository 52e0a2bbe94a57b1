//! Files of SQL statements, as SPUFI, DSNTEP2 and DSNTIAD take them.
//!
//! What: statements with their lines; a terminator that can be changed (`--#SET TERMINATOR @`);
//! sequence numbers in columns 73 to 80 left out. Why: schemas of applications come as such files.
//! Not here: what a statement does (`statement`), JCL around the statements (formats/idcams).

/// One statement of a script.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptStatement {
    /// Without its terminator; lines are kept, so that places in it can be told.
    pub text: String,
    /// The line of the script its first word is in, from 1.
    pub line: u32,
}

/// Columns of a record that are text.
const RIGHT: usize = 72;

/// Cuts a script into statements.
pub fn script(text: &str) -> Vec<ScriptStatement> {
    let mut reader = Reader {
        terminator: ';',
        out: Vec::new(),
        text: String::new(),
        line: 0,
        state: State::Plain,
    };
    for (number, line) in (1..).zip(text.lines()) {
        reader.line(line_text(line), number);
    }
    reader.end();
    reader.out
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Plain,
    /// Inside `'` or `"`.
    Quoted(char),
    /// Inside so many bracketed comments.
    Comment(u32),
}

struct Reader {
    terminator: char,
    out: Vec<ScriptStatement>,
    text: String,
    /// Of the first word; 0: there is none yet.
    line: u32,
    state: State,
}

/// A record of 80 columns has a number at its end.
fn line_text(line: &str) -> &str {
    let line = line.trim_end_matches('\r');
    let cut = line
        .char_indices()
        .nth(RIGHT)
        .map(|(at, _)| line.split_at(at));
    match cut {
        Some((text, number)) if is_number(number) => text,
        _ => line,
    }
}

fn is_number(text: &str) -> bool {
    text.len() == 8 && text.bytes().all(|b| b.is_ascii_digit())
}

impl Reader {
    fn line(&mut self, line: &str, number: u32) {
        if self.state == State::Plain && self.set_terminator(line) {
            return;
        }
        let mut rest = line;
        while let Some(c) = rest.chars().next() {
            if self.state == State::Plain && rest.starts_with("--") {
                break;
            }
            let width = self.character(c, rest, number);
            rest = &rest[width..];
        }
        self.text.push('\n');
    }

    /// Takes what stands at the front: how many bytes.
    fn character(&mut self, c: char, rest: &str, number: u32) -> usize {
        let mut width = c.len_utf8();
        match self.state {
            State::Plain if c == self.terminator => {
                self.end();
                return width;
            }
            State::Plain if matches!(c, '\'' | '"') => self.state = State::Quoted(c),
            State::Quoted(quote) if c == quote => self.state = State::Plain,
            State::Plain if rest.starts_with("/*") => {
                (self.state, width) = (State::Comment(1), 2);
            }
            State::Comment(n) if rest.starts_with("/*") => {
                (self.state, width) = (State::Comment(n + 1), 2);
            }
            State::Comment(n) if rest.starts_with("*/") => {
                let state = if n == 1 {
                    State::Plain
                } else {
                    State::Comment(n - 1)
                };
                (self.state, width) = (state, 2);
                self.text.push_str("  ");
                return width;
            }
            _ => {}
        }
        if matches!(self.state, State::Comment(_)) {
            self.text.push(' ');
            return width;
        }
        if self.line == 0 && !c.is_whitespace() {
            self.line = number;
            // Places are told from the beginning of this line.
            let start = self.text.rfind('\n').map_or(0, |at| at + 1);
            self.text.drain(..start);
        }
        self.text.push(c);
        width
    }

    /// `--#SET TERMINATOR x`, and SPUFI's `--#SET SQLTERM x`.
    fn set_terminator(&mut self, line: &str) -> bool {
        let mut words = line.split_whitespace();
        let is_set = words
            .next()
            .is_some_and(|w| w.eq_ignore_ascii_case("--#SET"));
        let what = words.next().unwrap_or("");
        let names = ["TERMINATOR", "SQLTERM"];
        if !is_set || !names.iter().any(|n| what.eq_ignore_ascii_case(n)) {
            return false;
        }
        if let Some(c) = words.next().and_then(|w| w.chars().next()) {
            self.terminator = c;
        }
        true
    }

    fn end(&mut self) {
        let text = std::mem::take(&mut self.text);
        if self.line > 0 {
            self.out.push(ScriptStatement {
                text: text.trim_end().to_owned(),
                line: self.line,
            });
        }
        self.line = 0;
    }
}
