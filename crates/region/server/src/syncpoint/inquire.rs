//! What INQUIRE UOW and SET UOW ask the region.

use super::{Unit, lock};
use crate::Inner;
use crate::replier::Replier;
use std::sync::Arc;
use transom_messages as messages;
use transom_recovery::{InDoubt, Outcome, StoreError, UowId, wait};
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_wire::syncpoint::{Request, Stage, UnitId, UnitState};

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: Request) {
    match request {
        Request::List => replier.answer(&list(inner)),
        Request::Inquire(id) => replier.answer(&inquire(inner, id)),
        Request::Decide { commit, id } => {
            let region = inner.clone();
            super::to_the_end(replier, async move { decide(&region, commit, id).await });
        }
        Request::Commit | Request::Backout => replier.answer(&RegionAnswer::damaged()),
    }
}

/// Never waits: stores have the answer at once.
fn in_doubt(inner: &Inner) -> Vec<InDoubt> {
    let manager = inner.services.uows.manager();
    let found = manager.map(|manager| wait(manager.in_doubt()));
    found.and_then(Result::ok).unwrap_or_default()
}

fn identifier(uow: UowId) -> UnitId {
    let mut id = UnitId::default();
    id[..8].copy_from_slice(&uow.number.to_be_bytes());
    id
}

fn list(inner: &Inner) -> RegionAnswer {
    let mut all: Vec<UnitId> = lock(&inner.services.uows.units)
        .values()
        .map(|unit: &Unit| identifier(unit.id))
        .collect();
    all.extend(in_doubt(inner).iter().map(|doubt| identifier(doubt.uow)));
    all.sort_unstable();
    all.dedup();
    RegionAnswer::with(&all)
}

fn inquire(inner: &Inner, id: UnitId) -> RegionAnswer {
    let active = lock(&inner.services.uows.units)
        .iter()
        .find(|(_, unit)| identifier(unit.id) == id)
        .map(|(task, _)| *task);
    if let Some(task) = active {
        return state(Stage::InFlight, task, 0, "");
    }
    let doubts = in_doubt(inner);
    let Some(doubt) = doubts.iter().find(|doubt| identifier(doubt.uow) == id) else {
        return RegionAnswer::refused(Resp::UOWNOTFOUND, 1, "");
    };
    let age = inner.clock.wall().duration_since(doubt.since);
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

fn state(stage: Stage, task: u32, age_s: u32, link: &str) -> RegionAnswer {
    RegionAnswer::with(&UnitState {
        stage,
        task,
        age_s,
        link: link.to_owned(),
    })
}

async fn decide(inner: &Inner, commit: bool, id: UnitId) -> RegionAnswer {
    let not_found = RegionAnswer::refused(Resp::UOWNOTFOUND, 1, "");
    let Some(manager) = inner.services.uows.manager() else {
        return not_found;
    };
    let active = lock(&inner.services.uows.units)
        .values()
        .any(|unit| identifier(unit.id) == id);
    let doubt = in_doubt(inner)
        .into_iter()
        .find(|doubt| identifier(doubt.uow) == id);
    let refused = |why: &dyn std::fmt::Display| {
        let text = messages::rm::not_settable(why);
        RegionAnswer::refused(Resp::INVREQ, 4, text)
    };
    let Some(doubt) = doubt else {
        return match active {
            true => refused(&"it is under way"),
            false => not_found,
        };
    };
    let (outcome, shown) = match commit {
        true => (Outcome::Commit, "committed"),
        false => (Outcome::Backout, "backed out"),
    };
    match manager.resolve(doubt.uow, outcome).await {
        Ok(()) => {
            let uow = doubt.uow;
            inner.tell(messages::rm::set_by_operator(uow, shown));
            RegionAnswer::normal()
        }
        Err(StoreError::NotFound) => not_found,
        Err(StoreError::Prepared) => refused(&"its outcome is decided"),
        Err(error) => refused(&error),
    }
}
