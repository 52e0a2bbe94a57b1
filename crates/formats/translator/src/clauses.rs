//! Splits the text of an EXEC CICS block into keywords with arguments.
//!
//! Not here: what the keywords mean (see `command`).

use crate::token::{At, Kind, Session, Token};
use std::rc::Rc;
use transom_messages as messages;
use transom_types::Resp;

/// A keyword and what stands in its parentheses.
#[derive(Debug, Clone)]
pub(crate) struct Clause {
    pub(crate) word: String,
    pub(crate) at: At,
    pub(crate) argument: Option<Vec<Token>>,
}

/// Reads a block. Words that cannot be keywords are reported and left out.
pub(crate) fn clauses(body: &[Token], session: &mut Session) -> Vec<Clause> {
    let mut out: Vec<Clause> = Vec::new();
    let mut at = 0;
    while let Some(token) = body.get(at) {
        at += 1;
        match token.kind {
            Kind::Comma => {}
            Kind::Word => {
                let mut word = token.upper();
                // A comma without a blank after it belongs to no keyword.
                word.retain(|c| c != ',');
                out.push(Clause {
                    word,
                    at: token.at,
                    argument: None,
                });
            }
            Kind::Open => {
                let (argument, next, closed) = parentheses(body, at);
                if !closed {
                    session.problem(messages::tr::parenthesis_not_closed(), token.at);
                }
                match out.last_mut().filter(|c| c.argument.is_none()) {
                    Some(clause) => clause.argument = Some(argument),
                    None => {
                        session.problem(messages::tr::argument_alone(), token.at);
                    }
                }
                at = next;
            }
            _ => {
                session.problem(messages::tr::not_expected(&token.text), token.at);
            }
        }
    }
    out
}

/// Words up to the matching `)`; index after it; whether it was there.
fn parentheses(body: &[Token], start: usize) -> (Vec<Token>, usize, bool) {
    let mut depth = 0usize;
    for (n, token) in body[start..].iter().enumerate() {
        match token.kind {
            Kind::Open => depth += 1,
            Kind::Close if depth == 0 => {
                return (body[start..start + n].to_vec(), start + n + 1, true);
            }
            Kind::Close => depth -= 1,
            _ => {}
        }
    }
    (body[start.min(body.len())..].to_vec(), body.len(), false)
}

/// Replaces `DFHRESP(name)` and `DFHVALUE(name)` by their numbers, everywhere.
pub(crate) fn replace_values(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    let mut out = Vec::with_capacity(tokens.len());
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        let resp = token.is("DFHRESP");
        if (resp || token.is("DFHVALUE"))
            && let Some([open, name, close]) = tokens.get(at + 1..at + 4)
            && open.kind == Kind::Open
            && name.kind == Kind::Word
            && close.kind == Kind::Close
        {
            let number = value(resp, &name.upper());
            let number = number.unwrap_or_else(|| {
                let what = if resp { "condition" } else { "CICS value" };
                session.problem(messages::tr::not_a_name(&name.text, what), name.at);
                0
            });
            out.push(Token {
                text: Rc::from(number.to_string()),
                ..token.clone()
            });
            at += 4;
            continue;
        }
        out.push(token.clone());
        at += 1;
    }
    out
}

fn value(resp: bool, name: &str) -> Option<i32> {
    if resp {
        return Resp::by_name(name).map(|r| i32::from(r.0));
    }
    transom_commands::dfhvalue(name)
}

/// Text of words with blanks where the user had them.
pub(crate) fn join(tokens: &[Token]) -> String {
    let mut out = String::new();
    for token in tokens {
        if !out.is_empty() && !token.glued {
            out.push(' ');
        }
        out.push_str(&token.text);
    }
    out
}
