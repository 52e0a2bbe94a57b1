//! Units of work of mirrors, which another region ends.
//!
//! What: prepared, one leaves its task and waits for its outcome, with those who want to learn it;
//! the task may end meanwhile. Not here: who decides (`transom_region_links`).

use super::{Unit, UnitsOfWork, run_aside, tell};
use crate::replier::lock;
use transom_recovery::{Outcome, StoreError, UowId};

impl UnitsOfWork {
    /// Prepares the unit of work of a task. `info` comes back with what is in doubt.
    pub(crate) async fn prepare(&self, task: u32, info: &[u8]) -> Result<(), StoreError> {
        let (Some(uow), Some(manager)) = (self.existing(task), self.manager()) else {
            // Nothing to do: there is none, or no store any more.
            return self.manager().map(drop).ok_or(StoreError::Closed);
        };
        manager.prepare(uow, info).await?;
        if let Some(unit) = self.take(task) {
            lock(&self.prepared).push((task, unit));
        }
        Ok(())
    }

    /// Ends the unit of work of a task, prepared or not.
    pub(crate) async fn end(&self, task: u32, outcome: Outcome) -> Result<(), StoreError> {
        let manager = self.manager().ok_or(StoreError::Closed)?;
        let unit = self
            .branch(|(of, _)| *of == task)
            .or_else(|| self.take(task));
        let Some(unit) = unit else {
            return Ok(());
        };
        let ended = match outcome {
            Outcome::Commit => manager.commit(unit.id).await,
            Outcome::Backout => manager.backout(unit.id).await,
        };
        match (ended, outcome) {
            (Ok(()), Outcome::Commit) => {
                self.learn_commit(unit).await;
                Ok(())
            }
            (Err(error), Outcome::Commit) => {
                if !matches!(error, StoreError::Unknown(_) | StoreError::Io(_)) {
                    self.back_out(&*manager, unit).await;
                }
                Err(error)
            }
            (ended, Outcome::Backout) => {
                if ended.is_err() {
                    manager.release(unit.id);
                }
                self.learn_backout(unit);
                Ok(())
            }
        }
    }

    /// Whoever would end the prepared unit of work of a task is gone: others get LOCKED.
    pub(crate) fn abandon(&self, task: u32) {
        let prepared = lock(&self.prepared);
        let mine = prepared.iter().find(|(of, _)| *of == task);
        if let (Some((_, unit)), Some(manager)) = (mine, self.manager()) {
            manager.retain(unit.id);
        }
    }

    /// Ends a unit of work in doubt, of this run or an earlier one.
    pub(crate) async fn resolve(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        let manager = self.manager().ok_or(StoreError::Closed)?;
        manager.resolve(uow, outcome).await?;
        if let Some(unit) = self.branch(|(_, unit)| unit.id == uow) {
            match outcome {
                Outcome::Commit => self.learn_commit(unit).await,
                Outcome::Backout => self.learn_backout(unit),
            }
        }
        Ok(())
    }

    fn branch(&self, wanted: impl Fn(&(u32, Unit)) -> bool) -> Option<Unit> {
        let mut prepared = lock(&self.prepared);
        let at = prepared.iter().position(wanted)?;
        Some(prepared.swap_remove(at).1)
    }

    async fn learn_commit(&self, unit: Unit) {
        self.counted(Outcome::Commit);
        run_aside(unit.aside).await;
        tell(unit.subscribers, Outcome::Commit);
    }

    fn learn_backout(&self, unit: Unit) {
        self.counted(Outcome::Backout);
        tell(unit.subscribers, Outcome::Backout);
    }
}
