//! Reaching participants, and what the region's own store remembers of them.
//!
//! What: the number of the system, identities, decisions of earlier runs. Not here: what becomes of
//! units of work (`resync`).

use super::state::{DECIDED, Inner, Member, Told};
use crate::guard::lock;
use crate::{
    Change, Direction, Lock, Match, Outcome, Restored, Row, StoreError, UowId, UowStore, Wait,
    Write, wait,
};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Bound;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::SystemTime;

/// The number of this system, and which participants belong to it.
const SYSTEM: &str = "uow/system";
/// Key of the number of this system.
const NUMBER: &[u8] = b"number";

impl Inner {
    pub(super) fn begin(&self) -> Result<u64, StoreError> {
        if let Some(number) = self.system.get() {
            return Ok(*number);
        }
        wait(self.local.define(DECIDED))?;
        wait(self.local.define(SYSTEM))?;
        let number = wait(number(&*self.local))?;
        let restored = wait(Restored::when(&*self.local))?;
        self.restored_ns.store(restored.unwrap_or(0), Relaxed);
        wait(self.read_decisions())?;
        wait(self.read_agents())?;
        Ok(*self.system.get_or_init(|| number))
    }

    pub(super) fn connect(&self, member: &Member) -> Result<(), StoreError> {
        let reached = (member.connect)(self.begin()?)?;
        if let Some(identity) = reached.participant().identity() {
            wait(self.recognise(&member.name, &identity))?;
        }
        // Set already when two asked at the same time; they are the same.
        let _ = member.present.set(reached);
        Ok(())
    }

    async fn recognise(&self, name: &str, identity: &str) -> Result<(), StoreError> {
        let key = format!("store/{name}").into_bytes();
        let known = self
            .local
            .read(None, SYSTEM, &key, Match::Equal, Lock::None);
        match known.await? {
            Some(row) if row.record == identity.as_bytes() => Ok(()),
            Some(_) => Err(StoreError::Wrong(format!(
                "store {name} is not the database that earlier runs of this system used"
            ))),
            None => {
                let write = Write::new(SYSTEM, key, Change::Put(identity.as_bytes().to_vec()));
                self.local.write_now(None, vec![write], Wait::No).await
            }
        }
    }

    /// Decisions of earlier runs: participants are told when they have joined and can be reached.
    async fn read_decisions(&self) -> Result<(), StoreError> {
        let decided = rows(&*self.local, DECIDED).await?;
        let mut untold = lock(&self.untold);
        for row in decided {
            let Some(uow) = UowId::from_bytes(&row.key) else {
                continue;
            };
            for (name, told) in named(&row) {
                untold.insert((uow, name), told);
            }
        }
        Ok(())
    }

    /// The decision about one unit of work, as [`Inner::read_decisions`].
    pub(super) async fn read_decision(&self, uow: UowId) -> Result<(), StoreError> {
        let key = uow.to_bytes();
        let decided = self
            .local
            .read(None, DECIDED, &key, Match::Equal, Lock::None);
        if let Some(row) = decided.await? {
            let mut untold = lock(&self.untold);
            for (name, told) in named(&row) {
                untold.insert((uow, name), told);
            }
        }
        Ok(())
    }
}

/// Those whom a decision names.
fn named(row: &Row) -> Vec<(Arc<str>, Told)> {
    let told = Told {
        outcome: Outcome::Commit,
        since: SystemTime::now(),
    };
    let names = String::from_utf8_lossy(&row.record);
    names.split(',').map(|name| (name.into(), told)).collect()
}

/// The number of this system: chosen once, by chance.
async fn number(local: &dyn UowStore) -> Result<u64, StoreError> {
    let stored = local.read(None, SYSTEM, NUMBER, Match::Equal, Lock::None);
    let stored = stored
        .await?
        .and_then(|row| row.record.try_into().ok())
        .map(u64::from_be_bytes);
    if let Some(number) = stored {
        return Ok(number);
    }
    // 0 is the number of regions without a store of their own.
    let number = RandomState::new().build_hasher().finish().max(1);
    let put = Change::Put(number.to_be_bytes().to_vec());
    let write = Write::new(SYSTEM, NUMBER, put);
    local.write_now(None, vec![write], Wait::No).await?;
    Ok(number)
}

/// All records of a small table.
async fn rows(local: &dyn UowStore, table: &str) -> Result<Vec<Row>, StoreError> {
    let mut all: Vec<Row> = Vec::new();
    loop {
        let from = all
            .last()
            .map_or(Bound::Unbounded, |row| Bound::Excluded(row.key.clone()));
        let bound = from.as_ref().map(Vec::as_slice);
        let found = local.scan(None, table, bound, &[], Direction::Forward, 1_000);
        let found = found.await?;
        if found.is_empty() {
            return Ok(all);
        }
        all.extend(found);
    }
}
