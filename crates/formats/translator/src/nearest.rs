//! The nearest known word to a misspelt one.

/// The candidate with the fewest edits, when it is near enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_ascii_uppercase();
    let mut limit = word.len() / 3 + 1;
    let mut best = None;
    for candidate in known {
        let length = candidate.len().abs_diff(word.len());
        if length <= limit
            && let Some(distance) = distance(&word, candidate, limit)
            && (distance < limit || best.is_none())
        {
            best = Some(candidate);
            limit = distance;
        }
    }
    best
}

/// Insertions, deletions and substitutions, unless there are more than `limit`; words are cut at
/// 40 bytes.
fn distance(a: &str, b: &str, limit: usize) -> Option<usize> {
    let (a, b) = (
        &a.as_bytes()[..a.len().min(40)],
        &b.as_bytes()[..b.len().min(40)],
    );
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut corner = row[0];
        let mut before = i + 1;
        let mut least = before;
        row[0] = before;
        for (y, slot) in b.iter().zip(&mut row[1..]) {
            let change = corner + usize::from(x != y);
            corner = *slot;
            before = change.min(corner + 1).min(before + 1);
            *slot = before;
            least = least.min(before);
        }
        if least > limit {
            return None;
        }
    }
    row.last().copied().filter(|d| *d <= limit)
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
