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
use crate::tree::Name;
use parser::Parser;

/// Reads one statement; a semicolon behind it is allowed.
pub fn statement(text: &str) -> Result<Statement, SqlProblem> {
    let tokens = tokens(text)?;
    let mut parser = Parser::new(&tokens, text.len());
    verbs::statement(&mut parser)
}

/// Reads the name of a table and nothing else: `EMP`, `DSN8C10.EMP`, `"Emp"`.
pub fn name(text: &str) -> Result<Name, SqlProblem> {
    let tokens = tokens(text)?;
    let mut parser = Parser::new(&tokens, text.len());
    let name = parser.qualified()?;
    match parser.peek() {
        None => Ok(name),
        Some(_) => Err(parser.illegal("<END-OF-NAME>")),
    }
}
