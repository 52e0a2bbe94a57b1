//! START=COLD and START=INITIAL: queues and START requests of earlier runs are emptied.
//!
//! What: the tables of recoverable temporary storage, transient data and protected START requests;
//! what an orderly end kept goes with them (`warm`). Data sets and named counters stay. INITIAL
//! would lose track of units of work in doubt, so it is refused while there are any, unless it was
//! told to back them out; COLD leaves them: what they changed comes with the decision.

use super::config::StartMode;
use super::kernel::Kernel;
use super::syncpoint::UnitsOfWork;
use transom_messages::{self as messages, Message};
use transom_recovery::{Outcome, StoreError, UowStore};
use transom_wire::definitions::{LastStarts, StartType, SystemEntry};

/// Beginnings of the names of tables that a cold start empties.
pub(crate) const EMPTIED: [&str; 3] = ["ts/", "td/", "ic/"];

/// Empties them, before any of them is read.
///
/// # Errors
/// Units of work are in doubt, or the store cannot do it: the region must not start with queues
/// that were to be gone.
pub(crate) async fn clear(
    kernel: &Kernel,
    uows: &UnitsOfWork,
    store: &dyn UowStore,
    start: StartMode,
) -> Result<(), Message> {
    if let StartMode::Initial { back_out } = start {
        in_doubt(uows, back_out).await?;
    }
    let emptied = empty(store).await;
    let tables = emptied.map_err(|error| messages::ts::cold_start_failed(&error))?;
    kernel.tell(messages::ts::cold_start(tables));
    Ok(())
}

/// INQUIRE SYSTEM tells how and when the region started.
pub(crate) fn began(kernel: &Kernel, kind: StartType, before: LastStarts) -> LastStarts {
    let shared = kernel.shared();
    let mut facts = SystemEntry::find(shared).unwrap_or_else(|| kernel.system.clone());
    let mut lasts = before;
    let now = facts.started_abstime_ms;
    match kind {
        StartType::Cold => lasts.cold = now,
        // It begins anew, without a past.
        StartType::Initial => {
            lasts = LastStarts {
                initial: now,
                ..LastStarts::default()
            }
        }
        StartType::Warm => lasts.warm = now,
        StartType::Emergency => lasts.emergency = now,
    }
    (facts.start_type, facts.last_starts) = (kind, lasts);
    if !facts.install(shared) {
        kernel.tell(messages::sm::shared_full_not_all("fact of the region"));
    }
    lasts
}

async fn in_doubt(uows: &UnitsOfWork, back_out: bool) -> Result<(), Message> {
    let Some(manager) = uows.manager() else {
        return Ok(());
    };
    let failed = |error: StoreError| messages::ts::cold_start_failed(&error);
    let doubtful = manager.in_doubt().await.map_err(failed)?;
    if !doubtful.is_empty() && !back_out {
        return Err(messages::ts::initial_in_doubt(doubtful.len()));
    }
    for unit in doubtful {
        let resolved = manager.resolve(unit.uow, Outcome::Backout).await;
        resolved.map_err(failed)?;
    }
    Ok(())
}

async fn empty(store: &dyn UowStore) -> Result<usize, StoreError> {
    let mut emptied = 0;
    for beginning in EMPTIED {
        for table in store.tables(beginning).await? {
            store.empty(&table).await?;
            emptied += 1;
        }
    }
    Ok(emptied)
}
