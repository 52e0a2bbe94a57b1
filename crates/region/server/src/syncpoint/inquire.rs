//! What INQUIRE UOW and SET UOW ask the region.

use super::{Unit, UnitsOfWork, to_the_end};
use crate::replier::{Replier, lock};
use std::sync::Arc;
use transom_messages as messages;
use transom_recovery::{InDoubt, Outcome, StoreError, UowId, wait};
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_wire::syncpoint::{Request, Stage, UnitId, UnitState};

impl UnitsOfWork {
    pub(super) fn answer_inquiry(self: &Arc<Self>, replier: Replier, request: Request) {
        match request {
            Request::List => replier.answer(&self.list()),
            Request::Inquire(id) => replier.answer(&self.inquire(id)),
            Request::Decide { commit, id } => {
                let service = self.clone();
                to_the_end(replier, async move { service.decide(commit, id).await });
            }
            Request::Commit | Request::Backout => replier.answer(&RegionAnswer::damaged()),
        }
    }

    /// Never waits: stores have the answer at once.
    fn in_doubt(&self) -> Vec<InDoubt> {
        let found = self.manager().map(|manager| wait(manager.in_doubt()));
        found.and_then(Result::ok).unwrap_or_default()
    }

    fn list(&self) -> RegionAnswer {
        let mut all: Vec<UnitId> = lock(&self.units)
            .values()
            .map(|unit: &Unit| identifier(unit.id))
            .collect();
        all.extend(self.in_doubt().iter().map(|doubt| identifier(doubt.uow)));
        all.sort_unstable();
        all.dedup();
        RegionAnswer::with(&all)
    }

    fn inquire(&self, id: UnitId) -> RegionAnswer {
        let active = lock(&self.units)
            .iter()
            .find(|(_, unit)| identifier(unit.id) == id)
            .map(|(task, _)| *task);
        if let Some(task) = active {
            return state(Stage::InFlight, task, 0, "");
        }
        let doubts = self.in_doubt();
        let Some(doubt) = doubts.iter().find(|doubt| identifier(doubt.uow) == id) else {
            return RegionAnswer::refused(Resp::UOWNOTFOUND, 1, "");
        };
        let age = self.kernel.clock.wall().duration_since(doubt.since);
        let age = u32::try_from(age.unwrap_or_default().as_secs()).unwrap_or(u32::MAX);
        match &doubt.untold {
            Some(untold) => {
                let decided = match untold.outcome {
                    Outcome::Commit => Stage::Committed,
                    Outcome::Backout => Stage::BackedOut,
                };
                state(decided, 0, age, &untold.partner)
            }
            None => state(Stage::InDoubt, 0, age, ""),
        }
    }

    async fn decide(&self, commit: bool, id: UnitId) -> RegionAnswer {
        let not_found = RegionAnswer::refused(Resp::UOWNOTFOUND, 1, "");
        let Some(manager) = self.manager() else {
            return not_found;
        };
        let active = lock(&self.units)
            .values()
            .any(|unit| identifier(unit.id) == id);
        let doubt = self
            .in_doubt()
            .into_iter()
            .find(|doubt| identifier(doubt.uow) == id);
        let Some(doubt) = doubt else {
            return match active {
                true => not_settable(&"it is under way"),
                false => not_found,
            };
        };
        let (outcome, shown) = match commit {
            true => (Outcome::Commit, "committed"),
            false => (Outcome::Backout, "backed out"),
        };
        match manager.resolve(doubt.uow, outcome).await {
            Ok(()) => {
                let set = messages::rm::set_by_operator(doubt.uow, shown);
                self.kernel.tell(set);
                RegionAnswer::normal()
            }
            Err(StoreError::NotFound) => not_found,
            Err(StoreError::Prepared) => not_settable(&"its outcome is decided"),
            Err(error) => not_settable(&error),
        }
    }
}

fn not_settable(why: &dyn std::fmt::Display) -> RegionAnswer {
    RegionAnswer::refused(Resp::INVREQ, 4, messages::rm::not_settable(why))
}

fn identifier(uow: UowId) -> UnitId {
    let mut id = UnitId::default();
    id[..8].copy_from_slice(&uow.number.to_be_bytes());
    id
}

fn state(stage: Stage, task: u32, age_s: u32, link: &str) -> RegionAnswer {
    RegionAnswer::with(&UnitState {
        stage,
        task,
        age_s,
        link: link.to_owned(),
    })
}
