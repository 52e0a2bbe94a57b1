//! The nearest known word, for problems.

/// The word closest to `wrong`, when one is close enough to be meant.
pub(crate) fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A longer word is a value or garbage, not a misspelt keyword.
    if wrong.len() > 40 {
        return None;
    }
    let best = known
        .map(|word| (distance(wrong, word), word))
        .min_by_key(|(d, _)| *d)?;
    (best.0 <= 1 + wrong.len() / 4).then_some(best.1)
}

/// Edit distance with transpositions counted as two edits.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, ca) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, cb) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(ca != *cb);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

/// `; the nearest known one is X`, or nothing.
pub(crate) fn hint<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(wrong, known).map_or(String::new(), |word| {
        format!("; the nearest known one is {word}")
    })
}
