//! The table of an import: what was taken and what stays in the checkout.

use std::collections::{BTreeMap, BTreeSet};

/// What is shown, in this order.
const ROWS: [(&str, &str); 12] = [
    ("cobol", "programs"),
    ("copy", "copybooks"),
    ("bms", "maps"),
    ("csd", "decks"),
    ("data", "jobs and statements that make data sets"),
    ("records", "files with records"),
    ("members", "members these read"),
    ("sql", "files with tables or rows"),
    ("jcl", "jobs that run programs"),
    ("proc", "procedures and members these read"),
    ("archives", "archives of z/OS Connect"),
    ("bindfiles", "bind files"),
];
/// Where they are, when it is not the word itself.
const WHERE: [(&str, &str); 3] = [
    ("records", "data"),
    ("members", "data"),
    ("archives", "resources/zosconnect"),
];

/// Counts.
#[derive(Debug, Default)]
pub(crate) struct Summary {
    /// Files by what was made of them.
    rows: BTreeMap<&'static str, BTreeSet<usize>>,
    left: BTreeMap<&'static str, BTreeSet<usize>>,
    /// Files something was made of.
    pub(crate) taken: BTreeSet<usize>,
    /// All others.
    pub(crate) others: usize,
}

impl Summary {
    pub(crate) fn take(&mut self, file: usize, what: &'static str) {
        self.rows.entry(what).or_default().insert(file);
        self.taken.insert(file);
    }

    pub(crate) fn leave(&mut self, file: usize, why: &'static str) {
        self.left.entry(why).or_default().insert(file);
    }

    /// How many files of a kind were taken.
    pub(crate) fn number(&self, what: &str) -> usize {
        self.rows.get(what).map_or(0, BTreeSet::len)
    }

    pub(crate) fn text(&self) -> String {
        let mut text = String::from("imported\n");
        for (what, words) in ROWS.iter().filter(|(what, _)| self.number(what) > 0) {
            let place = WHERE
                .iter()
                .find(|(w, _)| w == what)
                .map_or(*what, |(_, place)| place);
            text.push_str(&format!("  {:>5}  {words} ({place}/)\n", self.number(what)));
        }
        text.push_str("left in the checkout\n");
        let mut named = 0;
        for (why, files) in &self.left {
            let files = files.difference(&self.taken).count();
            named += files;
            if files > 0 {
                text.push_str(&format!("  {files:>5}  {why}\n"));
            }
        }
        let others = self.others.saturating_sub(named);
        text.push_str(&format!("  {others:>5}  other files\n\n"));
        text
    }
}
