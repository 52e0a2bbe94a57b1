//! Changes of units of work and their ends.

use super::locks::{length, must_be_active};
use super::{Figures, Inner, Phase, Unit, guard, sql};
use crate::postgres::session::Session;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};
use tokio_postgres::types::Type;
use transom_recovery::{
    Change, InDoubt, Match, Outcome, Part, StoreError, UowId, Wait, Write, fail_point,
};

/// How long a server that went away during a COMMIT is asked what became of it.
const OUTCOME_MAX: Duration = Duration::from_secs(30);

impl Inner {
    /// Prepared transactions of this region come back. Sessions of earlier runs have ended by now, so what is not
    /// prepared will not be; notes about that, and about what is over, are deleted.
    pub(super) async fn recover(&self, session: &Session) -> Result<(), StoreError> {
        fail_point("pg-recover-begin")?;
        let pattern = self.gids.as_str();
        let owner = sql::text(pattern);
        session
            .batch(&format!(
                "DELETE FROM transom.outcomes WHERE owner = {owner}"
            ))
            .await?;
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
                session.batch(&forget_notes(&sql::text(&gid))).await?;
                if !ended {
                    guard(&self.lost).insert(uow);
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
            let session = self.pool.session().await?;
            let written = self.commit_on(&session, &statement).await;
            return written.inspect(|()| Figures::add(&self.figures.writes_now));
        };
        let mut taken = Vec::new();
        let written = match self.lock_all(owner, &writes, wait, &mut taken).await {
            Ok(()) => {
                let session = self.session_of(&self.unit_or_new(owner)).await?;
                self.commit_on(&session, &statement).await
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
        let gid = self.gid(uow);
        let since = SystemTime::now();
        let (notes, work) = {
            let mut unit = guard(&unit);
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
            Ok(()) => Figures::add(&self.figures.prepares),
            Err(_) if known => {
                // Notes that stay are deleted when the region opens the store again.
                let _ = session.batch(&forget_notes(&gid)).await;
            }
            Err(_) => {}
        }
        guard(&unit).phase = match &prepared {
            Err(_) if known => Phase::Active,
            // The connection was lost on the way: it may be prepared, and can only be ended as if it were.
            _ => Phase::Prepared {
                info,
                since,
                retained: !known,
            },
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
                Outcome::Commit if changed => Some(sql::changes(&unit.overlay, "")?),
                _ => None,
            };
            let before = std::mem::replace(&mut unit.phase, Phase::Ending);
            (before, work, changed)
        };
        // A panic must not leave it half-way for ever.
        let mut back = Back(&unit, Some(before.clone()));
        let ended = match (&before, work) {
            (Phase::Prepared { .. }, _) => self.end_prepared(&unit, uow, outcome).await,
            (_, Some(work)) => match self.session_of(&unit).await {
                Ok(session) => self.in_one_phase(&session, &work).await,
                Err(error) => Err(error),
            },
            _ => Ok(()),
        };
        back.1 = None;
        if let Err(error) = ended {
            if matches!(error, StoreError::Unknown(_)) {
                // There is nothing left that could be ended.
                self.forget(uow).await;
            } else {
                guard(&unit).phase = before;
            }
            return Err(error);
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

    /// The session of a unit of work; a new one when it died, after everything it was doing has ended.
    async fn living_session(&self, unit: &Arc<Mutex<Unit>>) -> Result<Arc<Session>, StoreError> {
        let session = self.session_of(unit).await?;
        if !session.is_closed() {
            return Ok(session);
        }
        let asker = self.pool.session().await?;
        let dead = &session.live()?.backend;
        dead.bury(&asker.live()?.client).await?;
        let asker = Arc::new(asker);
        let mut unit = guard(unit);
        unit.held.clear();
        unit.session = Some(asker.clone());
        Ok(asker)
    }

    async fn in_one_phase(&self, session: &Session, work: &str) -> Result<(), StoreError> {
        fail_point("pg-commit-before")?;
        self.commit_on(session, work).await?;
        fail_point("pg-commit-after")
    }

    /// COMMIT after `work` in one message. When the connection is lost meanwhile the server is asked what became of it.
    async fn commit_on(&self, session: &Session, work: &str) -> Result<(), StoreError> {
        if session.is_closed() {
            let text = "the connection was lost".to_owned();
            return Err(StoreError::Unavailable(text));
        }
        let (token, mark) = (session.live()?.token, self.next_mark.fetch_add(1, Relaxed));
        let outcome = sql::outcome(token, &self.gids, mark);
        let ended = session.batch(&format!("{work}{outcome}COMMIT")).await;
        let why = match ended {
            Err(StoreError::Unavailable(why)) => why,
            // The server has answered: nothing was changed.
            Err(StoreError::Io(why)) => return Err(StoreError::Unavailable(why)),
            other => return other,
        };
        let begin = Instant::now();
        let mut pause = Duration::from_millis(50);
        loop {
            match self.outcome_of(session, mark).await {
                Ok(true) => return Ok(()),
                Ok(false) => return Err(StoreError::Unavailable(why)),
                Err(error) if begin.elapsed() > OUTCOME_MAX => {
                    return Err(StoreError::Unknown(format!("{why}; then {error}")));
                }
                Err(_) => tokio::time::sleep(pause).await,
            }
            pause = (pause * 2).min(Duration::from_secs(2));
        }
    }

    /// Whether the transaction with this mark was committed.
    async fn outcome_of(&self, dead: &Session, mark: u64) -> Result<bool, StoreError> {
        let asker = self.pool.asker().await?;
        let dead = dead.live()?;
        dead.backend.bury(&asker.live()?.client).await?;
        let look = format!(
            "SELECT mark FROM transom.outcomes WHERE session = {}",
            dead.token
        );
        let found = asker.text(&look).await?;
        Ok(found.is_some_and(|m| m == mark.to_string()))
    }

    pub(super) async fn resolve(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        let unit = self.unit(uow);
        let phase = unit.map(|u| guard(&u).phase.clone());
        if phase == Some(Phase::Ending) {
            // Its end is under way and may fail yet.
            return Err(StoreError::Prepared);
        }
        if !matches!(phase, Some(Phase::Prepared { .. })) {
            return match (guard(&self.lost).remove(&uow), outcome) {
                // It had been prepared, or it would not have been decided.
                (true, Outcome::Commit) => Err(other_hand()),
                _ => Err(StoreError::NotFound),
            };
        }
        self.end(uow, outcome).await
    }

    pub(super) fn part(&self, uow: UowId) -> Part {
        let Some(unit) = self.unit(uow) else {
            return Part::None;
        };
        let unit = guard(&unit);
        match unit.phase {
            Phase::Prepared { .. } => Part::Prepared,
            _ if unit.overlay.is_empty() => Part::Locks,
            _ => Part::Changes,
        }
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
                    untold: None,
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

/// Gives a unit of work its phase back when what was to end it was dropped half-way.
struct Back<'u>(&'u Arc<Mutex<Unit>>, Option<Phase>);

impl Drop for Back<'_> {
    fn drop(&mut self) {
        if let Some(before) = self.1.take() {
            guard(self.0).phase = before;
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
        "BEGIN; DELETE FROM transom.retained WHERE gid = {gid}; DELETE FROM transom.ended WHERE gid = {gid}; DELETE FROM transom.prepared WHERE gid = {gid}; COMMIT"
    )
}
