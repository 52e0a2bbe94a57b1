//! Changes of units of work and their ends.

use super::locks::{length, must_be_active};
use super::{Figures, Inner, Phase, Unit, guard, sql};
use crate::postgres::session::Session;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio_postgres::types::Type;
use transom_recovery::{
    Change, InDoubt, Match, Outcome, StoreError, UowId, Wait, Write, fail_point,
};

impl Inner {
    /// Prepared transactions of this region come back; notes about ones that are over are deleted.
    pub(super) async fn recover(&self, session: &Session) -> Result<(), StoreError> {
        fail_point("pg-recover-begin")?;
        let mine = format!("transom:{}.", self.options.applid.as_str());
        let pattern = mine.as_str();
        let over = "DELETE FROM transom.prepared WHERE starts_with(gid, $1)
             AND gid NOT IN
             (SELECT gid FROM pg_prepared_xacts WHERE database = current_database())";
        self.pool.rows(over, &[(&pattern, Type::TEXT)]).await?;
        session
            .batch("DELETE FROM transom.retained r WHERE NOT EXISTS (SELECT 1 FROM transom.prepared p WHERE p.gid = r.gid)")
            .await?;
        let all = "SELECT gid, info, since FROM transom.prepared WHERE starts_with(gid, $1)";
        for row in self.pool.rows(all, &[(&pattern, Type::TEXT)]).await? {
            let (gid, info, since): (String, Vec<u8>, i64) = (row.get(0), row.get(1), row.get(2));
            let number = gid.strip_prefix(&mine);
            let number = number.and_then(|n| u64::from_str_radix(n, 16).ok());
            let Some(number) = number else { continue };
            let since = UNIX_EPOCH + Duration::from_millis(since.unsigned_abs());
            let unit = Unit {
                phase: Phase::Prepared {
                    info,
                    since,
                    retained: true,
                },
                ..Unit::default()
            };
            let uow = UowId::new(self.options.applid, number);
            guard(&self.units).insert(uow, Arc::new(Mutex::new(unit)));
        }
        fail_point("pg-recover-end")
    }

    pub(super) async fn stage(
        &self,
        uow: UowId,
        writes: Vec<Write>,
        wait: Wait,
    ) -> Result<(), StoreError> {
        self.check_sizes(&writes)?;
        fail_point("pg-stage")?;
        let mut taken = Vec::new();
        let staged = match self.lock_all(uow, &writes, wait, &mut taken).await {
            Ok(()) => self.stage_locked(uow, writes).await,
            Err(error) => Err(error),
        };
        if staged.is_err() {
            for (table, key) in taken {
                self.give_back(uow, &table, &key).await;
            }
        }
        staged
    }

    async fn stage_locked(&self, uow: UowId, writes: Vec<Write>) -> Result<(), StoreError> {
        for write in &writes {
            let needed = match &write.change {
                Change::Insert(_) => false,
                Change::Delete => true,
                // Also tells whether the table is there.
                Change::Put(_) | Change::Erase => {
                    self.find(Some(uow), &write.table, &write.key, Match::Equal)
                        .await?;
                    continue;
                }
            };
            let found = self
                .find(Some(uow), &write.table, &write.key, Match::Equal)
                .await?;
            match needed {
                false if found.is_some() => return Err(StoreError::Duplicate),
                true if found.is_none() => return Err(StoreError::NotFound),
                _ => {}
            }
        }
        let unit = self.unit_or_new(uow);
        let mut unit = guard(&unit);
        must_be_active(&unit)?;
        let size: usize = writes.iter().map(|w| w.key.len() + length(&w.change)).sum();
        let refused = unit.overlay.bytes + size > self.options.uow_bytes_max;
        self.count_overlay(unit.overlay.bytes + size, refused);
        if refused {
            return Err(StoreError::Limit("bytes of a unit of work"));
        }
        for write in writes {
            let record = match write.change {
                Change::Put(record) | Change::Insert(record) => Some(record),
                Change::Delete | Change::Erase => None,
            };
            unit.overlay.set(&write.table, &write.key, record);
        }
        Ok(())
    }

    pub(super) async fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> Result<(), StoreError> {
        self.check_sizes(&writes)?;
        let statement = sql::writes(&writes)?;
        let Some(owner) = owner else {
            let written = self.pool.session().await?.batch(&statement).await;
            return written.inspect(|()| Figures::add(&self.figures.writes_now));
        };
        let mut taken = Vec::new();
        let written = match self.lock_all(owner, &writes, wait, &mut taken).await {
            Ok(()) => {
                let session = self.session_of(&self.unit_or_new(owner)).await?;
                session.batch(&statement).await
            }
            Err(error) => Err(error),
        };
        for (table, key) in taken {
            self.give_back(owner, &table, &key).await;
        }
        written.inspect(|()| Figures::add(&self.figures.writes_now))
    }

    pub(super) async fn prepare(&self, uow: UowId, info: Vec<u8>) -> Result<(), StoreError> {
        if !self.two_phase {
            return Err(StoreError::Unsupported(
                "prepare: max_prepared_transactions of the server is 0",
            ));
        }
        fail_point("pg-prepare-begin")?;
        let unit = self.unit_or_new(uow);
        let session = self.session_of(&unit).await?;
        let gid = sql::text(&sql::gid(uow));
        let since = SystemTime::now();
        let (notes, work) = {
            let mut unit = guard(&unit);
            must_be_active(&unit)?;
            let end = format!("PREPARE TRANSACTION {gid}");
            let work = sql::changes(&unit.overlay, &end)?;
            unit.phase = Phase::Ending;
            (prepared_notes(&gid, &info, since, &unit), work)
        };
        let prepared = match session.batch(&notes).await {
            Ok(()) => match fail_point("pg-notes-durable") {
                Ok(()) => session.batch(&work).await,
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        if prepared.is_err() {
            // Notes that stay are deleted when the region opens the store again.
            let _ = session.batch(&forget_notes(&gid)).await;
        } else {
            Figures::add(&self.figures.prepares);
        }
        guard(&unit).phase = match &prepared {
            Ok(()) => Phase::Prepared {
                info,
                since,
                retained: false,
            },
            Err(_) => Phase::Active,
        };
        fail_point("pg-prepared").and(prepared)
    }

    pub(super) async fn end(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        self.settled().await;
        let Some(unit) = self.unit(uow) else {
            return Ok(());
        };
        let (before, work, changed) = {
            let mut unit = guard(&unit);
            if unit.phase == Phase::Ending {
                return Err(StoreError::Prepared);
            }
            let changed = !unit.overlay.is_empty();
            let work = match outcome {
                Outcome::Commit if changed => Some(sql::changes(&unit.overlay, "COMMIT")?),
                _ => None,
            };
            let before = std::mem::replace(&mut unit.phase, Phase::Ending);
            (before, work, changed)
        };
        let ended = match (&before, work) {
            (Phase::Prepared { .. }, _) => self.end_prepared(&unit, uow, outcome).await,
            (_, Some(work)) => match self.session_of(&unit).await {
                Ok(session) => one_phase(&session, &work).await,
                Err(error) => Err(error),
            },
            _ => Ok(()),
        };
        if ended.is_err() {
            guard(&unit).phase = before;
            return ended;
        }
        match outcome {
            Outcome::Commit if changed => Figures::add(&self.figures.commits),
            Outcome::Backout if changed => Figures::add(&self.figures.backouts),
            _ => {}
        }
        self.forget(uow).await;
        Ok(())
    }

    async fn end_prepared(
        &self,
        unit: &Arc<Mutex<Unit>>,
        uow: UowId,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let session = self.session_of(unit).await?;
        let gid = sql::text(&sql::gid(uow));
        let verb = match outcome {
            Outcome::Commit => "COMMIT",
            Outcome::Backout => "ROLLBACK",
        };
        fail_point("pg-end-prepared")?;
        session.batch(&format!("{verb} PREPARED {gid}")).await?;
        fail_point("pg-outcome-durable")?;
        session.batch(&forget_notes(&gid)).await
    }

    pub(super) async fn resolve(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        let unit = self.unit(uow);
        if !unit.is_some_and(|u| matches!(guard(&u).phase, Phase::Prepared { .. })) {
            return Err(StoreError::NotFound);
        }
        self.end(uow, outcome).await
    }

    pub(super) async fn retain(&self, uow: UowId) {
        let Some(unit) = self.unit(uow) else { return };
        let session = {
            let mut unit = guard(&unit);
            let Phase::Prepared { retained, .. } = &mut unit.phase else {
                return;
            };
            *retained = true;
            unit.held.clear();
            unit.session.take()
        };
        if let Some(session) = session {
            // The notes refuse from now on whoever gets a lock.
            session.unlock_all().await;
        }
    }

    pub(super) async fn release(&self, uow: UowId) {
        let Some(unit) = self.unit(uow) else { return };
        let phase = guard(&unit).phase.clone();
        match phase {
            Phase::Ending => {}
            Phase::Prepared { .. } => self.retain(uow).await,
            Phase::Active => {
                let session = {
                    let mut unit = guard(&unit);
                    unit.released = true;
                    unit.session.clone()
                };
                // Another statement of it may wait for a lock.
                if let Some(session) = session.filter(|s| Arc::strong_count(s) > 2) {
                    session.cancel().await;
                }
                if !guard(&unit).overlay.is_empty() {
                    Figures::add(&self.figures.backouts);
                }
                self.forget(uow).await;
            }
        }
    }

    pub(super) fn in_doubt(&self) -> Vec<InDoubt> {
        let units: Vec<_> = guard(&self.units)
            .iter()
            .map(|(uow, unit)| (*uow, unit.clone()))
            .collect();
        let mut found: Vec<InDoubt> = units
            .into_iter()
            .filter_map(|(uow, unit)| match &guard(&unit).phase {
                Phase::Prepared {
                    info,
                    since,
                    retained,
                } => Some(InDoubt {
                    uow,
                    info: info.clone(),
                    since: *since,
                    retained: *retained,
                }),
                _ => None,
            })
            .collect();
        found.sort_by_key(|d| d.uow);
        found
    }

    /// The unit is over; its session goes back without locks.
    async fn forget(&self, uow: UowId) {
        let unit = guard(&self.units).remove(&uow);
        let session = unit.and_then(|u| guard(&u).session.take());
        if let Some(session) = session {
            session.unlock_all().await;
        }
    }
}

async fn one_phase(session: &Session, work: &str) -> Result<(), StoreError> {
    fail_point("pg-commit-before")?;
    session.batch(work).await?;
    fail_point("pg-commit-after")
}

fn prepared_notes(gid: &str, info: &[u8], since: SystemTime, unit: &Unit) -> String {
    let since = since
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default()
        .as_millis();
    let info = sql::bytes(info);
    let mut notes = format!(
        "BEGIN; INSERT INTO transom.prepared (gid, info, since) VALUES ({gid}, {info}, {since});\n"
    );
    for lock in &unit.held {
        notes.push_str(&format!(
            "INSERT INTO transom.retained (lock, gid) VALUES ({lock}, {gid});\n"
        ));
    }
    notes.push_str("COMMIT");
    notes
}

fn forget_notes(gid: &str) -> String {
    format!(
        "BEGIN; DELETE FROM transom.retained WHERE gid = {gid}; DELETE FROM transom.prepared WHERE gid = {gid}; COMMIT"
    )
}
