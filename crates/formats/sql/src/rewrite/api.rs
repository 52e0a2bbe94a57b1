//! What goes into a rewrite and what comes of it.

use crate::catalog::Catalog;
use crate::registers::Register;
use crate::tree::words::Isolation;
use crate::types::Type;

/// An engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dialect {
    Sqlite,
    PostgreSql,
}

/// What a rewrite depends on besides the statement.
#[derive(Clone, Copy)]
pub struct Setting<'a> {
    pub dialect: Dialect,
    pub catalog: &'a dyn Catalog,
    /// Schema of names without one; empty: they are names of no schema.
    pub schema: &'a str,
    /// Types of host variables, in the order of [`crate::Statement::hosts`]; several: a structure.
    /// A host variable beyond the end has no known type.
    pub hosts: &'a [Vec<Type>],
    /// DEC31: results of arithmetic have up to 31 digits. Else 15, the default of Db2.
    pub dec31: bool,
}

/// A statement for an engine.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Rewritten {
    pub text: String,
    /// In the order of their numbers, from 1: `?1` or `$1`.
    pub parameters: Vec<Parameter>,
    /// Of the result, without the hidden ones.
    pub columns: Vec<ResultColumn>,
    /// One more column behind the others identifies the row of the base table.
    pub row_id: bool,
    /// SQLite: run this one when the first changed no row (MERGE of one row).
    pub otherwise: Option<Box<Rewritten>>,
    pub isolation: Option<Isolation>,
    /// UPDATE of columns that refer to no other table: what it breaks (-530) are references of
    /// others (-531).
    pub keys: bool,
    /// UPDATE: run this one, and what is behind it, when the first found a key twice: it finds it
    /// only where all rows have their new keys.
    pub passing: Option<Box<Rewritten>>,
    /// Statements to be run behind it, with the same parameters.
    pub more: Vec<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Parameter {
    pub value: Value,
    /// The type the value is to have when it is bound.
    pub kind: Type,
}

/// Where the value of a parameter comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Value {
    /// Index among the host variables, and the element of a structure.
    Host(usize, usize),
    /// Number of the parameter marker, from 0.
    Marker(usize),
    Register(Register),
    /// What identifies the row a cursor is at.
    CurrentRow,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultColumn {
    /// Empty: an expression without a name.
    pub name: String,
    pub kind: Type,
    pub nullable: bool,
}
