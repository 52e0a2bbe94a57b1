//! Installed CONNECTION definitions: links to other regions of this host.
//!
//! Not here: links themselves (`region/links`), deck syntax.

use super::not_usable::NotUsable;
use super::{ConnectionAccess, ConnectionEntry, Installed, SessionsEntry};
use crate::shared::{Shared, Space};
use transom_csd::Definition;
use transom_types::{Applid, SysId};

impl ConnectionEntry {
    /// The connection of a deck.
    pub fn from_definition(definition: &Definition) -> Result<Option<Self>, NotUsable> {
        let entry = Self::of_attributes(definition);
        let given = |name: &str| definition.get(name).is_some_and(|text| !text.is_empty());
        let is = |name: &str, words: &[&str]| {
            let value = definition.get(name).unwrap_or_default();
            words.contains(&value)
        };
        let here = matches!(entry.access, ConnectionAccess::Irc | ConnectionAccess::Xm);
        if !here {
            return Err(NotUsable::AccessMethod);
        }
        if is("PROTOCOL", &["EXCI"]) {
            return Err(NotUsable::Exci);
        }
        if given("REMOTESYSTEM") || given("INDSYS") {
            return Err(NotUsable::IndirectSystem);
        }
        if is("ATTACHSEC", &["VERIFY", "PERSISTENT", "MIXIDPE"]) {
            return Err(NotUsable::AttachSecurity);
        }
        Ok(Some(entry))
    }

    /// APPLID of the other region: NETNAME, else the name.
    pub fn applid(&self) -> Applid {
        match self.netname == [b' '; 8] {
            true => Applid::from_field(self.name.as_bytes()),
            false => Applid::from_field(&self.netname),
        }
    }

    /// The installed connection of this name.
    pub fn to(shared: &dyn Shared, system: SysId) -> Option<Self> {
        Self::named(shared, system.as_bytes())
    }

    /// All of them.
    pub fn all(shared: &dyn Shared) -> Vec<Self> {
        let names = shared.group_names(Space::Connection);
        let found = names.iter().filter_map(|name| Self::named(shared, name));
        found.collect()
    }

    /// SENDCOUNT and RECEIVECOUNT of its SESSIONS; `None`: no limit of its own.
    pub fn counts(&self, shared: &dyn Shared) -> (Option<u16>, Option<u16>) {
        let names = shared.group_names(Space::Sessions);
        let mut all = names
            .iter()
            .filter_map(|name| SessionsEntry::named(shared, name));
        let own = all.find(|sessions| sessions.connection == self.name);
        own.map_or((None, None), |own| (own.send_count, own.receive_count))
    }
}
