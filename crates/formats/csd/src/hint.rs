//! The known word nearest to a misspelt one, as the end of a message.

use transom_types::nearest;

/// `; the nearest known one is X`, or nothing.
pub(crate) fn hint<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(wrong, known).map_or(String::new(), |word| {
        format!("; the nearest known one is {word}")
    })
}
