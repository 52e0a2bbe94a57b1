//! A row of the catalog: what was installed or discarded while a region ran.
//!
//! What: a statement of DFHCSDUP under kind and name, DEFINE for what is installed, DELETE for what
//! decks define and was discarded. Not here: the table.

use transom_csd::{Definition, write_definition};

/// Group of all definitions in the statements.
pub const KEPT_GROUP: &str = "CREATED";
/// Begins the statement of what was discarded.
const DISCARDED: &str = "DELETE ";

/// What the catalog has of a name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Kept {
    /// The statement that defines it.
    Installed(String),
    /// It is not installed, whatever decks say.
    Discarded { kind: String, name: String },
}

impl Kept {
    /// The key of a kind and name.
    pub fn key(kind: &str, name: &str) -> Vec<u8> {
        format!("{kind} {name}").into_bytes()
    }

    /// The record of a definition.
    pub fn installed(definition: &Definition) -> Vec<u8> {
        let mut kept = definition.clone();
        kept.group = KEPT_GROUP.to_owned();
        write_definition(&kept).into_bytes()
    }

    /// The record of one that was discarded.
    pub fn discarded(kind: &str, name: &str) -> Vec<u8> {
        format!("{DISCARDED}{kind}({name}) GROUP({KEPT_GROUP})").into_bytes()
    }

    /// A row.
    pub fn read(key: &[u8], record: &[u8]) -> Self {
        let statement = String::from_utf8_lossy(record);
        let key = String::from_utf8_lossy(key);
        match key.split_once(' ') {
            Some((kind, name)) if statement.starts_with(DISCARDED) => Self::Discarded {
                kind: kind.to_owned(),
                name: name.to_owned(),
            },
            _ => Self::Installed(statement.into_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_say_what_was_installed_and_discarded() {
        let key = Kept::key("FILE", "SHOP");
        let gone = Kept::Discarded {
            kind: "FILE".to_owned(),
            name: "SHOP".to_owned(),
        };
        assert_eq!(Kept::read(&key, &Kept::discarded("FILE", "SHOP")), gone);
        let statement = "DEFINE FILE(SHOP) GROUP(CREATED)";
        let there = Kept::Installed(statement.to_owned());
        assert_eq!(Kept::read(&key, statement.as_bytes()), there);
    }
}
