//! Locks and reads of units of work.

use super::{Inner, Unit, sql};
use crate::postgres::session::Session;
use std::ops::Bound;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio_postgres::types::{ToSql, Type};
use transom_recovery::guard::lock;
use transom_recovery::{
    Direction, Match, Overlay, Phase, Row, SCAN_BYTES_MAX, Scan, StoreError, UowId, Wait, Write,
    merge_rows, scan_range,
};

/// Longest key and record.
pub(super) const KEY_MAX: usize = 600;
pub(super) const RECORD_MAX: usize = 32 << 20;

impl Inner {
    /// True if the lock was not held before.
    pub(super) async fn lock(
        &self,
        uow: UowId,
        table: &str,
        key: &[u8],
        wait: Wait,
    ) -> Result<bool, StoreError> {
        self.settled().await;
        let unit = self.unit_or_new(uow);
        let hash = sql::lock_hash(table, key);
        must_be_active(&lock(&unit))?;
        if lock(&unit).held.contains(&hash) {
            return Ok(false);
        }
        let session = match wait {
            // There may be too many sessions for a while.
            Wait::Until(at) => tokio::time::timeout_at(at.into(), self.session_of(&unit))
                .await
                .unwrap_or(Err(StoreError::Timeout))?,
            Wait::No | Wait::Forever => self.session_of(&unit).await?,
        };
        let statement = match wait {
            Wait::No => sql::lock(hash, None),
            Wait::Forever => sql::lock(hash, Some(0)),
            Wait::Until(at) => {
                let left = at.saturating_duration_since(Instant::now()).as_micros();
                // Never before the deadline; 0 would be "without end".
                sql::lock(hash, Some(left.div_ceil(1_000).max(1)))
            }
        };
        let begun = Instant::now();
        let taken = session.batch(&statement).await;
        self.count(&taken, begun);
        taken?;
        let mut unit = lock(&unit);
        if unit.released {
            return Err(StoreError::Released);
        }
        unit.held.insert(hash);
        Ok(true)
    }

    /// Gives a lock back now.
    pub(super) async fn give_back(&self, uow: UowId, table: &str, key: &[u8]) {
        let hash = sql::lock_hash(table, key);
        let Some(unit) = self.unit(uow) else { return };
        let session = {
            let mut unit = lock(&unit);
            if !unit.held.remove(&hash) {
                return;
            }
            unit.session.clone()
        };
        if let Some(session) = session {
            // A session that is gone holds nothing.
            let _ = session
                .batch(&format!("SELECT pg_advisory_unlock({hash})"))
                .await;
        }
    }

    pub(super) async fn session_of(
        &self,
        unit: &Arc<Mutex<Unit>>,
    ) -> Result<Arc<Session>, StoreError> {
        if let Some(session) = &lock(unit).session {
            return Ok(session.clone());
        }
        let session = Arc::new(self.pool.session().await?);
        let mut unit = lock(unit);
        Ok(unit.session.get_or_insert(session).clone())
    }

    pub(super) async fn find(
        &self,
        uow: Option<UowId>,
        table: &str,
        key: &[u8],
        select: Match,
    ) -> Result<Option<Row>, StoreError> {
        let (from, prefix) = match select {
            Match::Equal => {
                let own = uow.and_then(|u| self.unit(u));
                let own = own.and_then(|u| lock(&u).overlay.get(table, key).cloned());
                if let Some(record) = own {
                    return Ok(record.map(|record| row(key, record)));
                }
                return self.committed(table, key).await;
            }
            Match::GreaterOrEqual => (Bound::Included(key), [].as_slice()),
            Match::Greater => (Bound::Excluded(key), [].as_slice()),
            Match::Generic => (Bound::Included(key), key),
        };
        let scan = Scan {
            from,
            prefix,
            direction: Direction::Forward,
            limit: 1,
            bytes_max: usize::MAX,
        };
        Ok(self.rows(uow, table, scan).await?.pop())
    }

    async fn committed(&self, table: &str, key: &[u8]) -> Result<Option<Row>, StoreError> {
        let statement = format!("SELECT v FROM {} WHERE k = $1", sql::table(table)?);
        let rows = self.pool.rows(&statement, &[(&key, Type::BYTEA)]).await?;
        Ok(rows.first().map(|r| row(key, r.get(0))))
    }

    pub(super) async fn rows(
        &self,
        uow: Option<UowId>,
        table: &str,
        scan: Scan<'_>,
    ) -> Result<Vec<Row>, StoreError> {
        let Some((low, high)) = scan_range(&scan) else {
            return Ok(Vec::new());
        };
        let own = uow.and_then(|u| self.unit(u));
        let hidden = |o: &Overlay| o.tables.get(table).map_or(0, |c| c.len());
        // So many of the server's records may be hidden by own changes.
        let hidden = own.as_ref().map_or(0, |u| hidden(&lock(u).overlay));
        let wanted = scan.limit.saturating_add(hidden).min(1 << 20);
        let statement = sql::range(table, &low, &high, scan.direction, wanted)?;
        let bounds: Vec<&Vec<u8>> = [&low, &high].into_iter().filter_map(inside).collect();
        let parameters: Vec<(&(dyn ToSql + Sync), Type)> = bounds
            .iter()
            .map(|b| (*b as &(dyn ToSql + Sync), Type::BYTEA))
            .collect();
        let found = self.pool.rows(&statement, &parameters).await?;
        let mut ended = found.len() < wanted;
        let (mut rows, mut bytes) = (Vec::new(), 0);
        for found in found {
            let next = Row {
                key: found.get(0),
                record: found.get(1),
            };
            bytes += next.key.len() + next.record.len();
            if bytes > scan.bytes_max.max(SCAN_BYTES_MAX) && !rows.is_empty() {
                ended = false;
                break;
            }
            rows.push(next);
        }
        Ok(match own {
            Some(unit) => merge_rows(&lock(&unit).overlay, table, rows, ended, &scan),
            None => rows,
        })
    }

    pub(super) async fn find_for_update(
        &self,
        uow: UowId,
        table: &str,
        key: &[u8],
        select: Match,
        wait: Wait,
    ) -> Result<Option<Row>, StoreError> {
        loop {
            let candidate = match select {
                Match::Equal => key.to_vec(),
                _ => match self.find(Some(uow), table, key, select).await? {
                    Some(row) => row.key,
                    None => return Ok(None),
                },
            };
            let new = self.lock(uow, table, &candidate, wait).await?;
            let found = self.find(Some(uow), table, &candidate, Match::Equal).await;
            if new && !matches!(found, Ok(Some(_))) {
                self.give_back(uow, table, &candidate).await;
            }
            match found? {
                None if select != Match::Equal => {}
                found => return Ok(found),
            }
        }
    }

    /// Locks all keys; those that were not held before are in `taken` in any case.
    pub(super) async fn lock_all(
        &self,
        uow: UowId,
        writes: &[Write],
        wait: Wait,
        taken: &mut Vec<(String, Vec<u8>)>,
    ) -> Result<(), StoreError> {
        for write in writes {
            if self.lock(uow, &write.table, &write.key, wait).await? {
                taken.push((write.table.clone(), write.key.clone()));
            }
        }
        Ok(())
    }

    fn count(&self, taken: &Result<(), StoreError>, begun: Instant) {
        let counter = match taken {
            Err(StoreError::Timeout) => &self.figures.timeouts,
            Err(StoreError::Deadlock) => &self.figures.deadlocks,
            Err(StoreError::Locked) => &self.figures.retained,
            // The server does not say whether it waited; a round trip takes less.
            _ if begun.elapsed().as_millis() >= 10 => &self.figures.waits,
            _ => return,
        };
        counter.fetch_add(1, Relaxed);
    }

    pub(super) fn check_lengths(&self, writes: &[Write]) -> Result<(), StoreError> {
        let mut writes = writes.iter();
        writes.try_for_each(|write| write.check_lengths(KEY_MAX, RECORD_MAX))
    }
}

pub(super) fn must_be_active(unit: &Unit) -> Result<(), StoreError> {
    if unit.released {
        return Err(StoreError::Released);
    }
    if unit.phase != Phase::Active {
        return Err(StoreError::Prepared);
    }
    Ok(())
}

fn row(key: &[u8], record: Vec<u8>) -> Row {
    Row {
        key: key.to_vec(),
        record,
    }
}

fn inside(bound: &Bound<Vec<u8>>) -> Option<&Vec<u8>> {
    match bound {
        Bound::Included(key) | Bound::Excluded(key) => Some(key),
        Bound::Unbounded => None,
    }
}
