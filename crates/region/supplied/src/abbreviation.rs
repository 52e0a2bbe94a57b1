//! Words as panels offer them: the letters that must be typed are capitals.

/// `PROgram`: as many capitals as the word needs to be meant.
pub(crate) fn abbreviated(word: &str, means: impl Fn(&str) -> bool) -> String {
    let needed = (1..word.len()).find(|end| word.get(..*end).is_some_and(&means));
    let (short, rest) = word.split_at(needed.unwrap_or(word.len()));
    format!("{short}{}", rest.to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capitals_are_what_must_be_typed() {
        let means = |short: &str| short.starts_with("PRO");
        assert_eq!(abbreviated("PROGRAM", means), "PROgram");
        assert_eq!(abbreviated("PR", means), "PR");
    }
}
