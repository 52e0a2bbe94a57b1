//! Messages in sources against their chapters.
//!
//! What: every text of a chapter is said somewhere, and no source writes an id by hand. Why: a page
//! about what nobody says misleads, and a text written beside its chapter soon differs from it. Not
//! here: whether a chapter reads well (a person's task) and parses (the build of the messages
//! crate).

use crate::ratchet::Numbers;
use std::collections::{BTreeMap, BTreeSet};

/// Where the chapters lie, from the root of the project.
const CHAPTERS: &str = "crates/formats/messages/chapters";
/// `TXM`, two letters, four digits, severity.
const ID_BYTES: usize = 10;

/// What the sources read so far say.
#[derive(Default)]
pub(crate) struct Used {
    /// Paths such as `pg::not_defined`.
    said: BTreeSet<(String, String)>,
    /// Ids written by hand, each with the places.
    by_hand: BTreeMap<String, Vec<String>>,
}

impl Used {
    /// Takes constructors and ids of a source. Comments are left out: there ids are examples.
    pub(crate) fn read(&mut self, file: &str, code: &str) {
        for (number, line) in (1..).zip(code.lines()) {
            if line.trim_start().starts_with("//") {
                continue;
            }
            self.said.extend(paths(line));
            for id in ids(line) {
                let places = self.by_hand.entry(id.to_owned()).or_default();
                places.push(format!("{file}:{number}"));
            }
        }
    }

    /// Ids that do not come from a constructor yet, by room.
    pub(crate) fn by_hand(&self) -> Numbers {
        let mut numbers = Numbers::new();
        for place in self.by_hand.values().flatten() {
            let room = place.match_indices('/').nth(2).map_or(0, |(at, _)| at);
            *numbers.entry(place[..room].to_owned()).or_default() += 1;
        }
        numbers
    }

    /// Texts nobody says, ids without a text.
    pub(crate) fn check(&self, problems: &mut Vec<String>) {
        for text in transom_messages::texts() {
            let path = (text.module.to_owned(), text.name.to_owned());
            if !self.said.contains(&path) && !self.by_hand.contains_key(text.id) {
                problems.push(format!(
                    "{CHAPTERS}: nobody says {}, {}::{}",
                    text.id, text.module, text.name
                ));
            }
        }
        for (id, places) in &self.by_hand {
            if transom_messages::lookup(id).is_none() {
                problems.push(format!("{}: there is no {id} in {CHAPTERS}", places[0]));
            }
        }
    }
}

/// All `a::b` in a line.
fn paths(line: &str) -> impl Iterator<Item = (String, String)> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    line.match_indices("::").map(move |(at, _)| {
        let (before, after) = (&line[..at], &line[at + 2..]);
        let start = before.trim_end_matches(word).len();
        let end = after.len() - after.trim_start_matches(word).len();
        (before[start..].to_owned(), after[..end].to_owned())
    })
}

/// All ids in a line; one behind `explain` is an example of the command.
fn ids(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("TXM").filter_map(move |(at, _)| {
        let id = line.get(at..at + ID_BYTES)?;
        let bytes = id.as_bytes();
        let letters = bytes[3..5].iter().all(u8::is_ascii_uppercase);
        let digits = bytes[5..9].iter().all(u8::is_ascii_digit);
        let is_id = letters && digits && b"IWES".contains(&bytes[9]);
        (is_id && !line[..at].ends_with("explain ")).then_some(id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_line() {
        let line = r#"say("TXMPG0012E and TXMXM0001S", "TXMEXEC", "TXMPG12E", "TXMPG0012");"#;
        assert_eq!(ids(line).collect::<Vec<_>>(), ["TXMPG0012E", "TXMXM0001S"]);
        assert_eq!(ids("transom explain TXMPG0001E").next(), None);
    }

    #[test]
    fn paths_of_a_line() {
        let line = "Err(messages::pg::not_defined(name)) == Some(fc::NAME)";
        let found: Vec<_> = paths(line).collect();
        let found: Vec<_> = found
            .iter()
            .map(|(a, b)| (a.as_str(), b.as_str()))
            .collect();
        assert_eq!(
            found,
            [("messages", "pg"), ("pg", "not_defined"), ("fc", "NAME")]
        );
    }

    #[test]
    fn comments_are_examples() {
        let mut used = Used::default();
        used.read(
            "a.rs",
            "//! `TXMPG0012E`\n    /// TXMPG0013E\nlet id = \"TXMPG0014E\";\n// pg::disabled\n",
        );
        assert_eq!(used.by_hand["TXMPG0014E"], ["a.rs:3"]);
        assert_eq!((used.by_hand.len(), used.said.len()), (1, 0));
    }
}
