//! Lines -> tokens.
//!
//! Rules: columns 1 to 72 count (PARM MARGINS changes it); a statement ends with its line unless
//! the line ends with `-` or `+`; `+` joins the next word to the last one; `/* */` is a comment
//! wherever it stands. Column 1 is read, which IDCAMS leaves out: files made by editors begin
//! there.

use crate::MAX_PROBLEMS;
use transom_messages as messages;
use transom_messages::Problem;

/// Last column that counts.
const RIGHT_MARGIN: usize = 72;

/// One line of statements with its number in the file it is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SourceLine<'a> {
    /// From 1.
    pub number: u32,
    pub text: &'a str,
}

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TokenKind {
    Word,
    /// Between quotes.
    Quoted,
    /// X'..'
    Hex,
    Open,
    Close,
    /// = > < ¬= and so on.
    Operator,
    /// The statement ends.
    End,
}

#[derive(Debug, Clone)]
pub(crate) struct Token {
    pub(crate) kind: TokenKind,
    /// Words as written.
    pub(crate) text: String,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Token {
    pub(crate) fn at(&self) -> (u32, u32) {
        (self.line, self.column)
    }

    /// Whether it is this word, in either case.
    pub(crate) fn is_word(&self, word: &str) -> bool {
        self.kind == TokenKind::Word && self.text.eq_ignore_ascii_case(word)
    }
}

pub(crate) fn scan(lines: &[SourceLine<'_>]) -> (Vec<Token>, Vec<Problem>) {
    let mut lexer = Lexer {
        tokens: Vec::new(),
        problems: Vec::new(),
        margins: (1, RIGHT_MARGIN),
        state: State::Between,
        line: 0,
        statement: 0,
    };
    for line in lines {
        lexer.take_line(line);
    }
    lexer.end_statement();
    if lexer.state == State::Comment {
        lexer.problem(0, messages::id::comment_not_closed());
    }
    (lexer.tokens, lexer.problems)
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Between,
    /// The last token is a word that may go on.
    Word,
    /// The last token is a quoted value that has not ended.
    Quote,
    Comment,
    /// As `Comment`, after a continuation mark.
    CommentInStatement,
}

struct Lexer {
    tokens: Vec<Token>,
    problems: Vec<Problem>,
    /// First and last column.
    margins: (usize, usize),
    state: State,
    line: u32,
    /// Index of the first token of the statement.
    statement: usize,
}

impl Lexer {
    fn problem(&mut self, column: u32, message: messages::Message) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems
                .push(Problem::new(message, (self.line, column)));
        }
    }

    fn take_line(&mut self, line: &SourceLine<'_>) {
        self.line = line.number;
        let chars: Vec<char> = line
            .text
            .chars()
            .map(|c| if c == '\t' { ' ' } else { c })
            .collect();
        let right = self.margins.1.min(chars.len());
        let (chars, beyond) = chars.split_at(right);
        if !is_sequence(beyond) {
            self.problem(column(right), messages::id::text_ignored(self.margins.1));
        }
        let left = (self.margins.0 - 1).min(chars.len());
        if !self.take_chars(chars, left) {
            self.end_of_line(column(right));
        }
    }

    /// The characters of a line; true when it ended with a continuation mark.
    fn take_chars(&mut self, chars: &[char], left: usize) -> bool {
        let mut at = left;
        if matches!(self.state, State::Word | State::Quote) {
            at += blanks(chars.get(at..).unwrap_or(&[]));
        }
        while let Some(&c) = chars.get(at) {
            let rest = chars.get(at + 1..).unwrap_or(&[]);
            let next = rest.first().copied();
            match self.state {
                State::Comment | State::CommentInStatement => {
                    if c == '*' && next == Some('/') {
                        self.state = State::Between;
                        at += 1;
                    }
                }
                State::Quote if c == '\'' && next == Some('\'') => {
                    self.push_char('\'');
                    at += 1;
                }
                State::Quote if c == '\'' => self.state = State::Between,
                State::Quote if (c == '+' || c == '-') && rest.iter().all(|c| *c == ' ') => {
                    return true;
                }
                State::Quote => self.push_char(c),
                _ if c == '/' && next == Some('*') => {
                    self.state = State::Comment;
                    at += 1;
                }
                _ if (c == '-' || c == '+') && is_mark(rest) => {
                    if c == '-' {
                        self.state = State::Between;
                    }
                    if unclosed_comment(rest) {
                        self.state = State::CommentInStatement;
                    }
                    return true;
                }
                _ => at += self.take_code(c, next, at),
            }
            at += 1;
        }
        false
    }

    /// A character outside comments and quotes; answers how many more were taken.
    fn take_code(&mut self, c: char, next: Option<char>, at: usize) -> usize {
        match c {
            ' ' | ',' => self.state = State::Between,
            ';' => self.end_statement(),
            '(' => self.push(TokenKind::Open, "(", at),
            ')' => self.push(TokenKind::Close, ")", at),
            '\'' if self.state == State::Word && self.begins_hex() => {
                self.last_kind(TokenKind::Hex);
                self.state = State::Quote;
            }
            '\'' => {
                self.push(TokenKind::Quoted, "", at);
                self.state = State::Quote;
            }
            '=' | '>' | '<' | '¬' | '^' | '~' => {
                let two = next.filter(|n| *n == '=' || (c == '<' && *n == '>'));
                let text: String = [Some(c), two].into_iter().flatten().collect();
                self.push(TokenKind::Operator, &text, at);
                return usize::from(two.is_some());
            }
            _ if self.state == State::Word => self.push_char(c),
            _ => {
                self.push(TokenKind::Word, c.encode_utf8(&mut [0; 4]), at);
                self.state = State::Word;
            }
        }
        0
    }

    fn begins_hex(&self) -> bool {
        let last = self.tokens.last();
        last.is_some_and(|t| t.is_word("X"))
    }

    fn last_kind(&mut self, kind: TokenKind) {
        if let Some(token) = self.tokens.last_mut() {
            token.kind = kind;
            token.text.clear();
        }
    }

    fn push(&mut self, kind: TokenKind, text: &str, at: usize) {
        self.state = State::Between;
        self.tokens.push(Token {
            kind,
            text: text.to_owned(),
            line: self.line,
            column: column(at),
        });
    }

    fn push_char(&mut self, c: char) {
        if let Some(token) = self.tokens.last_mut() {
            token.text.push(c);
        }
    }

    fn end_of_line(&mut self, column: u32) {
        match self.state {
            State::Quote => {
                self.problem(column, messages::id::quote_not_closed());
                self.state = State::Between;
                self.end_statement();
            }
            State::CommentInStatement => {}
            State::Comment => {
                let open = self.tokens.len() > self.statement;
                if open {
                    self.state = State::CommentInStatement;
                }
            }
            _ => self.end_statement(),
        }
    }

    fn end_statement(&mut self) {
        if self.state != State::Comment {
            self.state = State::Between;
        }
        if self.tokens.len() == self.statement {
            return;
        }
        let words = self.tokens.get(self.statement..).unwrap_or(&[]);
        if let Some(margins) = margins(words) {
            self.margins = margins;
        }
        let column = words
            .last()
            .map_or(1, |t| t.column + column(t.text.chars().count()) - 1);
        let line = words.last().map_or(self.line, |t| t.line);
        self.tokens.push(Token {
            kind: TokenKind::End,
            text: String::new(),
            line,
            column,
        });
        self.statement = self.tokens.len();
    }
}

/// `PARM MARGINS(2 72)`: the lines that follow are cut differently.
fn margins(words: &[Token]) -> Option<(usize, usize)> {
    if !words.first()?.is_word("PARM") {
        return None;
    }
    let at = words
        .iter()
        .position(|t| t.is_word("MARGINS") || t.is_word("MARG"))?;
    let left: usize = words.get(at + 2)?.text.parse().ok()?;
    let right: usize = words.get(at + 3)?.text.parse().ok()?;
    (left >= 1 && right > left && right <= 32_760).then_some((left, right))
}

/// The column of a character, from 1.
fn column(at: usize) -> u32 {
    u32::try_from(at + 1).unwrap_or(u32::MAX)
}

fn blanks(chars: &[char]) -> usize {
    chars.iter().take_while(|c| **c == ' ').count()
}

/// What follows a `-` or `+` is nothing but comments: it is a continuation mark.
fn is_mark(rest: &[char]) -> bool {
    match after_comments(rest) {
        Some(rest) => rest.is_empty(),
        None => true,
    }
}

fn unclosed_comment(rest: &[char]) -> bool {
    after_comments(rest).is_none()
}

/// What stands after blanks and whole comments; `None` when a comment does not end.
fn after_comments(mut rest: &[char]) -> Option<&[char]> {
    loop {
        rest = rest.get(blanks(rest)..).unwrap_or(&[]);
        if !rest.starts_with(&['/', '*']) {
            return Some(rest);
        }
        let inside = rest.get(2..).unwrap_or(&[]);
        let end = inside.windows(2).position(|w| w == ['*', '/'])?;
        rest = inside.get(end + 2..).unwrap_or(&[]);
    }
}

/// Columns 73 to 80 may hold a sequence number or a change mark.
pub(crate) fn is_sequence(beyond: &[char]) -> bool {
    let text: String = beyond.iter().collect();
    let text = text.trim();
    text.is_empty() || (beyond.len() <= 8 && text.chars().all(|c| c.is_ascii_alphanumeric()))
}
