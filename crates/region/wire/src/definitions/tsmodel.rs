//! An installed model of temporary storage queues.
//!
//! All models lie in one group, so that a command finds the model of a queue with one look.

use crate::codec::{Reader, Writer};
use crate::shared::{Shared, Space};

/// Group of [`Space::TsModel`] with all models, an item each.
const GROUP: &[u8] = b"MODELS";
/// Most models of a region; further ones are not installed.
pub const MODELS_MAX: usize = 1_000;

/// A model: attributes of all queues whose names begin with its prefix.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TsModelEntry {
    /// Name, blank padded.
    pub name: [u8; 8],
    /// PREFIX or XPREFIX, 1 to 16 bytes; `+` stands for any character.
    pub prefix: Vec<u8>,
    /// LOCATION(MAIN).
    pub main: bool,
    /// RECOVERY(YES): queues in the store, part of units of work.
    pub recovery: bool,
    /// REMOTESYSTEM: queues of another region.
    pub remote: bool,
    /// EXPIRYINT in hours; 0: queues stay until they are deleted.
    pub expiry_hours: u32,
}

impl TsModelEntry {
    /// A model with CICS's defaults.
    pub fn new(name: [u8; 8], prefix: &[u8]) -> Self {
        Self {
            name,
            prefix: prefix.to_vec(),
            main: false,
            recovery: false,
            remote: false,
            expiry_hours: 0,
        }
    }

    /// The model serves queues of this name.
    pub fn serves(&self, queue: &[u8; 16]) -> bool {
        let pairs = self.prefix.iter().zip(queue);
        self.prefix.len() <= queue.len() && pairs.into_iter().all(|(p, q)| *p == b'+' || p == q)
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
    pub fn of(shared: &dyn Shared, queue: &[u8; 16]) -> Option<Self> {
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

    fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(48);
        out.raw(&self.name)
            .bytes(&self.prefix)
            .flag(self.main)
            .flag(self.recovery)
            .flag(self.remote)
            .u32(self.expiry_hours);
        out.0
    }

    fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        Some(Self {
            name: from.raw(8)?.try_into().ok()?,
            prefix: from.bytes()?.to_vec(),
            main: from.flag()?,
            recovery: from.flag()?,
            remote: from.flag()?,
            expiry_hours: from.u32()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prefixes_may_have_wild_characters() {
        let model = TsModelEntry::new(*b"MODEL   ", b"AB+D");
        assert!(model.serves(b"ABCDEFGH        "));
        assert!(!model.serves(b"ABCXEFGH        "));
        assert_eq!(TsModelEntry::decode(&model.encode()), Some(model));
    }
}
