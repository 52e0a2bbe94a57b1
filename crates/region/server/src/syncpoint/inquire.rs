//! What INQUIRE UOW and SET UOW ask the region.

use super::{Unit, block_on, lock};
use crate::Inner;
use crate::services::Replier;
use std::sync::Arc;
use transom_recovery::{InDoubt, Outcome, StoreError, UowId};
use transom_types::Resp;
use transom_wire::codec::Writer;
use transom_wire::requests::RegionAnswer;
use transom_wire::syncpoint::ID_BYTES;
use transom_wire::syncpoint::{DECIDE, INQUIRE, LIST};

/// What follows the first byte, if it is a question of these.
pub(super) fn of(request: &[u8]) -> Option<&[u8]> {
    let (first, rest) = request.split_first()?;
    [LIST, INQUIRE, DECIDE].contains(first).then_some(rest)
}

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8], rest: &[u8]) {
    match request.first() {
        Some(&LIST) => replier.answer(&list(inner)),
        Some(&INQUIRE) => replier.answer(&inquire(inner, rest)),
        _ => {
            let (region, rest) = (inner.clone(), rest.to_vec());
            super::to_the_end(replier, async move { decide(&region, &rest).await });
        }
    }
}

/// Never waits: stores have the answer at once.
fn in_doubt(inner: &Inner) -> Vec<InDoubt> {
    let store = inner.services.uows.store();
    let found = store.map(|store| block_on(store.in_doubt()));
    found.and_then(Result::ok).unwrap_or_default()
}

fn identifier(uow: UowId) -> [u8; ID_BYTES] {
    let mut id = [0; ID_BYTES];
    id[..8].copy_from_slice(&uow.number.to_be_bytes());
    id
}

fn list(inner: &Inner) -> RegionAnswer {
    let mut all: Vec<[u8; ID_BYTES]> = lock(&inner.services.uows.units)
        .values()
        .map(|unit: &Unit| identifier(unit.id))
        .collect();
    all.extend(in_doubt(inner).iter().map(|doubt| identifier(doubt.uow)));
    all.sort_unstable();
    all.dedup();
    RegionAnswer::with_data(all.concat())
}

fn inquire(inner: &Inner, id: &[u8]) -> RegionAnswer {
    let active = lock(&inner.services.uows.units)
        .iter()
        .find(|(_, unit)| identifier(unit.id) == id)
        .map(|(task, _)| *task);
    if let Some(task) = active {
        return state(b'F', task, 0, "");
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
                Outcome::Commit => b'C',
                Outcome::Backout => b'B',
            };
            state(decided, 0, age, &untold.partner)
        }
        None => state(b'D', 0, age, ""),
    }
}

fn state(state: u8, task: u32, age: u32, link: &str) -> RegionAnswer {
    let mut out = Writer::with_capacity(16 + link.len());
    out.u8(state).u32(task).u32(age).bytes(link.as_bytes());
    RegionAnswer::with_data(out.0)
}

async fn decide(inner: &Inner, rest: &[u8]) -> RegionAnswer {
    let not_found = RegionAnswer::refused(Resp::UOWNOTFOUND, 1, "");
    let (Some((commit, id)), Some(store)) = (rest.split_first(), inner.services.uows.store())
    else {
        return not_found;
    };
    let active = lock(&inner.services.uows.units)
        .values()
        .any(|unit| identifier(unit.id) == id);
    let doubt = in_doubt(inner)
        .into_iter()
        .find(|doubt| identifier(doubt.uow) == id);
    let refused = |why: &dyn std::fmt::Display| {
        let text = format!("TXMRM0011E the unit of work cannot be set: {why}");
        RegionAnswer::refused(Resp::INVREQ, 4, text)
    };
    let Some(doubt) = doubt else {
        return match active {
            true => refused(&"it is under way"),
            false => not_found,
        };
    };
    let (outcome, shown) = match commit {
        1 => (Outcome::Commit, "committed"),
        _ => (Outcome::Backout, "backed out"),
    };
    match store.resolve(doubt.uow, outcome).await {
        Ok(()) => {
            let uow = doubt.uow;
            inner.say(&format!(
                "TXMRM0012I unit of work {uow} was {shown} by SET UOW"
            ));
            RegionAnswer::normal()
        }
        Err(StoreError::NotFound) => not_found,
        Err(StoreError::Prepared) => refused(&"its outcome is decided"),
        Err(error) => refused(&error),
    }
}
