//! Writes COBOL lines and the line map beside them.
//!
//! What: free format; every word keeps its line and, when it fits, its column; `#line` directives
//! name the user's files, so cobc's and libcob's messages do too. Not here: what is written.

use crate::LineMap;
use crate::linemap::Inclusion;
use crate::token::{At, Kind, Token};

/// cobc reads 512 bytes of a line.
const WRAP: usize = 200;
/// Gaps up to this many lines are bridged with blank lines.
const BLANK_LINES: u32 = 6;
/// Longest part of a literal that is printed in one piece.
const LITERAL_PART: usize = 160;

/// Output under construction.
pub(crate) struct Printer {
    out: String,
    map: LineMap,
    files: Vec<String>,
    at: At,
    /// Characters in the line being written.
    column: usize,
    started: bool,
    /// Generated lines were written that the user's file has no lines for.
    drifted: bool,
}

impl Printer {
    pub(crate) fn new(inclusions: &[Inclusion]) -> Self {
        Self {
            out: String::new(),
            map: LineMap::new(inclusions.to_vec()),
            files: inclusions
                .iter()
                .map(|i| i.file.replace(['"', '\n'], "'"))
                .collect(),
            at: At::default(),
            column: 0,
            started: false,
            drifted: false,
        }
    }

    /// The place being written.
    pub(crate) fn place(&self) -> At {
        self.at
    }

    /// A word of the user at its own line and column.
    pub(crate) fn token(&mut self, token: &Token) {
        if token.kind == Kind::Directive {
            self.fresh(token.at);
            self.raw(&token.text);
            return;
        }
        self.go_to(token.at);
        self.word(token, token.glued);
    }

    /// A word of the user inside generated text; the first never sticks to what stands before.
    pub(crate) fn operand(&mut self, token: &Token, first: bool) {
        self.go_to(token.at);
        self.word(token, token.glued && !first);
    }

    /// Generated text that belongs to a line of the user.
    pub(crate) fn text(&mut self, at: At, text: &str) {
        self.go_to(at);
        for word in pieces(text) {
            self.put(&word, false, at.column);
        }
    }

    /// A generated line of its own. cobc counts such lines too, so the next line of the user
    /// gets a `#line`; only the line map knows where these belong.
    pub(crate) fn line(&mut self, at: At, text: &str) {
        if self.column > 0 || !self.started {
            self.fresh(at);
        }
        for word in pieces(text).iter().flat_map(|word| parts(word)) {
            if self.column + word.len() > WRAP {
                self.newline();
            }
            let blanks = if self.column == 0 { INDENT } else { 1 };
            self.raw(&" ".repeat(blanks));
            self.raw(&word);
        }
        self.newline();
        self.drifted = true;
    }

    /// Ends the text.
    pub(crate) fn finish(mut self) -> (String, LineMap) {
        if self.column > 0 {
            self.newline();
        }
        (self.out, self.map)
    }

    fn word(&mut self, token: &Token, glued: bool) {
        if token.kind == Kind::Literal && token.text.len() > LITERAL_PART {
            for part in parts(&token.text) {
                self.put(&part, false, 0);
            }
            return;
        }
        self.put(&token.text, glued, token.at.column);
    }

    fn put(&mut self, text: &str, glued: bool, column: u32) {
        let wanted = (column as usize).saturating_sub(1).clamp(INDENT, WRAP);
        let blanks = match (self.column, glued) {
            (0, _) => wanted,
            (_, true) => 0,
            (now, false) => wanted.saturating_sub(now).max(1),
        };
        if !glued && self.column > 0 && self.column + blanks + text.len() > WRAP {
            self.fresh(self.at);
            self.raw(&format!("{:INDENT$}{text}", ""));
            return;
        }
        for _ in 0..blanks {
            self.out.push(' ');
        }
        self.column += blanks;
        self.raw(text);
    }

    fn raw(&mut self, text: &str) {
        self.out.push_str(text);
        self.column += text.len();
    }

    /// Begins a new generated line for this user line unless one is being written for it.
    fn go_to(&mut self, at: At) {
        let same = self.at.inclusion == at.inclusion && self.at.line == at.line;
        if self.started && same && !self.drifted {
            return;
        }
        self.fresh(at);
    }

    /// Begins a new generated line for this user line.
    fn fresh(&mut self, at: At) {
        if self.column > 0 {
            self.newline();
        }
        // The line cobc would count next: it follows the last one written.
        let next = self.at.line + 1;
        let same_file = self.started && !self.drifted && self.at.inclusion == at.inclusion;
        if same_file && at.line >= next && at.line - next <= BLANK_LINES {
            for line in next..at.line {
                self.out.push('\n');
                self.map.push(at.inclusion, line);
            }
        } else {
            let file = self
                .files
                .get(at.inclusion as usize)
                .map_or("", String::as_str);
            self.out
                .push_str(&format!("#line {} \"{file}\"\n", at.line));
            self.map.push(at.inclusion, at.line);
        }
        self.at = at;
        self.started = true;
        self.drifted = false;
    }

    fn newline(&mut self) {
        self.out.push('\n');
        self.map.push(self.at.inclusion, self.at.line);
        self.column = 0;
    }
}

/// Generated text begins here, as in area A.
const INDENT: usize = 7;

/// Words of generated text; a literal stays whole.
fn pieces(text: &str) -> Vec<String> {
    let mut out: Vec<String> = Vec::new();
    let mut open: Option<char> = None;
    let mut word = String::new();
    for c in text.chars() {
        match open {
            Some(quote) if c == quote => open = None,
            None if c == '\'' || c == '"' => open = Some(c),
            None if c == ' ' => {
                if !word.is_empty() {
                    out.push(std::mem::take(&mut word));
                }
                continue;
            }
            _ => {}
        }
        word.push(c);
    }
    if !word.is_empty() {
        out.push(word);
    }
    out
}

/// A word as it is; a long literal `'abc...'` as `'abc' & '...'`.
fn parts(text: &str) -> Vec<String> {
    if text.len() <= LITERAL_PART {
        return vec![text.to_owned()];
    }
    if let Some(literal) = text.strip_suffix('.').filter(|l| l.ends_with(['\'', '"'])) {
        let mut out = parts(literal);
        out.push(".".to_owned());
        return out;
    }
    if !text.ends_with(['\'', '"']) {
        return vec![text.to_owned()];
    }
    let quote_at = text.find(['\'', '"']).unwrap_or(0);
    let (prefix, body) = text.split_at(quote_at);
    let quote = body.chars().next().unwrap_or('\'');
    let inner = body.strip_prefix(quote).unwrap_or(body);
    let inner: Vec<char> = inner.strip_suffix(quote).unwrap_or(inner).chars().collect();
    let mut out = Vec::new();
    let mut at = 0;
    while at < inner.len() {
        let mut end = (at + LITERAL_PART).min(inner.len());
        // Neither a doubled quote nor a pair of hexadecimal digits is cut in two.
        let quotes = inner[at..end]
            .iter()
            .rev()
            .take_while(|c| **c == quote)
            .count();
        if end < inner.len() && quotes % 2 == 1 {
            end -= 1;
        }
        let part: String = inner[at..end].iter().collect();
        if at > 0 {
            out.push("&".to_owned());
        }
        out.push(format!("{prefix}{quote}{part}{quote}"));
        at = end;
    }
    out
}
