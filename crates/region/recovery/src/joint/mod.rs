//! One store out of several: that of the region, and partners that hold some of its tables.
//!
//! What: a [`UowStore`] that sends each table to the store that keeps it; its
//! [`Coordinator`] ends units of work in all of them alike. Why here: files and queues need not
//! know where a table lies. Not here: stores, locks, what a table holds, how a unit of work ends.

mod interface;
mod patience;

use crate::{Coordinator, OpenStore, StoreError, SyncpointManager, UowStore, wait};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use transom_messages::Operator;

/// How long a wait may be that may be part of a circle through two stores, when nothing else is
/// said.
const ACROSS_MAX: Duration = Duration::from_secs(30);

/// A store beside that of the region.
pub struct Partner {
    /// Its name, for messages and in decisions. Not empty, at most 32 bytes, no comma, no colon.
    pub name: String,
    /// Opens it.
    pub connect: OpenStore,
    /// Whether it keeps a table.
    pub owns: Owns,
}

/// Whether a store keeps a table.
type Owns = Box<dyn Fn(&str) -> bool + Send + Sync>;

/// Several stores as one.
pub struct JointStore {
    local: Arc<dyn UowStore>,
    places: Vec<Place>,
    coordinator: Arc<Coordinator>,
    /// Longest wait that may be part of a circle through two stores, in milliseconds.
    across_ms: AtomicU64,
}

/// A partner that has joined.
struct Place {
    name: String,
    owns: Owns,
    /// Its number at the coordinator.
    member: usize,
}

/// A store, and who ends its units of work so that others can take part in them.
#[derive(Clone)]
pub struct Managed {
    /// The store.
    pub store: Arc<dyn UowStore>,
    /// Ends its units of work.
    pub manager: Arc<dyn SyncpointManager>,
}

impl Managed {
    /// A store without a manager gets one.
    pub fn new(store: Arc<dyn UowStore>, operator: Operator) -> Result<Self, StoreError> {
        if let Some(manager) = store.syncpoint_manager() {
            return Ok(Self { store, manager });
        }
        let joint = JointStore::open(store, Vec::new(), operator)?;
        let manager = joint.coordinator.clone();
        Ok(Self {
            store: Arc::new(joint),
            manager,
        })
    }
}

impl JointStore {
    /// Puts the region's own store and its partners together, and ends what earlier runs left, as
    /// [`SyncpointManager::join`] says. Others that take part in units of work may join its
    /// coordinator later; without partners nothing is written before one does.
    pub fn open(
        local: Arc<dyn UowStore>,
        partners: Vec<Partner>,
        operator: Operator,
    ) -> Result<Self, StoreError> {
        if !partners.is_empty() {
            wait(check_places(&*local, &partners))?;
        }
        let coordinator = Arc::new(Coordinator::new(local.clone(), operator));
        let mut places = Vec::new();
        for Partner {
            name,
            connect,
            owns,
        } in partners
        {
            let member = coordinator.join_store(&name, connect)?;
            places.push(Place { name, owns, member });
        }
        coordinator.say_missing();
        Ok(Self {
            local,
            places,
            coordinator,
            across_ms: AtomicU64::new(ACROSS_MAX.as_millis() as u64),
        })
    }

    /// How long a unit of work that holds something in one place may wait in a store where it would
    /// wait without end; then it is refused as in a deadlock. 30 seconds at first.
    pub fn set_patience(&self, most: Duration) {
        let most = u64::try_from(most.as_millis()).unwrap_or(u64::MAX);
        self.across_ms.store(most, Ordering::Relaxed);
    }

    /// Name, identity and whether it can be reached, of each partner.
    #[must_use]
    pub fn partners(&self) -> Vec<(&str, Option<String>, bool)> {
        self.coordinator.members()
    }

    /// The store that keeps a table.
    fn at(&self, table: &str) -> Result<&dyn UowStore, StoreError> {
        match self.place_of(table) {
            None => Ok(&*self.local),
            Some(place) => self.coordinator.store(place.member),
        }
    }

    fn place_of(&self, table: &str) -> Option<&Place> {
        let mut places = self.places.iter();
        places.find(|place| keeps(&place.owns, table))
    }

    /// Stores of partners that can be reached, with their places.
    fn present(&self) -> impl Iterator<Item = (&Place, &dyn UowStore)> {
        let places = self.places.iter();
        places.filter_map(|place| Some((place, self.coordinator.store(place.member).ok()?)))
    }
}

/// Syncpoints, catalog and queues stay with the region.
fn keeps(owns: &Owns, table: &str) -> bool {
    (table.starts_with("file/") || table.starts_with("aix/")) && owns(table)
}

/// Records of a data set that was given to a partner later would not be seen any more.
async fn check_places(local: &dyn UowStore, partners: &[Partner]) -> Result<(), StoreError> {
    for table in local.tables("").await? {
        if let Some(partner) = partners.iter().find(|p| keeps(&p.owns, &table)) {
            return Err(StoreError::Wrong(format!(
                "{} lies in the region's own store; copy it before store {} gets it",
                table.split_once('/').map_or(table.as_str(), |t| t.1),
                partner.name
            )));
        }
    }
    Ok(())
}
