//! Definitions in shared memory by kind and name, whatever the kind.
//!
//! Why: a start takes off what was discarded before. Not here: classes, which lie with the
//! dispatcher, and what else a domain does for one that goes (an open file).

use super::{EachInstalled, Installed, TransactionEntry, TsModelEntry, discard, each_installed};
use crate::shared::Shared;
use std::collections::HashSet;
use transom_resources::ResourceKind;
use transom_types::TransId;

/// Kinds and names.
pub type Names = HashSet<(&'static str, String)>;

/// What is installed.
pub fn installed_names(shared: &dyn Shared) -> Names {
    let models = TsModelEntry::all(shared).into_iter();
    let keyword = ResourceKind::TsModel.keyword();
    let mut names = models.map(|model| (keyword, text(&model.name))).collect();
    let mut collect = Collect {
        shared,
        names: &mut names,
    };
    each_installed(&mut collect);
    names
}

/// Takes a definition off.
pub fn take_off(shared: &dyn Shared, kind: ResourceKind, name: &str) {
    match kind {
        ResourceKind::TsModel => {
            if let Ok(name) = format!("{name:8}").as_bytes().try_into() {
                TsModelEntry::discard(shared, name);
            }
        }
        ResourceKind::Transaction => {
            let transid = TransId::from_field(name.as_bytes());
            if let Some(entry) = TransactionEntry::find(shared, transid) {
                entry.discard(shared);
            }
        }
        _ => each_installed(&mut TakeOff { shared, kind, name }),
    }
}

struct Collect<'a> {
    shared: &'a dyn Shared,
    names: &'a mut Names,
}

impl EachInstalled for Collect<'_> {
    fn kind<T: Installed>(&mut self) {
        let names = self.shared.group_names(T::SPACE).into_iter();
        let names = names.filter(|name| T::named(self.shared, name).is_some());
        self.names
            .extend(names.map(|name| (T::KIND.keyword(), text(&name))));
    }
}

struct TakeOff<'a> {
    shared: &'a dyn Shared,
    kind: ResourceKind,
    name: &'a str,
}

impl EachInstalled for TakeOff<'_> {
    fn kind<T: Installed>(&mut self) {
        if T::KIND == self.kind {
            let name = format!("{:width$}", self.name, width = T::KEY_BYTES);
            discard(self.shared, T::SPACE, name.as_bytes());
        }
    }
}

/// A name without its padding.
fn text(name: &[u8]) -> String {
    String::from_utf8_lossy(name).trim_end().to_owned()
}
