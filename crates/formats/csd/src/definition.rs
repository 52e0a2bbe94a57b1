//! One resource definition.

use transom_resources::{ResourceKind, common_attributes};

/// A definition as a deck gave it: only what was written, defaults on demand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Definition {
    /// Kind.
    pub kind: ResourceKind,
    /// Name.
    pub name: String,
    /// Group it is in.
    pub group: String,
    /// Deck it came from, as the caller named it.
    pub deck: String,
    /// Line of the DEFINE, from 1.
    pub line: u32,
    /// Attributes given, in source order, by full keyword; values checked and in normal form.
    pub(crate) attributes: Vec<(&'static str, String)>,
}

impl Definition {
    /// Value of an attribute (full keyword): as given, else the default of the kind. `None` when
    /// there is neither, or the kind has no such attribute.
    pub fn get(&self, keyword: &str) -> Option<&str> {
        self.given(keyword).or_else(|| {
            let all = self.kind.attributes().iter().chain(common_attributes());
            let default = all
                .filter(|a| a.keyword == keyword)
                .map(|a| a.default)
                .next()?;
            (!default.is_empty()).then_some(default)
        })
    }

    /// Value of an attribute when the deck gave it.
    pub fn given(&self, keyword: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(k, _)| *k == keyword);
        found.map(|(_, value)| value.as_str())
    }

    /// Attributes given, in source order.
    pub fn attributes(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.attributes.iter().map(|(k, v)| (*k, v.as_str()))
    }

    /// True when the attribute is YES.
    pub fn is_yes(&self, keyword: &str) -> bool {
        self.get(keyword) == Some("YES")
    }

    /// As the region of this SYSIDNT sees it: a REMOTESYSTEM that names the region itself says
    /// nothing, so that one deck serves several regions.
    #[must_use]
    pub fn at(mut self, sysid: &str) -> Self {
        let is_own = |value: &str| !sysid.is_empty() && value == sysid;
        self.attributes
            .retain(|(k, value)| *k != "REMOTESYSTEM" || !is_own(value));
        self
    }

    pub(crate) fn set(&mut self, keyword: &'static str, value: String) {
        match self.attributes.iter_mut().find(|(k, _)| *k == keyword) {
            Some(slot) => slot.1 = value,
            None => self.attributes.push((keyword, value)),
        }
    }
}
