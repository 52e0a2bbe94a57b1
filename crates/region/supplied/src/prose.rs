//! Texts in rows of a screen: broken between words, rows of different lengths.
//!
//! Not here: where the rows stand (`panel`).

/// A text in rows, the first as long as the first room, and so on; the last room is that of all
/// further rows. A word that fits nowhere is cut into rows.
pub(crate) fn wrapped(text: &str, rooms: &[usize]) -> Vec<String> {
    let mut rows = vec![String::new()];
    let room = |at: usize| rooms.get(at).or(rooms.last()).copied().unwrap_or(1).max(1);
    for word in text.split_whitespace() {
        let mut word: Vec<char> = word.chars().collect();
        loop {
            let at = rows.len() - 1;
            let used = rows.last().map_or(0, |row| row.chars().count());
            let blank = usize::from(used > 0);
            if used + blank + word.len() <= room(at) {
                push(&mut rows, blank, &word);
                break;
            }
            if used > 0 {
                rows.push(String::new());
                continue;
            }
            let rest = word.split_off(room(at).min(word.len()));
            push(&mut rows, 0, &word);
            rows.push(String::new());
            word = rest;
        }
    }
    rows
}

fn push(rows: &mut [String], blanks: usize, word: &[char]) {
    if let Some(row) = rows.last_mut() {
        row.extend(std::iter::repeat_n(' ', blanks));
        row.extend(word);
    }
}

/// A text in the last of these rooms that it needs: one row is the lowest one, several go on
/// downwards. What is longer than all of them ends in dots.
pub(crate) fn from_below(text: &str, rooms: &[usize]) -> Vec<String> {
    for first in (0..rooms.len()).rev() {
        let rows = wrapped(text, &rooms[first..]);
        if rows.len() <= rooms.len() - first {
            return rows;
        }
    }
    let mut rows = wrapped(text, rooms);
    rows.truncate(rooms.len());
    if let (Some(row), Some(room)) = (rows.last_mut(), rooms.last()) {
        let kept: String = row.chars().take(room.saturating_sub(4)).collect();
        *row = format!("{kept} ...");
    }
    rows
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_goes_on_downwards() {
        assert_eq!(wrapped("a bc def", &[4]), ["a bc", "def"]);
        assert_eq!(wrapped("a bc def", &[1, 6]), ["a", "bc def"]);
        assert_eq!(wrapped("abcdefgh i", &[3]), ["abc", "def", "gh", "i"]);
        assert_eq!(wrapped("", &[3]), [""]);
        assert_eq!(from_below("one", &[10, 5]), ["one"]);
        assert_eq!(from_below("one two three", &[8, 5]), ["one two", "three"]);
        assert_eq!(
            from_below("one two three four", &[4, 8]),
            ["one", "two ..."]
        );
    }
}
