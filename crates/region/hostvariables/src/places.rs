//! Host variables that are somewhere in storage, and are no items of the call.
//!
//! What: a call over addresses, so that values go in and out as those of items do. Why: an SQLDA
//! says where values are. Not here: reading one (`sqlda`).

use transom_commands::sql::{Role, View};
use transom_workers::seam::{Address, Host, Item, SqlCall};

/// One of them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Place {
    pub(crate) role: Role,
    pub(crate) item: Item,
    pub(crate) address: Address,
    pub(crate) bytes: usize,
}

/// A call over places. What lies nowhere ends the task, as any bad address does.
pub struct Places<'a> {
    pub(crate) view: View<'a>,
    pub(crate) host: &'a mut dyn Host,
    pub(crate) all: Vec<Place>,
}

impl SqlCall for Places<'_> {
    fn statement(&self) -> View<'_> {
        self.view
    }

    fn roles(&self) -> Vec<Role> {
        self.all.iter().map(|place| place.role).collect()
    }

    fn item(&self, n: usize) -> Item {
        self.all.get(n).map_or(Item::NONE, |place| place.item)
    }

    fn bytes(&self, n: usize) -> &[u8] {
        match self.all.get(n) {
            Some(place) => self.host.memory(place.address, place.bytes),
            None => &[],
        }
    }

    fn bytes_mut(&mut self, n: usize) -> &mut [u8] {
        match self.all.get(n) {
            Some(place) => self.host.memory_mut(place.address, place.bytes),
            None => &mut [],
        }
    }
}
