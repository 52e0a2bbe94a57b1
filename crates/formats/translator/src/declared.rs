//! Names of data items, and which of them are national.
//!
//! Why: a word that the program declares itself is no special register, and what may be done with a
//! national item is limited. Not here: layouts.

use crate::data::Data;
use crate::token::Token;
use std::collections::{HashMap, HashSet};

/// Names of a file's data items, as far as they matter here.
#[derive(Debug, Default)]
pub(crate) struct Declared {
    pub(crate) names: HashSet<String>,
    /// National items with their number of characters.
    pub(crate) national: HashMap<String, usize>,
}

/// The names of a file's DATA DIVISIONs.
pub(crate) fn declared(tokens: &[Token]) -> Declared {
    let mut out = Declared::default();
    for entry in Data::of_file(tokens).entries {
        let Some(name) = entry.name else { continue };
        if let Some(characters) = entry.clauses.national_characters() {
            out.national.insert(name.clone(), characters);
        }
        out.names.insert(name);
    }
    out
}
