//! Message ids in sources against message pages.
//!
//! What: every `TXM` id a source can issue has a page, and every page has a source that issues it.
//! Why: a number in a log line that leads nowhere is worse than none. Not here: whether a page
//! reads well (a person's task) and parses (a test of the messages crate).

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Where the pages lie, from the root of the project.
const PAGES: &str = "crates/formats/messages/pages";
const PREFIX: &[u8] = b"TXM";
/// `TXM`, two letters, four digits, severity.
const ID_BYTES: usize = 10;

/// Ids of the sources read so far, each with the first file it was seen in.
#[derive(Default)]
pub(crate) struct Used(BTreeMap<String, String>);

impl Used {
    /// Takes the ids of a source. Comments are left out: there ids are examples.
    pub(crate) fn read(&mut self, file: &str, code: &str) {
        for line in code.lines().filter(|l| !l.trim_start().starts_with("//")) {
            for id in ids(line) {
                self.0
                    .entry(id.to_owned())
                    .or_insert_with(|| file.to_owned());
            }
        }
    }

    /// Ids without a page, pages without an id.
    pub(crate) fn check(&self, root: &Path, problems: &mut Vec<String>) {
        let mut pages: Vec<String> = fs::read_dir(root.join(PAGES))
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|e| {
                Some(format!(
                    "TXM{}",
                    e.file_name().to_str()?.strip_suffix(".md")?
                ))
            })
            .collect();
        pages.sort();
        for (id, file) in &self.0 {
            if pages.binary_search(id).is_err() {
                problems.push(format!(
                    "{file}: {id} has no page {PAGES}/{}.md",
                    &id[PREFIX.len()..]
                ));
            }
        }
        for page in pages.iter().filter(|p| !self.0.contains_key(*p)) {
            problems.push(format!(
                "{PAGES}/{}.md: no source issues {page}",
                &page[PREFIX.len()..]
            ));
        }
    }
}

/// All ids in a line.
fn ids(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("TXM").filter_map(move |(at, _)| {
        let id = line.get(at..at + ID_BYTES)?;
        let bytes = id.as_bytes();
        let letters = bytes[3..5].iter().all(u8::is_ascii_uppercase);
        let digits = bytes[5..9].iter().all(u8::is_ascii_digit);
        (letters && digits && b"IWES".contains(&bytes[9])).then_some(id)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_a_line() {
        let line = r#"say("TXMPG0012E and TXMXM0001S", "TXMEXEC", "TXMPG12E", "TXMPG0012");"#;
        assert_eq!(ids(line).collect::<Vec<_>>(), ["TXMPG0012E", "TXMXM0001S"]);
    }

    #[test]
    fn comments_are_examples() {
        let mut used = Used::default();
        used.read(
            "a.rs",
            "//! `TXMPG0012E`\n    /// TXMPG0013E\nlet id = \"TXMPG0014E\"; // TXMPG0015E\n",
        );
        assert_eq!(
            used.0.keys().collect::<Vec<_>>(),
            ["TXMPG0014E", "TXMPG0015E"]
        );
    }
}
