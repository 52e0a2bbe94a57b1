//! Tokens -> statements: command words, IF, DO and SET.

use crate::lexer::{SourceLine, Token, TokenKind, scan};
use crate::params::Params;
use crate::script::{Command, Comparison, Register, Script, Statement, StatementKind, Test};
use crate::table::{UNSUPPORTED, VERBS};
use crate::tree::{Node, nodes};
use crate::{MAX_DEPTH, MAX_PROBLEMS, MAX_TEXT_BYTES, alter, commands, define, whole};
use transom_messages as messages;
use transom_messages::Problem;
use transom_types::nearest;

/// Reads statements from a whole file.
pub fn parse_text(text: &str) -> Script {
    if text.len() > MAX_TEXT_BYTES {
        return Script {
            statements: Vec::new(),
            problems: vec![Problem::new(
                messages::id::statement_not_valid(format_args!(
                    "the text has more than {MAX_TEXT_BYTES} bytes"
                )),
                (1, 0),
            )],
        };
    }
    let lines: Vec<SourceLine<'_>> = (1..)
        .zip(text.lines())
        .map(|(number, text)| SourceLine { number, text })
        .collect();
    parse(&lines)
}

/// Reads statements from lines that know their numbers, such as the SYSIN of a job.
pub fn parse(lines: &[SourceLine<'_>]) -> Script {
    let (tokens, problems) = scan(lines);
    let mut parser = Parser {
        tokens: &tokens,
        at: 0,
        problems,
        bypassing: false,
    };
    let mut statements = Vec::new();
    while parser.at < tokens.len() {
        statements.extend(parser.statement(0));
    }
    let mut problems = parser.problems;
    problems.sort_by_key(|p| (p.place.line, p.place.column));
    problems.truncate(MAX_PROBLEMS);
    Script {
        statements,
        problems,
    }
}

struct Parser<'a> {
    tokens: &'a [Token],
    at: usize,
    problems: Vec<Problem>,
    /// What follows a broken statement up to the next command is part of it.
    bypassing: bool,
}

impl<'a> Parser<'a> {
    fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    /// The next token unless the statement ends before it.
    fn next(&mut self) -> Option<&'a Token> {
        let token = self.peek().filter(|t| t.kind != TokenKind::End)?;
        self.at += 1;
        Some(token)
    }

    /// The rest of the statement, its end taken too.
    fn rest(&mut self) -> &'a [Token] {
        let from = self.tokens.get(self.at..).unwrap_or(&[]);
        let end = from
            .iter()
            .position(|t| t.kind == TokenKind::End)
            .unwrap_or(from.len());
        self.at += (end + 1).min(from.len());
        from.get(..end).unwrap_or(&[])
    }

    fn skip_ends(&mut self) {
        while self.peek().is_some_and(|t| t.kind == TokenKind::End) {
            self.at += 1;
        }
    }

    fn last_line(&self) -> u32 {
        let last = self.at.checked_sub(1).and_then(|i| self.tokens.get(i));
        last.map_or(0, |t| t.line)
    }

    fn problem(&mut self, at: (u32, u32), message: messages::Message) {
        self.take(Problem::new(message, at));
    }

    fn take(&mut self, problem: Problem) {
        if self.problems.len() < MAX_PROBLEMS {
            self.problems.push(problem);
        }
    }

    /// One statement; `None` where nothing stands or text is bypassed.
    fn statement(&mut self, depth: usize) -> Option<Statement> {
        self.skip_ends();
        let first = self.next()?;
        let word = first.text.to_ascii_uppercase();
        let verb = VERBS.iter().find(|v| v.0 == word).map(|v| v.1);
        let verb = verb.filter(|_| first.kind == TokenKind::Word);
        if verb.is_none() && self.bypassing && !UNSUPPORTED.contains(&word.as_str()) {
            self.rest();
            return None;
        }
        self.bypassing = false;
        let kind = match verb {
            Some("IF") if depth >= MAX_DEPTH => {
                self.broken(first.at(), &format!("IF is nested deeper than {MAX_DEPTH}"))
            }
            Some("IF") => self.branch(first, depth),
            Some("SET") => self.set(first),
            Some("PARM") => {
                self.rest();
                StatementKind::Parm
            }
            Some("CANCEL") => {
                self.rest();
                StatementKind::Cancel
            }
            Some(word @ ("ELSE" | "THEN" | "DO" | "END")) => {
                let text = format!("{word} without its IF");
                self.broken(first.at(), &text)
            }
            Some(verb) => self.command(first, verb),
            None => self.unknown(first, &word),
        };
        Some(Statement {
            line: first.line,
            last_line: self.last_line().max(first.line),
            kind,
        })
    }

    fn unknown(&mut self, first: &Token, word: &str) -> StatementKind {
        let message = if UNSUPPORTED.contains(&word) {
            messages::id::not_supported(word)
        } else if let Some(near) = nearest(word, VERBS.iter().map(|v| v.0)) {
            messages::id::not_a_command_but(word, near)
        } else {
            messages::id::not_a_command(word)
        };
        self.problem(first.at(), message);
        self.rest();
        self.bypassing = true;
        StatementKind::Invalid
    }

    fn broken(&mut self, at: (u32, u32), text: &str) -> StatementKind {
        self.problem(at, messages::id::statement_not_valid(text));
        self.rest();
        StatementKind::Broken
    }

    fn command(&mut self, first: &Token, verb: &'static str) -> StatementKind {
        let list = match nodes(self.rest()) {
            Ok(list) => list,
            Err(problem) => {
                self.take(problem);
                self.bypassing = true;
                return StatementKind::Invalid;
            }
        };
        let mut params = Params::new(verb, first.at());
        let command = interpret(verb, &list, &mut params);
        let failed = params.problems.iter().any(Problem::is_error);
        for problem in params.problems {
            self.take(problem);
        }
        match command {
            Some(command) if !failed => StatementKind::Command(Box::new(command)),
            _ => StatementKind::Invalid,
        }
    }

    /// `IF MAXCC LE 8 THEN .. ELSE ..`
    fn branch(&mut self, first: &Token, depth: usize) -> StatementKind {
        let Some(test) = self.test() else {
            return self.broken(
                first.at(),
                "IF: LASTCC or MAXCC, a comparison and a number are expected",
            );
        };
        match self.next() {
            Some(token) if token.is_word("THEN") => {}
            Some(token) => return self.broken(token.at(), "IF: THEN is expected"),
            None => {
                return self.broken(
                    first.at(),
                    "IF: THEN is missing; a line in the middle of a statement ends with -",
                );
            }
        }
        let then = self.clause(depth);
        let kept = self.at;
        self.skip_ends();
        let mut otherwise = Vec::new();
        if self.peek().is_some_and(|t| t.is_word("ELSE")) {
            self.at += 1;
            otherwise = self.clause(depth);
        } else {
            self.at = kept;
        }
        StatementKind::If {
            test,
            then,
            otherwise,
        }
    }

    /// What stands after THEN or ELSE: nothing, a statement, or DO .. END. Of what the next line
    /// has, DO alone belongs to it: before any other command the clause is null.
    fn clause(&mut self, depth: usize) -> Vec<Statement> {
        let kept = self.at;
        if self.peek().is_some_and(|t| t.kind == TokenKind::End) {
            self.skip_ends();
        }
        let is_here = self.at == kept;
        let Some(token) = self.peek().filter(|t| is_here || t.is_word("DO")) else {
            self.at = kept + 1;
            return Vec::new();
        };
        if !token.is_word("DO") {
            return self.statement(depth + 1).into_iter().collect();
        }
        self.at += 1;
        let mut list = Vec::new();
        loop {
            self.skip_ends();
            match self.peek() {
                None => {
                    self.problem(
                        token.at(),
                        messages::id::statement_not_valid("DO without its END"),
                    );
                    list.push(broken_at(token.line));
                    return list;
                }
                Some(end) if end.is_word("END") => {
                    self.at += 1;
                    self.rest();
                    return list;
                }
                Some(_) => list.extend(self.statement(depth + 1)),
            }
        }
    }

    fn test(&mut self) -> Option<Test> {
        let register = self.register()?;
        let comparison = self.next().and_then(|t| comparison(&t.text))?;
        let value = self.next()?.text.parse().ok()?;
        Some(Test {
            register,
            comparison,
            value,
        })
    }

    fn register(&mut self) -> Option<Register> {
        match self.next()? {
            t if t.is_word("LASTCC") => Some(Register::Last),
            t if t.is_word("MAXCC") => Some(Register::Max),
            _ => None,
        }
    }

    /// `SET MAXCC = 0`
    fn set(&mut self, first: &Token) -> StatementKind {
        let register = self.register();
        let equals = self
            .next()
            .is_some_and(|t| t.text == "=" || t.is_word("EQ"));
        let value = self.next().and_then(|t| t.text.parse::<u32>().ok());
        let ends = self.peek().is_none_or(|t| t.kind == TokenKind::End);
        match (register, value) {
            (Some(register), Some(value)) if equals && ends => {
                self.rest();
                let value = u8::try_from(value.min(16)).unwrap_or(16);
                StatementKind::Set { register, value }
            }
            _ => self.broken(
                first.at(),
                "SET: LASTCC or MAXCC, = and a number are expected",
            ),
        }
    }
}

fn broken_at(line: u32) -> Statement {
    Statement {
        line,
        last_line: line,
        kind: StatementKind::Broken,
    }
}

fn comparison(text: &str) -> Option<Comparison> {
    Some(match text.to_ascii_uppercase().as_str() {
        "=" | "EQ" => Comparison::Equal,
        "¬=" | "^=" | "~=" | "<>" | "NE" => Comparison::NotEqual,
        ">" | "GT" => Comparison::Greater,
        "<" | "LT" => Comparison::Less,
        ">=" | "GE" => Comparison::GreaterOrEqual,
        "<=" | "LE" => Comparison::LessOrEqual,
        _ => return None,
    })
}

fn interpret<'a>(verb: &str, list: &'a [Node], params: &mut Params<'a>) -> Option<Command> {
    match verb {
        "DEFINE" => define::define(list, params),
        "ALTER" => alter::alter(list, params),
        "BLDINDEX" => commands::build_index(list, params),
        "REPRO" => commands::repro(list, params),
        "PRINT" => commands::print(list, params),
        "LISTCAT" => commands::list_catalog(list, params),
        "DELETE" => commands::delete(list, params),
        "EXAMINE" => whole::examine(list, params),
        "EXPORT" => whole::export(list, params),
        "IMPORT" => whole::import(list, params),
        _ => commands::verify(list, params),
    }
}
