//! Cells of a row that were typed over, as changes.

use super::list::{self, Change};
use std::fmt;
use transom_messages::Message;
use transom_resources::View;

/// Why what was typed over a cell changes nothing.
pub(super) enum Unusable {
    /// No word of that column.
    Word(String),
    /// A number is wanted.
    Number(Message),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) => write!(f, "{text} ?"),
            Self::Number(message) => message.fmt(f),
        }
    }
}

/// What was typed over the cells of a row.
pub(super) fn change_of(
    resource: &'static View,
    cells: &[&(usize, usize, String)],
) -> Result<Vec<Change>, Unusable> {
    let mut changes = Vec::new();
    for (_, column, text) in cells {
        let Some(known) = resource.columns.get(*column) else {
            // The cell behind the last column takes the words that no column shows.
            let word = resource.word(&text.to_ascii_uppercase());
            changes.push(Change::Word(
                word.ok_or_else(|| Unusable::Word(text.clone()))?,
            ));
            continue;
        };
        if known.number {
            changes.push(Change::Number(
                known,
                list::number_of(text).map_err(Unusable::Number)?,
            ));
            continue;
        }
        let upper = text.to_ascii_uppercase();
        let word = known.words.iter().find(|word| word.starts_with(&upper));
        changes.push(Change::Word(
            word.ok_or_else(|| Unusable::Word(text.clone()))?,
        ));
    }
    Ok(changes)
}
