//! What is known of tables.
//!
//! What: definitions as data, and the question for them. Why a trait: at translation there are
//! DECLARE TABLE statements, at run time the catalog of an engine. Not here: reading DDL (`parse`).

use crate::tree::Name;
use crate::tree::words::Numbers;
use crate::types::Type;
use std::sync::Arc;

/// A table, view or declared table.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TableDefinition {
    pub name: Name,
    pub columns: Vec<Column>,
    /// Names of its columns; empty: none.
    pub primary_key: Vec<String>,
    pub unique: Vec<Unique>,
    pub foreign_keys: Vec<ForeignKey>,
    /// The table space of IN, which takes its tables along when it is dropped.
    pub space: Option<Name>,
    /// It is a view: its rows are those of others.
    pub view: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Column {
    pub name: String,
    pub kind: Type,
    pub nullable: bool,
    pub default: ColumnDefault,
    /// GENERATED .. AS IDENTITY.
    pub identity: Option<Identity>,
}

/// What a column gets when an INSERT does not name it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum ColumnDefault {
    /// NULL where it may be NULL; else a value must be given (-407).
    #[default]
    None,
    /// WITH DEFAULT: zero, blanks, an empty string, the date or time of now.
    System,
    Null,
    /// A number, as DDL wrote it.
    Number(String),
    Text(String),
    /// Hexadecimal digits.
    Hex(String),
    /// A special register, by its Db2 name.
    Register(String),
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identity {
    /// GENERATED ALWAYS; else BY DEFAULT.
    pub always: bool,
    pub numbers: Numbers,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Unique {
    pub name: Option<String>,
    pub columns: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ForeignKey {
    pub name: Option<String>,
    pub columns: Vec<String>,
    pub parent: Name,
    /// Empty: the primary key of the parent.
    pub parent_columns: Vec<String>,
    pub on_delete: OnDelete,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnDelete {
    #[default]
    NoAction,
    Restrict,
    Cascade,
    SetNull,
}

impl TableDefinition {
    /// A column by its name.
    pub fn column(&self, name: &str) -> Option<&Column> {
        self.columns.iter().find(|c| c.name == name)
    }
}

/// The answer about a table.
#[derive(Debug, Clone)]
pub enum Lookup {
    Found(Arc<TableDefinition>),
    /// There is none: -204.
    Missing,
    /// It is not known here whether there is one: its columns are taken on trust, without types.
    Unknown,
}

/// Who knows tables.
pub trait Catalog {
    fn table(&self, name: &Name) -> Lookup;

    /// Rows of other tables, or of itself, may refer to rows of this one.
    fn is_parent(&self, _name: &Name) -> bool {
        true
    }
}

/// Knows nothing: for checks without a database.
#[derive(Debug, Clone, Copy, Default)]
pub struct NoCatalog;

impl Catalog for NoCatalog {
    fn table(&self, _name: &Name) -> Lookup {
        Lookup::Unknown
    }
}
