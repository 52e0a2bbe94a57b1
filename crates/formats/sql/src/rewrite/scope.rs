//! The tables a name can be looked for in.

use super::api::ResultColumn;
use super::typed::Typed;
use crate::tree::Name;

/// The tables of one FROM.
#[derive(Debug, Default)]
pub(super) struct Scope {
    pub(super) tables: Vec<ScopeTable>,
}

#[derive(Debug)]
pub(super) struct ScopeTable {
    /// Correlation name, or the name of the table.
    pub(super) exposed: String,
    /// Qualifier of a table without a correlation name.
    pub(super) qualifier: Option<String>,
    /// `None`: not known; any name may be one of its columns.
    pub(super) columns: Option<Vec<ResultColumn>>,
    /// Written in place of its columns (the one row of a MERGE's source).
    pub(super) values: Vec<Typed>,
}

impl ScopeTable {
    pub(super) fn is_called(&self, qualifier: &Name) -> bool {
        self.exposed == qualifier.name
            && (qualifier.qualifier.is_none()
                || self.qualifier.is_none()
                || self.qualifier == qualifier.qualifier)
    }
}
