//! Scripts of terminals: what a user types, which screens must come.
//!
//! What: the statements of a script and the values they name (`statements`). Why: R2 and the
//! tutorials need sessions that read like the work of a person. They are read by `parse` and `lex`.
//! Not here: doing them (`play`).

mod lex;
mod parse;
mod statements;
mod users;

pub(crate) use parse::parse;
pub(crate) use statements::{Action, Place, Script, Text};
