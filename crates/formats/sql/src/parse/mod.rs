//! Tokens to a statement, by descent.
//!
//! Why by hand: each clause of Db2 that is not known ends as SQLCODE -104 or as a refusal with its
//! place, and none is skipped. Not here: whether names exist.

mod call;
mod change;
mod columns;
mod condition;
mod cursor;
mod definition;
mod dynamic;
mod expression;
mod names;
mod options;
mod parser;
mod query;
mod session;
mod table;
mod tail;
mod verbs;

use crate::lexer::tokens;
use crate::problem::SqlProblem;
use crate::statement::Statement;
use parser::Parser;

/// Reads one statement; a semicolon behind it is allowed.
pub fn statement(text: &str) -> Result<Statement, SqlProblem> {
    let tokens = tokens(text)?;
    let mut parser = Parser::new(&tokens, text.len());
    verbs::statement(&mut parser)
}
