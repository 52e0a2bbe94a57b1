//! What the region does for SET of an installed definition.
//!
//! Why here: the region does it and tests of commands stand in for the region. Not here: which
//! values SET takes (the commands), state that a domain changes with work to do (`SetRequest`).

use super::{EachInstalled, Installed, each_installed};
use crate::shared::Shared;
use transom_resources::ResourceKind;
use transom_types::Resp;

/// What SET can change of a definition becomes what the record says; what SET cannot change stays,
/// whatever the record says of it. INVREQ: the bytes are no such record, or nothing has the name.
/// NOSPACE: shared storage is full.
pub fn set(shared: &dyn Shared, kind: &str, name: &[u8], record: &[u8]) -> Resp {
    let Some(kind) = ResourceKind::by_keyword(kind) else {
        return Resp::INVREQ;
    };
    let mut set = Set {
        shared,
        kind,
        name,
        record,
        done: Resp::INVREQ,
    };
    each_installed(&mut set);
    set.done
}

struct Set<'a> {
    shared: &'a dyn Shared,
    kind: ResourceKind,
    name: &'a [u8],
    record: &'a [u8],
    done: Resp,
}

impl EachInstalled for Set<'_> {
    fn kind<T: Installed>(&mut self) {
        if T::KIND != self.kind {
            return;
        }
        let (old, new) = (T::named(self.shared, self.name), T::of_record(self.record));
        let (Some(mut entry), Some(new)) = (old, new) else {
            return;
        };
        entry.take(&new);
        self.done = match entry.store(self.shared) {
            true => Resp::NORMAL,
            false => Resp::NOSPACE,
        };
    }
}
