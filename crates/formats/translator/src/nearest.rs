//! The nearest known word to a misspelt one.

/// The candidate with the fewest edits, when it is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_uppercase();
    let limit = word.len() / 3 + 1;
    known
        .filter(|k| k.len().abs_diff(word.len()) <= limit)
        .map(|k| (distance(&word, k), k))
        .filter(|(d, _)| *d <= limit)
        .min_by_key(|(d, _)| *d)
        .map(|(_, k)| k)
}

/// Insertions, deletions and substitutions; words are cut at 40 bytes.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (
        &a.as_bytes()[..a.len().min(40)],
        &b.as_bytes()[..b.len().min(40)],
    );
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let change = corner + usize::from(x != y);
            corner = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(corner + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_the_word_meant_or_none() {
        let known = ["RETURN", "RETRIEVE", "READ"];
        assert_eq!(nearest("RETRUN", known.into_iter()), Some("RETURN"));
        assert_eq!(nearest("XYZZY", known.into_iter()), None);
    }
}
