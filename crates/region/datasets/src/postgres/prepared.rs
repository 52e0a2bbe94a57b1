//! Units of work between PREPARE TRANSACTION and their end.
//!
//! Notes about them are written before they are prepared, so that their locks are known to all
//! regions; the prepared transaction itself writes a row of `transom.ended`, which tells later that
//! it was committed.

use super::locks::must_be_active;
use super::{Inner, Unit, sql};
use crate::postgres::session::Session;
use std::sync::{Arc, Mutex};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use tokio_postgres::types::Type;
use transom_recovery::guard::lock;
use transom_recovery::{
    Counters, InDoubt, Outcome, Phase, StoreError, UowId, fail_point, in_doubt,
};

impl Inner {
    /// Prepared transactions of this region come back. Sessions of earlier runs have ended by now,
    /// so what is not prepared will not be; notes about that, and about what is over, are deleted.
    pub(super) async fn recover(&self, session: &Session) -> Result<(), StoreError> {
        fail_point("pg-recover-begin")?;
        let pattern = self.gids.as_str();
        let owner = sql::text(pattern);
        if !self.options.utility {
            session
                .batch(&format!(
                    "DELETE FROM transom.outcomes WHERE owner = {owner}"
                ))
                .await?;
        }
        let all = "SELECT p.gid, info, since, x.gid IS NOT NULL, e.gid IS NOT NULL
             FROM transom.prepared p
             LEFT JOIN pg_prepared_xacts x ON x.gid = p.gid AND x.database = current_database()
             LEFT JOIN transom.ended e ON e.gid = p.gid
             WHERE starts_with(p.gid, $1)";
        for row in self.pool.rows(all, &[(&pattern, Type::TEXT)]).await? {
            let (gid, info, since): (String, Vec<u8>, i64) = (row.get(0), row.get(1), row.get(2));
            let (prepared, ended): (bool, bool) = (row.get(3), row.get(4));
            let number = gid.strip_prefix(pattern);
            let number = number.and_then(|n| u64::from_str_radix(n, 16).ok());
            let Some(number) = number else { continue };
            let uow = UowId::new(self.options.applid, number);
            if !prepared {
                if self.options.utility {
                    continue;
                }
                session.batch(&forget_notes(&sql::text(&gid))).await?;
                if !ended {
                    lock(&self.lost).insert(uow);
                }
                continue;
            }
            let since = UNIX_EPOCH + Duration::from_millis(since.unsigned_abs());
            let unit = Unit {
                phase: Phase::Prepared {
                    info,
                    since,
                    retained: true,
                },
                ..Unit::default()
            };
            lock(&self.units).insert(uow, Arc::new(Mutex::new(unit)));
        }
        fail_point("pg-recover-end")
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
        let gid = self.gid(uow);
        let since = SystemTime::now();
        let (notes, work) = {
            let mut unit = lock(&unit);
            must_be_active(&unit)?;
            let end = format!(
                "INSERT INTO transom.ended (gid) VALUES ({gid});\nPREPARE TRANSACTION {gid}"
            );
            let work = sql::changes(&unit.overlay, &end)?;
            unit.phase = Phase::Ending;
            (prepared_notes(&gid, &info, since, &unit), work)
        };
        let uncertain = Phase::Prepared {
            info: info.clone(),
            since,
            retained: true,
        };
        let mut back = Back(&unit, Some(uncertain));
        let prepared = match session.batch(&notes).await {
            Ok(()) => match fail_point("pg-notes-durable") {
                Ok(()) => session.batch(&work).await,
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        back.1 = None;
        let known = !matches!(prepared, Err(StoreError::Unavailable(_)));
        match &prepared {
            Ok(()) => Counters::one(&self.counters.prepares),
            Err(_) if known => {
                // Notes that stay are deleted when the region opens the store again.
                let _ = session.batch(&forget_notes(&gid)).await;
            }
            Err(_) => {}
        }
        lock(&unit).phase = match &prepared {
            Err(_) if known => Phase::Active,
            // The connection was lost on the way: it may be prepared, and can only be ended as if
            // it were.
            _ => Phase::Prepared {
                info,
                since,
                retained: !known,
            },
        };
        fail_point("pg-prepared").and(prepared)
    }

    pub(super) async fn end_prepared(
        &self,
        unit: &Arc<Mutex<Unit>>,
        uow: UowId,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        let session = self.living_session(unit).await?;
        let gid = self.gid(uow);
        let verb = match outcome {
            Outcome::Commit => "COMMIT",
            Outcome::Backout => "ROLLBACK",
        };
        fail_point("pg-end-prepared")?;
        let ended = session.batch(&format!("{verb} PREPARED {gid}")).await;
        let as_told = match ended {
            Ok(()) => true,
            // It is over. The row it wrote itself tells how.
            Err(StoreError::NotFound) => {
                let look = format!("SELECT 1 FROM transom.ended WHERE gid = {gid}");
                let committed = session.text(&look).await?.is_some();
                committed == (outcome == Outcome::Commit)
            }
            Err(error) => return Err(error),
        };
        fail_point("pg-outcome-durable")?;
        session.batch(&forget_notes(&gid)).await?;
        match as_told {
            true => Ok(()),
            false => Err(other_hand()),
        }
    }

    /// The session of a unit of work; a new one when it died, after everything it was doing has
    /// ended.
    async fn living_session(&self, unit: &Arc<Mutex<Unit>>) -> Result<Arc<Session>, StoreError> {
        let session = self.session_of(unit).await?;
        if !session.is_closed() {
            return Ok(session);
        }
        // Beside the limit: each of those that died has its place still, and all may have died
        // together.
        let asker = self.pool.asker().await?;
        let dead = &session.live()?.backend;
        dead.bury(&asker.live()?.client).await?;
        let asker = Arc::new(asker);
        let mut unit = lock(unit);
        unit.held.clear();
        unit.session = Some(asker.clone());
        Ok(asker)
    }

    pub(super) async fn resolve(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        let unit = self.unit(uow);
        let phase = unit.map(|u| lock(&u).phase.clone());
        if phase == Some(Phase::Ending) {
            // Its end is under way and may fail yet.
            return Err(StoreError::Prepared);
        }
        if !matches!(phase, Some(Phase::Prepared { .. })) {
            return match (lock(&self.lost).remove(&uow), outcome) {
                // It had been prepared, or it would not have been decided.
                (true, Outcome::Commit) => Err(other_hand()),
                _ => Err(StoreError::NotFound),
            };
        }
        self.end(uow, outcome).await
    }

    pub(super) async fn retain(&self, uow: UowId) {
        let Some(unit) = self.unit(uow) else { return };
        let session = {
            let mut unit = lock(&unit);
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

    pub(super) fn in_doubt(&self) -> Vec<InDoubt> {
        let units: Vec<_> = lock(&self.units)
            .iter()
            .map(|(uow, unit)| (*uow, unit.clone()))
            .collect();
        // Unit by unit: each has a lock of its own.
        let phases = units
            .iter()
            .map(|(uow, unit)| (*uow, lock(unit).phase.clone()));
        in_doubt(phases)
    }
}

/// Gives a unit of work its phase back when what was to end it was dropped half-way.
pub(super) struct Back<'u>(pub(super) &'u Arc<Mutex<Unit>>, pub(super) Option<Phase>);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.1.take() {
            lock(self.0).phase = before;
        }
    }
}

fn other_hand() -> StoreError {
    StoreError::Unknown("its prepared transaction was ended by another hand".to_owned())
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
    for held in &unit.held {
        notes.push_str(&format!(
            "INSERT INTO transom.retained (lock, gid) VALUES ({held}, {gid});\n"
        ));
    }
    notes.push_str("COMMIT");
    notes
}

fn forget_notes(gid: &str) -> String {
    format!(
        "BEGIN; DELETE FROM transom.retained WHERE gid = {gid}; DELETE FROM transom.ended WHERE gid = {gid}; DELETE FROM transom.prepared WHERE gid = {gid}; COMMIT"
    )
}
