//! How units of work end: prepare, commit, backout, release.

use super::{GONE, Inner, erase_prepared, put_prepared};
use crate::engine::{Batch, Engine};
use crate::guard::lock;
use crate::unit::{Phase, in_doubt};
use crate::{Counters, InDoubt, Outcome, Part, StoreError, UowId, fail_point};
use std::sync::Arc;
use std::time::SystemTime;

impl<E: Engine> Inner<E> {
    pub(super) async fn prepare(
        self: &Arc<Self>,
        uow: UowId,
        info: &[u8],
    ) -> Result<(), StoreError> {
        fail_point("prepare-begin")?;
        let unit = self.unit_or_new(uow);
        let since = SystemTime::now();
        let batch = {
            let mut unit = lock(&unit);
            if unit.phase != Phase::Active {
                return Err(StoreError::Prepared);
            }
            unit.phase = Phase::Ending;
            Batch {
                writes: vec![put_prepared(uow, &unit, info, since)],
            }
        };
        let info = info.to_vec();
        let answer = self.write(batch, move |inner, result| {
            let prepared = Phase::Prepared {
                info,
                since,
                retained: false,
            };
            Counters::one(&inner.counters.prepares);
            lock(&unit).phase = result.as_ref().map_or(Phase::Active, |()| prepared);
            fail_point("prepare-durable").and(result)
        });
        answer.await.unwrap_or(Err(GONE))
    }

    pub(super) async fn commit(self: &Arc<Self>, uow: UowId) -> Result<(), StoreError> {
        fail_point("commit-begin")?;
        let Some(unit) = self.unit(uow) else {
            self.locks.release_all(uow);
            return Ok(());
        };
        let (batch, before) = {
            let mut unit = lock(&unit);
            if unit.phase == Phase::Ending {
                return Err(StoreError::Prepared);
            }
            let mut batch = unit.overlay.batch();
            if unit.phase != Phase::Active {
                batch.writes.push(erase_prepared(uow));
            }
            (batch, std::mem::replace(&mut unit.phase, Phase::Ending))
        };
        if batch.writes.is_empty() {
            self.forget(uow);
            return Ok(());
        }
        let answer = self.write(batch, move |inner, result| {
            let passed = fail_point("commit-durable");
            match &result {
                Ok(()) => {
                    Counters::one(&inner.counters.commits);
                    inner.forget(uow);
                }
                Err(_) => lock(&unit).phase = before,
            }
            fail_point("commit-released").and(passed).and(result)
        });
        answer.await.unwrap_or(Err(GONE))
    }

    pub(super) async fn backout(self: &Arc<Self>, uow: UowId) -> Result<(), StoreError> {
        fail_point("backout-begin")?;
        let Some(unit) = self.unit(uow) else {
            self.locks.release_all(uow);
            return Ok(());
        };
        let before = {
            let mut unit = lock(&unit);
            match unit.phase {
                Phase::Ending => return Err(StoreError::Prepared),
                Phase::Active => None,
                Phase::Prepared { .. } => Some(std::mem::replace(&mut unit.phase, Phase::Ending)),
            }
        };
        let Some(before) = before else {
            self.forget_changes(uow);
            return Ok(());
        };
        let batch = Batch {
            writes: vec![erase_prepared(uow)],
        };
        let answer = self.write(batch, move |inner, result| {
            match &result {
                Ok(()) => inner.forget_changes(uow),
                Err(_) => lock(&unit).phase = before,
            }
            fail_point("backout-durable").and(result)
        });
        answer.await.unwrap_or(Err(GONE))
    }

    pub(super) async fn resolve(
        self: &Arc<Self>,
        uow: UowId,
        outcome: Outcome,
    ) -> Result<(), StoreError> {
        fail_point("resolve-begin")?;
        let unit = self.unit(uow);
        match unit.map(|u| lock(&u).phase.clone()) {
            Some(Phase::Prepared { .. }) => {}
            // Its end is under way and may fail yet.
            Some(Phase::Ending) => return Err(StoreError::Prepared),
            Some(Phase::Active) | None => return Err(StoreError::NotFound),
        }
        match outcome {
            Outcome::Commit => self.commit(uow).await,
            Outcome::Backout => self.backout(uow).await,
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

    pub(super) fn part(&self, uow: UowId) -> Part {
        let Some(unit) = self.unit(uow) else {
            return match self.locks.owns(uow) {
                true => Part::Locks,
                false => Part::None,
            };
        };
        let unit = lock(&unit);
        unit.phase.part(&unit.overlay)
    }

    pub(super) fn retain(&self, uow: UowId) {
        let Some(unit) = self.unit(uow) else {
            return;
        };
        if let Phase::Prepared { retained, .. } = &mut lock(&unit).phase {
            *retained = true;
            self.locks.retain(uow);
        }
    }

    pub(super) fn release(&self, uow: UowId) {
        self.locks.end_wait(uow);
        let Some(unit) = self.unit(uow) else {
            return self.locks.release_all(uow);
        };
        let prepared = match lock(&unit).phase {
            Phase::Active => false,
            Phase::Ending => return,
            Phase::Prepared { .. } => true,
        };
        if prepared {
            self.retain(uow);
        } else {
            self.forget_changes(uow);
        }
    }

    fn forget_changes(&self, uow: UowId) {
        let unit = self.unit(uow);
        if unit.is_some_and(|u| !lock(&u).overlay.is_empty()) {
            Counters::one(&self.counters.backouts);
        }
        self.forget(uow);
    }

    /// The unit is over: nobody finds it any more, then its locks go on.
    fn forget(&self, uow: UowId) {
        lock(&self.units).remove(&uow);
        self.locks.release_all(uow);
    }
}
