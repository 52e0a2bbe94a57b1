//! Tokens of one statement -> words with what stands in their parentheses.

use crate::MAX_DEPTH;
use crate::lexer::{Token, TokenKind};
use transom_messages as messages;
use transom_messages::Problem;

/// `KEYWORD`, `KEYWORD(..)` or `(..)`.
#[derive(Debug, Clone)]
pub(crate) struct Node {
    /// Upper case where it is a plain word; empty for bare parentheses.
    pub(crate) word: String,
    pub(crate) kind: TokenKind,
    pub(crate) args: Option<Vec<Node>>,
    pub(crate) line: u32,
    pub(crate) column: u32,
}

impl Node {
    pub(crate) fn at(&self) -> (u32, u32) {
        (self.line, self.column)
    }

    /// What is in the parentheses; none without.
    pub(crate) fn inside(&self) -> &[Node] {
        self.args.as_deref().unwrap_or(&[])
    }

    /// As it was written, for names with a member or generation: `A.B(+1)`.
    pub(crate) fn joined(&self) -> String {
        let inside: Vec<&str> = self.inside().iter().map(|n| n.word.as_str()).collect();
        match &self.args {
            None => self.word.clone(),
            Some(_) => format!("{}({})", self.word, inside.join(",")),
        }
    }
}

/// Reads all tokens up to the end of the statement.
pub(crate) fn nodes(tokens: &[Token]) -> Result<Vec<Node>, Problem> {
    let mut at = 0;
    let list = level(tokens, &mut at, 0)?;
    match tokens.get(at) {
        Some(token) => Err(Problem::new(messages::id::parenthesis_alone(), token.at())),
        None => Ok(list),
    }
}

fn level(tokens: &[Token], at: &mut usize, depth: usize) -> Result<Vec<Node>, Problem> {
    let mut list: Vec<Node> = Vec::new();
    while let Some(token) = tokens.get(*at) {
        match token.kind {
            TokenKind::Close => return Ok(list),
            TokenKind::Open => {
                if depth >= MAX_DEPTH {
                    return Err(Problem::new(
                        messages::id::nested_too_deeply(MAX_DEPTH),
                        token.at(),
                    ));
                }
                *at += 1;
                let args = level(tokens, at, depth + 1)?;
                close(tokens, at, token)?;
                attach(&mut list, token, args);
            }
            _ => {
                list.push(leaf(token));
                *at += 1;
            }
        }
    }
    Ok(list)
}

fn close(tokens: &[Token], at: &mut usize, open: &Token) -> Result<(), Problem> {
    if *at >= tokens.len() {
        return Err(Problem::new(
            messages::id::parenthesis_not_closed(),
            open.at(),
        ));
    }
    *at += 1;
    Ok(())
}

/// Parentheses belong to the word before them, blanks between or not.
fn attach(list: &mut Vec<Node>, open: &Token, args: Vec<Node>) {
    match list.last_mut() {
        Some(last) if last.args.is_none() && last.kind == TokenKind::Word => last.args = Some(args),
        _ => list.push(Node {
            word: String::new(),
            kind: TokenKind::Word,
            args: Some(args),
            line: open.line,
            column: open.column,
        }),
    }
}

fn leaf(token: &Token) -> Node {
    let word = match token.kind {
        TokenKind::Word => token.text.to_ascii_uppercase(),
        _ => token.text.clone(),
    };
    Node {
        word,
        kind: token.kind,
        args: None,
        line: token.line,
        column: token.column,
    }
}
