//! Copybooks of maps: those that were made from the maps of the checkout are not taken.
//!
//! Why: a copybook in `copy/` wins over the one that is made here from the map, which is right for
//! one that somebody edited by hand and wrong for one that was made elsewhere from an older map.
//! What: a copybook with the name of a mapset and the same data names as the one made here. Not
//! here: making copybooks (`transom_bms`).

use crate::kind::words_of;
use std::collections::{BTreeMap, BTreeSet};
use transom_bms::copybook;

/// Columns in front of the text of a card.
const FRONT: usize = 6;

/// Data names of the copybooks that the maps of a checkout make, by mapset.
#[derive(Debug, Default)]
pub(crate) struct Symbolic(BTreeMap<String, BTreeSet<String>>);

impl Symbolic {
    /// Adds the mapsets of a source; `stem` is the name of its member.
    pub(crate) fn add(&mut self, stem: &str, shown: &str, text: &str) {
        let source = transom_bms::read(shown, text);
        let single = source.mapsets.len() == 1;
        for mapset in &source.mapsets {
            let Some(text) = copybook(mapset) else {
                continue;
            };
            let names = data_names(&text);
            if single {
                self.0.insert(stem.to_ascii_uppercase(), names.clone());
            }
            self.0
                .entry(mapset.name.to_ascii_uppercase())
                .or_insert(names);
        }
    }

    /// Whether a copybook is one that is made here, too.
    pub(crate) fn makes(&self, stem: &str, text: &str) -> bool {
        let made = self.0.get(&stem.to_ascii_uppercase());
        made.is_some_and(|names| *names == data_names(text))
    }
}

fn data_names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for line in text.lines() {
        let code = line.get(FRONT..).unwrap_or_default();
        if code.starts_with('*') {
            continue;
        }
        let words = words_of(code);
        let level = words.first().is_some_and(|w| w.parse::<u8>().is_ok());
        let name = words.get(1).filter(|_| level);
        let name = name.map(|n| n.trim_end_matches('.').to_owned());
        names.extend(name.filter(|n| !matches!(n.as_str(), "FILLER" | "PIC" | "PICTURE")));
    }
    names
}
