//! Changes of units of work and their ends.

use super::locks::must_be_active;
use super::prepared::Back;
use super::{Inner, Unit, sql};
use crate::postgres::session::Session;
use std::sync::{Arc, Mutex};
use transom_recovery::guard::lock;
use transom_recovery::{
    Counters, Match, Outcome, Part, Phase, StoreError, UowId, Wait, Write, fail_point,
};

impl Inner {
    pub(super) async fn stage(
        &self,
        uow: UowId,
        writes: Vec<Write>,
        wait: Wait,
    ) -> Result<(), StoreError> {
        self.check_lengths(&writes)?;
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
            // Also tells whether the table is there.
            let found = self.find(Some(uow), &write.table, &write.key, Match::Equal);
            write.change.check(found.await?.is_some())?;
        }
        let unit = self.unit_or_new(uow);
        let mut unit = lock(&unit);
        must_be_active(&unit)?;
        let lengths = writes.iter().map(|w| w.key.len() + w.change.length());
        let bytes = unit.overlay.bytes + lengths.sum::<usize>();
        self.counters.must_fit(bytes, self.options.uow_bytes_max)?;
        for write in writes {
            let record = write.change.into_record();
            unit.overlay.set(&write.table, &write.key, record);
        }
        self.counters.holds(unit.overlay.bytes);
        Ok(())
    }

    pub(super) async fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> Result<(), StoreError> {
        self.check_lengths(&writes)?;
        let statement = sql::writes(&writes)?;
        let Some(owner) = owner else {
            let session = self.pool.session().await?;
            let written = self.commit_on(&session, &statement).await;
            return written.inspect(|()| Counters::one(&self.counters.writes_now));
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
        written.inspect(|()| Counters::one(&self.counters.writes_now))
    }

    pub(super) async fn end(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        self.settled().await;
        let Some(unit) = self.unit(uow) else {
            return Ok(());
        };
        let (before, work, changed) = {
            let mut unit = lock(&unit);
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
            _ if outcome == Outcome::Commit => self.let_go(&unit).await,
            _ => Ok(()),
        };
        back.1 = None;
        if let Err(error) = ended {
            if matches!(error, StoreError::Unknown(_)) {
                // There is nothing left that could be ended.
                self.forget(uow).await;
            } else {
                lock(&unit).phase = before;
            }
            return Err(error);
        }
        match outcome {
            Outcome::Commit if changed => Counters::one(&self.counters.commits),
            Outcome::Backout if changed => Counters::one(&self.counters.backouts),
            _ => {}
        }
        self.forget(uow).await;
        Ok(())
    }

    /// Locks of a unit of work without changes go back. When the session has died it held nothing
    /// any more, and what was read under the locks may have changed.
    async fn let_go(&self, unit: &Arc<Mutex<Unit>>) -> Result<(), StoreError> {
        let session = {
            let unit = lock(unit);
            unit.session.clone().filter(|_| !unit.held.is_empty())
        };
        let Some(session) = session else {
            return Ok(());
        };
        let unlock = "SELECT pg_advisory_unlock_all()";
        match session.batch(unlock).await {
            // A cancellation of an earlier statement came late.
            Err(StoreError::Released) => session.batch(unlock).await,
            other => other,
        }?;
        let mut unit = lock(unit);
        unit.held.clear();
        unit.session = None;
        Ok(())
    }

    async fn in_one_phase(&self, session: &Session, work: &str) -> Result<(), StoreError> {
        fail_point("pg-commit-before")?;
        self.commit_on(session, work).await?;
        fail_point("pg-commit-after")
    }

    pub(super) fn part(&self, uow: UowId) -> Part {
        let Some(unit) = self.unit(uow) else {
            return Part::None;
        };
        let unit = lock(&unit);
        unit.phase.part(&unit.overlay)
    }

    pub(super) async fn release(&self, uow: UowId) {
        let Some(unit) = self.unit(uow) else { return };
        let phase = lock(&unit).phase.clone();
        match phase {
            Phase::Ending => {}
            Phase::Prepared { .. } => self.retain(uow).await,
            Phase::Active => {
                let session = {
                    let mut unit = lock(&unit);
                    unit.released = true;
                    unit.session.clone()
                };
                // Another statement of it may wait for a lock.
                if let Some(session) = session.filter(|s| Arc::strong_count(s) > 2) {
                    session.cancel().await;
                }
                if !lock(&unit).overlay.is_empty() {
                    Counters::one(&self.counters.backouts);
                }
                self.forget(uow).await;
            }
        }
    }

    /// The unit is over; its session goes back without locks.
    async fn forget(&self, uow: UowId) {
        let unit = lock(&self.units).remove(&uow);
        let session = unit.and_then(|u| lock(&u).session.take());
        if let Some(session) = session {
            session.unlock_all().await;
        }
    }
}
