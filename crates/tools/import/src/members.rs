//! Names of members: one name, one member.
//!
//! Not here: names of jobs and decks, which nobody calls by name.

use crate::walk::Found;
use std::collections::BTreeMap;
use transom_messages::{Message, im};

/// Longest name of a program or mapset.
const MEMBER_MAX: usize = 8;
/// Longest name of a copybook.
const COPYBOOK_MAX: usize = 30;

/// Members by kind and name.
#[derive(Debug, Default)]
pub(crate) struct Members {
    known: BTreeMap<(&'static str, String), (String, String)>,
    pub(crate) errors: Vec<Message>,
    pub(crate) remarks: Vec<Message>,
}

impl Members {
    /// The name a file gets; none where the same text is there already or it can have none.
    /// `inside` is the name it gives itself.
    pub(crate) fn name(
        &mut self,
        kind: &'static str,
        file: &Found,
        text: &str,
        inside: Option<String>,
    ) -> Option<String> {
        let max = if kind == "copybook" {
            COPYBOOK_MAX
        } else {
            MEMBER_MAX
        };
        let stem = Some(file.stem().to_owned()).filter(|stem| is_name(stem, max));
        let inside = inside.filter(|name| is_name(name, max));
        let Some(name) = stem.or(inside) else {
            self.remarks.push(im::not_a_member(&file.shown));
            return None;
        };
        let key = (kind, name.to_ascii_uppercase());
        match self.known.get(&key) {
            None => {
                self.known
                    .insert(key, (file.shown.clone(), text.to_owned()));
                Some(name)
            }
            Some((_, same)) if same == text => None,
            Some((first, _)) => {
                self.errors
                    .push(im::twice(kind, &key.1, first, &file.shown));
                None
            }
        }
    }
}

fn is_name(text: &str, max: usize) -> bool {
    let first = text.chars().next();
    let plain = |c: char| c.is_ascii_alphanumeric() || "@#$_-".contains(c);
    (1..=max).contains(&text.len())
        && first.is_some_and(|c| c.is_ascii_alphabetic() || "@#$".contains(c))
        && text.chars().all(plain)
}
