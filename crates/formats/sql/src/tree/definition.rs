//! Data definition.

use super::node::{Condition, Query};
use super::words::Name;
use crate::catalog::TableDefinition;
use crate::problem::At;

/// Statements of data definition.
#[derive(Debug, Clone)]
pub(crate) enum Definition {
    Table(NewTable),
    AddColumns {
        table: NewTable,
    },
    Index(Index),
    View {
        name: Name,
        columns: Vec<String>,
        query: Box<Query>,
    },
    Drop {
        kind: Dropped,
        name: Name,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Dropped {
    Table,
    Index,
    View,
    Alias,
    Sequence,
    /// Table spaces, databases, storage groups.
    Space,
}

#[derive(Debug, Clone)]
pub(crate) struct NewTable {
    pub(crate) definition: TableDefinition,
    pub(crate) checks: Vec<(Option<String>, Condition)>,
    pub(crate) at: At,
}

#[derive(Debug, Clone)]
pub(crate) struct Index {
    pub(crate) unique: bool,
    /// UNIQUE WHERE NOT NULL.
    pub(crate) not_null: bool,
    pub(crate) name: Name,
    pub(crate) table: Name,
    pub(crate) columns: Vec<(String, bool)>,
    pub(crate) at: At,
}
