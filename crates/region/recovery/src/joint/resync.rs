//! What partners learn later: after they were away, or after a restart of the region.
//!
//! One thread asks partners that are away with growing pauses, tells outcomes, and deletes
//! decisions that all know.

use super::ends::word;
use super::{DECIDED, Inner, Told, guard, rows};
use crate::{Change, Outcome, StoreError, UowId, Wait, Write, fail_point};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant, SystemTime};
use transom_messages as messages;

/// Pause before a partner is asked again, first and longest.
const PAUSE_MIN: Duration = Duration::from_millis(250);
const PAUSE_MAX: Duration = Duration::from_secs(30);
/// How long decisions that all know may lie about; they are deleted together.
const FORGET_EVERY: Duration = Duration::from_secs(1);
/// How long the end of the store waits for ends of units of work.
const PATIENCE: Duration = Duration::from_secs(10);

/// Starts the thread.
pub(super) fn start(inner: &Arc<Inner>) -> Result<JoinHandle<()>, StoreError> {
    let failed = |e: std::io::Error| StoreError::Io(e.to_string());
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_time()
        .build()
        .map_err(failed)?;
    // Set once: a store is opened once.
    let _ = inner.runtime.set(runtime.handle().clone());
    let inner = inner.clone();
    let thread = std::thread::Builder::new().name("transom-resync".to_owned());
    let run = move || {
        runtime.block_on(run(&inner));
        // A partner that is just being asked is not waited for.
        runtime.shutdown_background();
    };
    thread.spawn(run).map_err(failed)
}

async fn run(inner: &Arc<Inner>) {
    let mut pause = PAUSE_MIN;
    while !inner.stop.load(Ordering::SeqCst) {
        let idle = inner.is_settled();
        let next = if idle { FORGET_EVERY } else { pause };
        // Woken by work or by the end; otherwise the pause is over.
        let woken = tokio::time::timeout(next, inner.work.notified()).await;
        if inner.stop.load(Ordering::SeqCst) {
            break;
        }
        if !idle || woken.is_ok() {
            inner.reach().await;
            pause = match inner.resync().await {
                true => PAUSE_MIN,
                false => (pause * 2).min(PAUSE_MAX),
            };
        }
        inner.forget().await;
    }
    let until = Instant::now() + PATIENCE;
    while !guard(&inner.ending).is_empty() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    inner.forget().await;
}

impl Inner {
    fn is_settled(&self) -> bool {
        let clean = |m: &super::Member| m.clean.load(Ordering::Relaxed);
        guard(&self.untold).is_empty() && self.members.iter().all(clean)
    }

    /// Asks partners that are away.
    async fn reach(self: &Arc<Self>) {
        for (n, member) in self.members.iter().enumerate() {
            if member.store.get().is_some() {
                continue;
            }
            let inner = self.clone();
            let connected = tokio::task::spawn_blocking(move || inner.connect(n)).await;
            match connected {
                Ok(Ok(())) => {
                    member.complained.store(false, Ordering::Relaxed);
                    self.operator.tell(messages::rm::store_back(self.name(n)));
                }
                Ok(Err(error)) => self.complain(n, &error),
                Err(_) => {}
            }
        }
    }

    /// Ends what partners have in doubt; true when nothing is left to do.
    pub(super) async fn resync(&self) -> bool {
        for (n, member) in self.members.iter().enumerate() {
            let Some(store) = member.store.get() else {
                continue;
            };
            let waiting: Vec<(UowId, Outcome)> = guard(&self.untold)
                .iter()
                .filter(|((_, partner), _)| *partner == n)
                .map(|((uow, _), told)| (*uow, told.outcome))
                .collect();
            for (uow, outcome) in waiting {
                self.tell_late(n, uow, outcome).await;
            }
            if !member.clean.load(Ordering::Relaxed) {
                let clean = self.clean(n, &**store).await.is_ok();
                member.clean.store(clean, Ordering::Relaxed);
            }
        }
        self.is_settled()
    }

    /// Ends what earlier runs left in doubt at a partner.
    async fn clean(&self, n: usize, store: &dyn crate::UowStore) -> Result<(), StoreError> {
        fail_point("joint-resync")?;
        for doubt in store.in_doubt().await? {
            let uow = doubt.uow;
            if guard(&self.ending).contains(&uow) || guard(&self.untold).contains_key(&(uow, n)) {
                continue;
            }
            let outcome = self.outcome(uow).await?;
            let since = doubt.since;
            guard(&self.untold).insert((uow, n), Told { outcome, since });
            self.tell_late(n, uow, outcome).await;
        }
        Ok(())
    }

    async fn tell_late(&self, n: usize, uow: UowId, outcome: Outcome) {
        let told = match (fail_point("joint-tell-late"), self.member(n)) {
            (Ok(()), Ok(store)) => store.resolve(uow, outcome).await,
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        let ended = word(outcome);
        let name = self.name(n);
        match told {
            Ok(()) => self
                .operator
                .tell(messages::rm::doubt_resolved(name, ended, uow)),
            // It was told before the region or the partner ended.
            Err(StoreError::NotFound) => {}
            Err(error @ StoreError::Unknown(_)) => self.ended_by_others(uow, n, outcome, &error),
            Err(_) => return,
        }
        let others = {
            let mut untold = guard(&self.untold);
            untold.remove(&(uow, n));
            untold.keys().any(|(unit, _)| *unit == uow)
        };
        if outcome == Outcome::Commit && !others {
            guard(&self.settled).push(uow);
        }
    }

    /// Deletes decisions that all partners know.
    async fn forget(&self) {
        let settled = std::mem::take(&mut *guard(&self.settled));
        if settled.is_empty() || fail_point("joint-forget").is_err() {
            return;
        }
        let erase = |uow: &UowId| Write::new(DECIDED, uow.to_bytes(), Change::Erase);
        let writes = settled.iter().map(erase).collect();
        // What stays is deleted after the next start.
        let _ = self.local.write_now(None, writes, Wait::No).await;
    }

    /// Decisions of earlier runs: their partners are told when they can be reached.
    pub(super) async fn read_decisions(&self) -> Result<(), StoreError> {
        for row in rows(&*self.local, DECIDED).await? {
            let Some(uow) = UowId::from_bytes(&row.key) else {
                continue;
            };
            let names = String::from_utf8_lossy(&row.record).into_owned();
            let names: BTreeSet<&str> = names.split(',').collect();
            let mut untold = guard(&self.untold);
            for name in names {
                let known = self.members.iter().position(|m| m.partner.name == name);
                match known {
                    Some(n) => {
                        let told = Told {
                            outcome: Outcome::Commit,
                            since: SystemTime::now(),
                        };
                        untold.insert((uow, n), told);
                    }
                    None => self
                        .operator
                        .tell(messages::rm::store_not_defined(uow, name)),
                }
            }
        }
        Ok(())
    }
}
