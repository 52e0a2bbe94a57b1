//! Reading for update and changing records inside and outside of units of work.

use super::{GONE, Inner};
use crate::engine::{Action, Batch, Engine, EngineWrite, Scan};
use crate::guard::lock;
use crate::unit::{Phase, Unit};
use crate::{Change, Counters, Match, Row, StoreError, UowId, Wait, Write, fail_point, merge};
use std::sync::Arc;

impl<E: Engine> Inner<E> {
    pub(super) fn find(
        &self,
        uow: Option<UowId>,
        table: &str,
        key: &[u8],
        select: Match,
    ) -> Result<Option<Row>, StoreError> {
        self.with_own(uow, |own| {
            merge::find(&*self.engine, own.map(|u| &u.overlay), table, key, select)
        })
    }

    pub(super) fn rows(
        &self,
        uow: Option<UowId>,
        table: &str,
        scan: Scan<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        self.with_own(uow, |own| {
            merge::rows(&*self.engine, own.map(|u| &u.overlay), table, scan)
        })
    }

    fn with_own<T>(&self, uow: Option<UowId>, read: impl FnOnce(Option<&Unit>) -> T) -> T {
        match uow.and_then(|uow| self.unit(uow)) {
            Some(unit) => read(Some(&lock(&unit))),
            None => read(None),
        }
    }

    pub(super) async fn find_for_update(
        &self,
        uow: UowId,
        table: &str,
        key: &[u8],
        select: Match,
        wait: Wait,
    ) -> Result<Option<Row>, StoreError> {
        self.must_be_active(uow)?;
        loop {
            let candidate = match select {
                Match::Equal => key.to_vec(),
                _ => match self.find(Some(uow), table, key, select)? {
                    Some(row) => row.key,
                    None => return Ok(None),
                },
            };
            let new = self.lock(uow, table, &candidate, wait).await?;
            let found = self.find(Some(uow), table, &candidate, Match::Equal);
            if new && !matches!(found, Ok(Some(_))) {
                self.locks.release(uow, table, &candidate);
            }
            match found? {
                // Deleted while we waited: the next one is the first now.
                None if select != Match::Equal => {}
                found => return Ok(found),
            }
        }
    }

    pub(super) async fn stage(
        &self,
        uow: UowId,
        writes: Vec<Write>,
        wait: Wait,
    ) -> Result<(), StoreError> {
        for write in &writes {
            self.check_lengths(write)?;
        }
        self.must_be_active(uow)?;
        fail_point("stage-before")?;
        let mut taken = Vec::new();
        let staged = match self.lock_all(uow, &writes, wait, &mut taken).await {
            Ok(()) => fail_point("stage-locked").and_then(|()| self.stage_locked(uow, writes)),
            Err(error) => Err(error),
        };
        if staged.is_err() {
            for (table, key) in taken {
                self.locks.release(uow, &table, &key);
            }
        }
        staged
    }

    /// Checks everything, then changes everything.
    fn stage_locked(&self, uow: UowId, writes: Vec<Write>) -> Result<(), StoreError> {
        let unit = self.unit_or_new(uow);
        let mut unit = lock(&unit);
        if unit.phase != Phase::Active {
            return Err(StoreError::Prepared);
        }
        let mut size = 0;
        for write in &writes {
            let own = unit.overlay.get(&write.table, &write.key);
            match own.map(Option::is_some) {
                Some(exists) => write.change.check(exists)?,
                // What can be made either way needs no look at the record.
                None if write.change.is_unconditional() => self.engine.has(&write.table)?,
                None => {
                    let found = self.engine.get(&write.table, &write.key)?;
                    write.change.check(found.is_some())?;
                }
            }
            size += write.key.len() + write.change.length();
        }
        let most = self.settings.uow_bytes_max;
        self.counters.must_fit(unit.overlay.bytes + size, most)?;
        for write in writes {
            let record = write.change.into_record();
            unit.overlay.set(&write.table, &write.key, record);
        }
        self.counters.holds(unit.overlay.bytes);
        fail_point("stage-after")
    }

    pub(super) async fn write_now(
        self: &Arc<Self>,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> Result<(), StoreError> {
        for write in &writes {
            self.check_lengths(write)?;
        }
        let mut taken = Vec::new();
        let locked = match owner {
            Some(owner) => self.lock_all(owner, &writes, wait, &mut taken).await,
            None => Ok(()),
        };
        let written = match locked {
            Ok(()) => {
                let batch = Batch {
                    writes: writes.into_iter().map(engine_write).collect(),
                };
                let answer = self.write(batch, |inner, result| {
                    fail_point("write-now-durable")?;
                    if result.is_ok() {
                        Counters::one(&inner.counters.writes_now);
                    }
                    result
                });
                answer.await.unwrap_or(Err(GONE))
            }
            Err(error) => Err(error),
        };
        for (table, key) in taken {
            owner.inspect(|o| self.locks.release(*o, &table, &key));
        }
        written
    }

    async fn lock_all(
        &self,
        owner: UowId,
        writes: &[Write],
        wait: Wait,
        taken: &mut Vec<(String, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        for write in writes {
            if self.lock(owner, &write.table, &write.key, wait).await? {
                taken.push((write.table.clone(), write.key.clone()));
            }
        }
        Ok(())
    }

    /// Bytes that can still be staged; none in a unit whose end is under way.
    pub(super) fn room(&self, uow: UowId) -> usize {
        let used = self.unit(uow).map_or(Some(0), |unit| {
            let unit = lock(&unit);
            (unit.phase == Phase::Active).then_some(unit.overlay.bytes)
        });
        used.map_or(0, |used| self.settings.uow_bytes_max.saturating_sub(used))
    }

    pub(super) fn must_be_active(&self, uow: UowId) -> Result<(), StoreError> {
        match self.unit(uow) {
            Some(unit) if lock(&unit).phase != Phase::Active => Err(StoreError::Prepared),
            _ => Ok(()),
        }
    }

    fn check_lengths(&self, write: &Write) -> Result<(), StoreError> {
        let caps = self.engine.caps();
        write.check_lengths(caps.key_max, caps.record_max)
    }
}

fn engine_write(write: Write) -> EngineWrite {
    EngineWrite {
        table: write.table.into(),
        key: write.key,
        action: match write.change {
            Change::Put(record) => Action::Put(record),
            Change::Insert(record) => Action::Insert(record),
            Change::Delete => Action::Delete,
            Change::Erase => Action::Erase,
        },
    }
}
