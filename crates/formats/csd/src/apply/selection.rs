//! The resources of a group that a statement is about.

use crate::definition::Definition;
use crate::scan::Statement;
use crate::value::matches;
use transom_resources::ResourceKind;

/// What of a group a statement is about.
pub(super) struct Selection<'a> {
    pub(super) kind: ResourceKind,
    pub(super) pattern: &'a str,
}

impl Selection<'_> {
    pub(super) fn fits(&self, definition: &Definition) -> bool {
        definition.kind == self.kind
            && matches(
                &self.pattern.to_ascii_uppercase(),
                &definition.name.to_ascii_uppercase(),
            )
    }
}

/// Resource types and names of DELETE and COPY, wherever they stand.
pub(super) fn selections(statement: &Statement) -> impl Iterator<Item = Selection<'_>> {
    let operands = statement.operands.iter().filter(|o| o.value.is_some());
    operands
        .filter(|o| !matches!(o.keyword.as_str(), "GROUP" | "LIST" | "TO" | "AS"))
        .filter_map(|o| {
            let kind = ResourceKind::by_keyword(&o.keyword)?;
            Some(Selection {
                kind,
                pattern: o.value.as_deref()?,
            })
        })
}
