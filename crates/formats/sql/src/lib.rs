//! Db2 SQL: tokens, statements, the text for an engine, SQLCODEs.
//!
//! What: [`tokens()`] reads Db2 for z/OS, [`statement()`] says what a statement does and which host
//! variables it has, [`rewrite()`] gives the text for SQLite or PostgreSQL and says what the run
//! time has to do itself; [`codes()`] has every SQLCODE with its text; [`dclgen()`] makes the
//! member of a table, [`script()`] cuts a file into statements. Why: neither engine speaks Db2, and
//! an edited text runs and gives another result where a refused one says so. Not here: COBOL (the
//! translator), connections, values, cursors (the region).

#![forbid(unsafe_code)]

mod catalog;
mod codes;
mod datetime;
mod dclgen;
mod functions;
mod item;
mod lexer;
mod page;
mod parse;
mod problem;
mod registers;
mod rewrite;
mod script;
mod statement;
mod tree;
mod types;

pub use catalog::{
    Catalog, Column, ColumnDefault, ForeignKey, Identity, Lookup, NoCatalog, OnDelete,
    TableDefinition, Unique,
};
pub use codes::{SqlCode, Sqlca, code, codes, dsntiar, sqlerrmc, state, text};
pub use datetime::{date, time, timestamp};
pub use dclgen::{DclgenOptions, dclgen};
pub use functions::{EngineFunction, Function, FunctionKind, engine_functions, functions};
pub use item::{Item, ItemKind};
pub use lexer::{Token, TokenKind, tokens};
pub use page::{rewrite_examples, sql_page};
pub use parse::{name, statement};
pub use problem::{At, SqlProblem};
pub use registers::Register;
pub use rewrite::{
    Dialect, Parameter, ResultColumn, Rewritten, Setting, Value, engine_name, engine_type, rewrite,
};
pub use script::{ScriptStatement, script};
pub use statement::{
    Action, Count, Current, Cursor, CursorSource, Describe, Described, Diagnostic, Fetch,
    HostVariable, Indicator, Kind, Orientation, Position, Role, Scroll, Statement, Target, Text,
    Using, Whenever,
};
pub use tree::Name;
pub use tree::words::{Isolation, Numbers, Unit};
pub use types::{DECIMAL_MAX, Family, Type};
