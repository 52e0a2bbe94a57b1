//! Looking fields up.
//!
//! Not here: what a field is (`kind`), the fields themselves (`tables::fields`).

use crate::field;
use crate::kind::{Field, FieldId};

impl FieldId {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..field::ALL.len() as u8).map(Self)
    }

    /// The field with this name: `FCGETCT`, or `DFHFILE.FCGETCT`, or `SCUGETCT105` with its number
    /// where the name alone is that of several.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.to_ascii_uppercase();
        let (group, name) = match name.split_once('.') {
            Some((group, name)) => (Some(group), name),
            None => (None, name.as_str()),
        };
        Self::all().find(|id| {
            let field = id.field();
            let numbered = format!("{}{:03}", field.name, field.number);
            group.is_none_or(|group| field.group == group)
                && (field.name == name || numbered == name)
        })
    }

    /// What it is.
    pub fn field(self) -> &'static Field {
        &field::ALL[usize::from(self.0) % field::ALL.len()]
    }

    /// Its place in arrays of all fields.
    pub(crate) fn index(self) -> usize {
        usize::from(self.0) % field::ALL.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kind::Kind;
    use std::collections::HashSet;

    #[test]
    fn a_field_is_found_by_its_name() {
        assert_eq!(FieldId::named("fcgetct"), Some(field::FCGETCT));
        assert_eq!(FieldId::named("DFHTASK.TRAN"), Some(field::TRAN));
        assert_eq!(FieldId::named("DFHFILE.TRAN"), None);
        assert_eq!(FieldId::named("SCUGETCT105"), Some(field::SCUGETCT));
    }

    #[test]
    fn numbers_are_unique_in_a_group_and_names_fit() {
        let mut seen = HashSet::new();
        for field in field::ALL {
            assert!(seen.insert((field.group, field.number)), "{field:?}");
            assert!(field.name.len() <= 8 && field.group.len() <= 8, "{field:?}");
            let kind = Kind::of(field.kind.letter() as u8, field.kind.bytes() as u8);
            assert_eq!(kind, Some(field.kind));
        }
        assert_eq!(seen.len(), field::COUNT);
    }
}
