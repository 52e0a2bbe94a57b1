//! The known word nearest to a misspelt one.
//!
//! Why here: each reader of what people write says which word it knows instead, and all of them
//! should find the same one. Not here: the sentence that says so.

/// Longest word that is compared; a longer one is a value or garbage, not a slip of the hand.
const WORD_MAX: usize = 64;

/// The first of the known words that takes the fewest edits, when that is at most a third of the
/// letters. Case does not count; two neighbours in the wrong order are one edit.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_uppercase();
    let compared = known
        .into_iter()
        .filter_map(|name| Some((edits(&word, &name.to_ascii_uppercase())?, name)));
    let (edits, name) = compared.min_by_key(|(edits, _)| *edits)?;
    (edits <= word.len().max(name.len()).div_ceil(3)).then_some(name)
}

/// Letters to insert, remove, change or swap; none for words that are too long.
fn edits(a: &str, b: &str) -> Option<usize> {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() > WORD_MAX || b.len() > WORD_MAX {
        return None;
    }
    // The rows before the last, the last, and the one that is made.
    let mut older = [0; WORD_MAX + 1];
    let mut old = [0; WORD_MAX + 1];
    let mut row = [0; WORD_MAX + 1];
    for (at, slot) in old.iter_mut().enumerate() {
        *slot = at;
    }
    for (i, x) in a.iter().enumerate() {
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = old[j] + usize::from(x != y);
            row[j + 1] = change.min(old[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                row[j + 1] = row[j + 1].min(older[j - 1] + 1);
            }
        }
        (older, old) = (old, row);
    }
    Some(old[b.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let known = ["RETURN", "RETRIEVE", "READ", "MAPPING-LEVEL"];
        assert_eq!(nearest("RETRUN", known), Some("RETURN"));
        assert_eq!(nearest("maping-level", known), Some("MAPPING-LEVEL"));
        assert_eq!(nearest("REA", known), Some("READ"));
        assert_eq!(nearest("XYZZY", known), None);
        assert_eq!(nearest(&"R".repeat(65), known), None);
        assert_eq!(nearest("A", []), None);
    }

    #[test]
    fn the_first_of_equals_wins() {
        assert_eq!(nearest("REAT", ["READ", "BEAT"]), Some("READ"));
        assert_eq!(nearest("REAT", ["BEAT", "READ"]), Some("BEAT"));
    }

    #[test]
    fn edits_of_words() {
        assert_eq!(edits("", "AB"), Some(2));
        assert_eq!(edits("ABCD", "ACBD"), Some(1));
        assert_eq!(edits("KITTEN", "SITTING"), Some(3));
    }
}
