//! Definitions that a reload finds in decks, held against those that it knows.
//!
//! What: of each definition of the last start or reload its kind, its name and a sum of its
//! attributes; what is new or has another sum is installed, what is in use is named and tried again
//! at the next reload. What is not in the decks any more stays installed: nobody asked for DISCARD.
//! Not here: reading decks (`region/system`), what installing checks (`region/server`).

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use transom_csd::{Definition, Installs};
use transom_messages::{Message, rl};
use transom_region_server::LocalRegion;

/// Definitions named in a message.
const SHOWN_MAX: usize = 10;

/// Kind and name of a definition.
type Key = (&'static str, Box<str>);

/// Definitions of kinds that a region has, with the sum of their attributes.
#[derive(Debug, Default)]
pub(crate) struct Known(HashMap<Key, u64>);

impl Known {
    /// As decks have them; of two of a name the later one counts.
    pub(crate) fn of(defined: &[Definition]) -> Self {
        let known = defined.iter().filter(|one| is_installed(one));
        Self(known.map(|one| (key(one), sum(one))).collect())
    }

    /// Installs what decks have otherwise now; what the operator is told.
    pub(crate) async fn take(
        &mut self,
        region: &LocalRegion,
        defined: Vec<Definition>,
    ) -> Result<Vec<Message>, Message> {
        let new = Self::of(&defined);
        let gone: Vec<Key> = self.without(&new);
        let changed = self.changed(defined);
        let why = region.install_renewed(changed.clone()).await?;
        let (mut installed, mut left) = (Vec::new(), Vec::new());
        for (one, why) in changed.iter().zip(why) {
            let key = key(one);
            let what = shown(&key);
            match why {
                None => {
                    self.0.insert(key, sum(one));
                    installed.push(what);
                }
                Some(why) => left.push(format!("{what}: {why}")),
            }
        }
        self.0.retain(|key, _| !gone.contains(key));
        let gone = gone.iter().map(shown).collect();
        let mut told = Vec::new();
        told.extend(some(installed).map(|(n, names)| rl::definitions_installed(n, names)));
        told.extend(some(left).map(|(n, names)| rl::definitions_left(n, names)));
        told.extend(some(gone).map(|(n, names)| rl::definitions_gone(n, names)));
        Ok(told)
    }

    /// Those that are new or other ones, each once.
    fn changed(&self, defined: Vec<Definition>) -> Vec<Definition> {
        let last: HashMap<Key, usize> = defined.iter().map(key).zip(0..).collect();
        let all = defined.into_iter().enumerate();
        all.filter(|(at, one)| {
            let key = key(one);
            is_installed(one) && last.get(&key) == Some(at) && self.0.get(&key) != Some(&sum(one))
        })
        .map(|(_, one)| one)
        .collect()
    }

    /// Those that the other has not, in order.
    fn without(&self, other: &Self) -> Vec<Key> {
        let keys = self.0.keys().filter(|key| !other.0.contains_key(*key));
        let mut keys: Vec<Key> = keys.cloned().collect();
        keys.sort_unstable();
        keys
    }
}

fn key(definition: &Definition) -> Key {
    (definition.kind.keyword(), definition.name.as_str().into())
}

fn shown((kind, name): &Key) -> String {
    format!("{kind}({name})")
}

/// Kinds that a region has something of.
fn is_installed(definition: &Definition) -> bool {
    matches!(
        definition.kind.installs(),
        Installs::Now | Installs::AtStart
    )
}

fn sum(definition: &Definition) -> u64 {
    let mut hasher = DefaultHasher::new();
    for attribute in definition.attributes() {
        attribute.hash(&mut hasher);
    }
    hasher.finish()
}

/// Their number and the first of them; none: `None`.
fn some(mut names: Vec<String>) -> Option<(usize, String)> {
    let n = names.len();
    names.truncate(SHOWN_MAX);
    let more = match n.saturating_sub(SHOWN_MAX) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    (n > 0).then(|| (n, names.join(", ") + &more))
}
