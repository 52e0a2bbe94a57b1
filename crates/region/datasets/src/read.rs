//! Reading one record, with or without a lock.

use crate::dataset::{Dataset, Index};
use crate::keys::ROOM;
use crate::{Access, Condition};
use std::ops::Bound;
use transom_recovery::{Direction, Lock, Match, UowId};
use transom_types::{Find, Found, Position};

/// How often a read through an index begins again because others change the record.
const RETRIES_MAX: usize = 1_000;

impl Dataset {
    /// A record as last committed, or as the unit of work changed it.
    pub async fn read(
        &self,
        uow: Option<UowId>,
        key: &[u8],
        find: Find,
    ) -> Result<Found, Condition> {
        self.get(uow, key, find, Lock::None).await
    }

    /// A record, locked. A recoverable dataset keeps the lock until the unit of work ends if the
    /// record is changed.
    pub async fn read_for_update(
        &self,
        access: Access,
        key: &[u8],
        find: Find,
    ) -> Result<Found, Condition> {
        self.check_change()?;
        let lock = Lock::Update(access.wait);
        self.get(Some(access.uow), key, find, lock).await
    }

    /// The record at a position, locked; none when it has gone, or has another alternate key now.
    pub async fn read_at(
        &self,
        access: Access,
        position: &Position,
    ) -> Result<Option<Vec<u8>>, Condition> {
        self.check_change()?;
        let lock = Lock::Update(access.wait);
        if let Some(index) = &self.parts.through {
            return self
                .record_of(index, Some(access.uow), position, lock)
                .await;
        }
        let (table, mut room) = (&self.parts.table, [0; ROOM]);
        let key = self.order().stored(&position.base, &mut room);
        let row = self
            .store
            .read(Some(access.uow), table, key, Match::Equal, lock);
        Ok(row.await?.map(|row| row.record))
    }

    /// Gives back the lock of an unchanged record.
    pub fn unlock(&self, uow: UowId, position: &Position) {
        let mut room = [0; ROOM];
        let key = self.order().stored(&position.base, &mut room);
        self.store.unlock(uow, &self.parts.table, key);
    }

    /// Number of committed records. Reads all keys.
    pub async fn count(&self) -> Result<u64, Condition> {
        Ok(self.store.count(&self.parts.table).await?)
    }

    async fn get(
        &self,
        uow: Option<UowId>,
        key: &[u8],
        find: Find,
        lock: Lock,
    ) -> Result<Found, Condition> {
        self.check_key(key, find)?;
        match &self.parts.through {
            Some(index) => self.get_through(index, uow, key, find, lock).await,
            None => {
                let (table, mut room) = (&self.parts.table, [0; ROOM]);
                let key = self.order().stored(key, &mut room);
                let row = self
                    .store
                    .read(uow, table, key, as_match(find), lock)
                    .await?;
                let row = row.ok_or(Condition::NotFound)?;
                let key = self.order().shown(&row.key, &mut room);
                Ok(Found {
                    position: Position::of_base(key),
                    record: row.record,
                    duplicate: false,
                })
            }
        }
    }

    /// Entry first, then the record; begins again when the record is no longer what the entry says.
    async fn get_through(
        &self,
        index: &Index,
        uow: Option<UowId>,
        key: &[u8],
        find: Find,
        lock: Lock,
    ) -> Result<Found, Condition> {
        for _ in 0..RETRIES_MAX {
            let (position, duplicate) = self.entry(index, uow, key, find).await?;
            let found = self.record_of(index, uow, &position, lock).await?;
            if let Some(record) = found {
                return Ok(Found {
                    position,
                    record,
                    duplicate,
                });
            }
        }
        Err(Condition::Damaged(format!(
            "alternate index {} does not agree with {}",
            index.definition.name, index.definition.base
        )))
    }

    /// First entry for a key, and whether another one with the same alternate key follows.
    async fn entry(
        &self,
        index: &Index,
        uow: Option<UowId>,
        key: &[u8],
        find: Find,
    ) -> Result<(Position, bool), Condition> {
        let mut room = [0; ROOM];
        let key = index.order().stored(key, &mut room);
        let prefix = if find == Find::GreaterOrEqual {
            &[]
        } else {
            key
        };
        let from = Bound::Included(key);
        let rows = self
            .store
            .scan(uow, &index.table, from, prefix, Direction::Forward, 2);
        let rows = rows.await?;
        let mut positions = rows.iter().map(|r| index.position(&r.key, &r.record));
        let Some(first) = positions.next() else {
            return Err(Condition::NotFound);
        };
        let first = first.ok_or_else(|| damaged_entry(index))?;
        let duplicate = positions.flatten().any(|p| p.key == first.key);
        Ok((first, duplicate))
    }

    /// The base record of an entry, if it still has the alternate key.
    pub(crate) async fn record_of(
        &self,
        index: &Index,
        uow: Option<UowId>,
        position: &Position,
        lock: Lock,
    ) -> Result<Option<Vec<u8>>, Condition> {
        let (table, mut room) = (&self.parts.table, [0; ROOM]);
        let key = self.order().stored(&position.base, &mut room);
        let row = self.store.read(uow, table, key, Match::Equal, lock).await?;
        let Some(row) = row else {
            return Ok(None);
        };
        if index.definition.key_of(&row.record) == Some(&position.key) {
            return Ok(Some(row.record));
        }
        if let (Lock::Update(_), Some(uow)) = (lock, uow) {
            self.store.unlock(uow, table, key);
        }
        Ok(None)
    }
}

pub(crate) fn damaged_entry(index: &Index) -> Condition {
    Condition::Damaged(format!("an entry of {} is damaged", index.definition.name))
}

fn as_match(find: Find) -> Match {
    match find {
        Find::Equal => Match::Equal,
        Find::GreaterOrEqual => Match::GreaterOrEqual,
        Find::Generic => Match::Generic,
    }
}
