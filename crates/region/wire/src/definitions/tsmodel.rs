//! An installed model of temporary storage queues.
//!
//! All models lie in one group, so that a command finds the model of a queue with one look.

use super::TsModelEntry;
use super::not_usable::NotUsable;
use crate::shared::{Shared, Space};
use transom_copybook::codepage::CP037;
use transom_csd::Definition;
use transom_types::TsQueueName;

/// Group of [`Space::TsModel`] with all models, an item each.
const GROUP: &[u8] = b"MODELS";
/// Most models of a region; further ones are not installed.
pub const MODELS_MAX: usize = 1_000;

impl TsModelEntry {
    /// A model with CICS's defaults.
    pub fn new(name: [u8; 8], prefix: &[u8]) -> Self {
        Self {
            prefix: prefix.to_vec(),
            ..Self::with_defaults(name)
        }
    }

    /// The model a TSMODEL definition describes; `None` without a prefix.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let text = |keyword| definition.get(keyword).unwrap_or_default().trim();
        let mut model = Self::of_attributes(definition);
        model.prefix = match text("XPREFIX") {
            "" => text("PREFIX").as_bytes().to_vec(),
            hex => {
                let bytes = bytes_of(hex).unwrap_or_default().into_iter();
                bytes.map(as_programs_see_it).collect()
            }
        };
        model.remote_prefix = match text("XREMOTEPFX") {
            "" => text("REMOTEPREFIX").as_bytes().to_vec(),
            hex => {
                let bytes = bytes_of(hex).unwrap_or_default().into_iter();
                bytes.map(as_programs_see_it).collect()
            }
        };
        Ok(Some(model).filter(|model| !model.prefix.is_empty()))
    }

    /// The model serves queues of this name.
    pub fn serves(&self, queue: TsQueueName) -> bool {
        let pairs = self.prefix.iter().zip(queue.as_bytes());
        self.prefix.len() <= TsQueueName::LEN
            && pairs.into_iter().all(|(p, q)| *p == b'+' || p == q)
    }

    /// The name of a queue in the region that has it: REMOTEPREFIX in place of PREFIX.
    pub fn remote_name(&self, queue: TsQueueName) -> Vec<u8> {
        if self.remote_prefix.is_empty() {
            return queue.as_bytes().to_vec();
        }
        let own = queue.as_bytes().iter();
        let prefix = self.remote_prefix.iter().zip(own.clone());
        let prefix = prefix.map(|(there, here)| if *there == b'+' { *here } else { *there });
        let rest = own.copied().skip(self.prefix.len());
        let mut name: Vec<u8> = prefix.chain(rest).collect();
        name.resize(TsQueueName::LEN, b' ');
        name
    }

    /// Installs the model, in place of one with the same prefix.
    #[must_use]
    pub fn install(&self, shared: &dyn Shared) -> bool {
        let mut stored = false;
        shared.with_group(Space::TsModel, GROUP, &mut |group| {
            let items = group.items();
            let same = items.iter().copied().find(|item| {
                let other = group.get(*item).and_then(Self::decode);
                other.is_some_and(|other| other.prefix == self.prefix)
            });
            let item = same.unwrap_or_else(|| items.last().map_or(0, |last| last + 1));
            stored =
                (items.len() < MODELS_MAX || same.is_some()) && group.put(item, &self.encode());
        });
        stored
    }

    /// The model of a queue: of those that serve it the one with the longest prefix.
    pub fn of(shared: &dyn Shared, queue: TsQueueName) -> Option<Self> {
        let mut best: Option<Self> = None;
        shared.with_group(Space::TsModel, GROUP, &mut |group| {
            for item in group.items() {
                let Some(model) = group.get(item).and_then(Self::decode) else {
                    continue;
                };
                let longer = |b: &Self| model.prefix.len() > b.prefix.len();
                if model.serves(queue) && best.as_ref().is_none_or(longer) {
                    best = Some(model);
                }
            }
        });
        best
    }

    /// All models.
    pub fn all(shared: &dyn Shared) -> Vec<Self> {
        let mut all = Vec::new();
        shared.with_group(Space::TsModel, GROUP, &mut |group| {
            let items = group.items().into_iter();
            all = items
                .filter_map(|item| group.get(item).and_then(Self::decode))
                .collect();
        });
        all
    }

    /// Removes the models of a name. `false`: there is none.
    pub fn discard(shared: &dyn Shared, name: &[u8; 8]) -> bool {
        let mut found = false;
        shared.with_group(Space::TsModel, GROUP, &mut |group| {
            for item in group.items() {
                let model = group.get(item).and_then(Self::decode);
                if model.is_some_and(|model| model.name == *name) {
                    group.remove(item);
                    found = true;
                }
            }
        });
        found
    }

    /// Some model makes its queues recoverable.
    pub fn any_recoverable(shared: &dyn Shared) -> bool {
        let mut any = false;
        shared.with_group(Space::TsModel, GROUP, &mut |group| {
            let mut models = group.items().into_iter();
            any = models.any(|item| {
                let model = group.get(item).and_then(Self::decode);
                model.is_some_and(|model| model.recovery && !model.main)
            });
        });
        any
    }

    /// Some model gives its queues an end.
    pub fn any_expiring(shared: &dyn Shared) -> bool {
        let mut any = false;
        shared.with_group(Space::TsModel, GROUP, &mut |group| {
            let mut models = group.items().into_iter();
            any = models.any(|item| {
                let model = group.get(item).and_then(Self::decode);
                model.is_some_and(|model| model.expiry_hours > 0)
            });
        });
        any
    }
}

/// A deck spells names in EBCDIC: a character becomes that of the programs, any other byte stays.
fn as_programs_see_it(byte: u8) -> u8 {
    let text = CP037.decode(&[byte]);
    match text.as_bytes() {
        [ascii] if ascii.is_ascii_graphic() || *ascii == b' ' => *ascii,
        _ => byte,
    }
}

/// Hexadecimal digits, two a byte. An odd one at the end counts for nothing.
fn bytes_of(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let pairs = hex.as_bytes().chunks_exact(2);
    pairs
        .map(|pair| match pair {
            [high, low] => u8::try_from(digit(high)? * 16 + digit(low)?).ok(),
            _ => None,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_may_have_wild_characters() {
        let model = TsModelEntry::new(*b"MODEL   ", b"AB+D");
        assert!(model.serves(TsQueueName::from_field(b"ABCDEFGH        ")));
        assert!(!model.serves(TsQueueName::from_field(b"ABCXEFGH        ")));
    }

    #[test]
    fn a_prefix_may_be_given_in_hexadecimal() {
        let mut csd = transom_csd::Csd::new();
        let problems = csd.parse_deck(
            "TEST",
            "DEFINE TSMODEL(REC) GROUP(A) PREFIX(SAFE) RECOVERY(YES)\n\
             DEFINE TSMODEL(HEX) GROUP(A) XPREFIX(C1C201) LOCATION(MAIN)\n\
             DEFINE TSMODEL(NONE) GROUP(A)\n",
        );
        assert!(problems.is_empty(), "{problems:?}");
        let found = csd.install_all();
        let models: Vec<_> = found
            .iter()
            .filter_map(|found| TsModelEntry::from_definition(found).unwrap())
            .collect();
        assert_eq!(models.len(), 2);
        assert!(models[0].recovery && models[0].prefix == b"SAFE");
        assert!(models[1].main && models[1].prefix == b"AB\x01");
    }
}
