//! Names of files that are not members: jobs, decks, archives.
//!
//! Not here: members, which are called by their names (`members`).

use crate::sorted::Sorted;
use std::collections::BTreeSet;

/// Characters of a file's name that are kept.
const NAME_MAX: usize = 64;

/// Names of files that are not members: two of one name get that of their folder in front.
#[derive(Default)]
pub(crate) struct Names(BTreeSet<String>);

impl Names {
    pub(crate) fn free(
        &mut self,
        sorted: &Sorted,
        at: usize,
        folder: &str,
        ending: &str,
    ) -> String {
        self.free_with(sorted, at, folder, "", ending)
    }

    /// A name that is no file's.
    pub(crate) fn free_as(&mut self, name: &str, ending: &str) -> String {
        let name = format!("{name}.{ending}");
        self.0.insert(name.to_ascii_uppercase());
        name
    }

    pub(crate) fn free_with(
        &mut self,
        sorted: &Sorted,
        at: usize,
        folder: &str,
        front: &str,
        ending: &str,
    ) -> String {
        let file = &sorted.files[at];
        let plain = |c: char| match c.is_ascii_alphanumeric() || "@#$_-.".contains(c) {
            true => c,
            false => '_',
        };
        let clean = |text: &str| -> String { text.chars().map(plain).take(NAME_MAX).collect() };
        let stem = clean(file.stem().trim_start_matches(['.', '-']));
        let parent = file.shown.rsplit('/').nth(1).map(clean).unwrap_or_default();
        let tries = [stem.clone(), format!("{parent}-{stem}")].into_iter();
        let numbered = (2..).map(|n: u32| format!("{stem}-{n}"));
        let mut tries = tries.chain(numbered);
        loop {
            let stem = tries.next().unwrap_or_default();
            let name = format!("{folder}/{front}{stem}.{ending}");
            if self.0.insert(name.to_ascii_uppercase()) {
                return name;
            }
        }
    }
}
