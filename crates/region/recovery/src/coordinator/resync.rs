//! What participants learn later: after they were away, or after a restart of the region.
//!
//! One thread asks participants that are away with growing pauses, tells outcomes, and deletes
//! decisions that all know.

use super::ends::word;
use super::state::{DECIDED, Inner, Member, Present, Told};
use crate::guard::lock;
use crate::{Change, Outcome, Participant, StoreError, UowId, Wait, Write, fail_point};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use transom_messages as messages;

/// Pause before a participant is asked again, first and longest.
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
        // A participant that is just being asked is not waited for.
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
    while !lock(&inner.ending).is_empty() && Instant::now() < until {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    inner.forget().await;
}

impl Inner {
    fn is_settled(&self) -> bool {
        let clean = |m: &Member| m.clean.load(Ordering::Relaxed);
        let joined = |name: &str| self.number_of(name).is_some();
        let untold = lock(&self.untold).keys().any(|(_, name)| joined(name));
        !untold && !self.waits_for_agents() && self.members().all(clean)
    }

    /// Asks participants that are away.
    async fn reach(self: &Arc<Self>) {
        for (n, member) in self.members().enumerate() {
            if member.present.get().is_some() {
                continue;
            }
            let inner = self.clone();
            let connect = move || match inner.members().nth(n) {
                Some(member) => inner.connect(member),
                None => Ok(()),
            };
            match tokio::task::spawn_blocking(connect).await {
                Ok(Ok(())) => {
                    member.complained.store(false, Ordering::Relaxed);
                    self.operator.tell(messages::rm::store_back(&member.name));
                }
                Ok(Err(error)) => self.complain(member, &error),
                Err(_) => {}
            }
        }
    }

    /// Ends what participants have in doubt; true when nothing is left to do.
    pub(super) async fn resync(&self) -> bool {
        // First: what they say is what the others are told.
        self.ask_agents().await;
        for member in self.members() {
            let Some(participant) = member.present.get().map(Present::participant) else {
                continue;
            };
            let waiting: Vec<(UowId, Outcome)> = lock(&self.untold)
                .iter()
                .filter(|((_, name), _)| *name == member.name)
                .map(|((uow, _), told)| (*uow, told.outcome))
                .collect();
            for (uow, outcome) in waiting {
                self.tell_late(member, participant, uow, outcome).await;
            }
            if !member.clean.load(Ordering::Relaxed) {
                let clean = self.clean(member, participant).await.is_ok();
                member.clean.store(clean, Ordering::Relaxed);
            }
        }
        self.is_settled()
    }

    /// Ends what earlier runs left in doubt at a participant.
    async fn clean(
        &self,
        member: &Member,
        participant: &dyn Participant,
    ) -> Result<(), StoreError> {
        fail_point("joint-resync")?;
        let mut open = false;
        for doubt in participant.in_doubt().await? {
            let uow = doubt.uow;
            if lock(&self.with_agent).contains_key(&uow) {
                open = true;
                continue;
            }
            let key = (uow, member.name.clone());
            if lock(&self.ending).contains(&uow)
                || lock(&self.untold).contains_key(&key)
                || lock(&self.doubtful).contains_key(&key)
            {
                continue;
            }
            let outcome = self.outcome(uow).await?;
            let since = doubt.since;
            // No decision means a backout, but not in a store that may have forgotten one.
            let restored = self.restored_ns.load(Ordering::Relaxed);
            if outcome == Outcome::Backout && uow.number < restored {
                participant.retain(uow);
                self.operator
                    .tell(messages::rm::decision_may_be_lost(uow, &member.name));
                lock(&self.doubtful).insert(key, since);
                continue;
            }
            lock(&self.untold).insert(key, Told { outcome, since });
            self.tell_late(member, participant, uow, outcome).await;
        }
        match open {
            true => Err(StoreError::Unavailable("a last agent is away".to_owned())),
            false => Ok(()),
        }
    }

    async fn tell_late(
        &self,
        member: &Member,
        participant: &dyn Participant,
        uow: UowId,
        outcome: Outcome,
    ) {
        let told = match fail_point("joint-tell-late") {
            Ok(()) => participant.resolve(uow, outcome).await,
            Err(error) => Err(error),
        };
        let (name, ended) = (&member.name, word(outcome));
        match told {
            Ok(()) => self
                .operator
                .tell(messages::rm::doubt_resolved(name, ended, uow)),
            // It was told before the region or the participant ended.
            Err(StoreError::NotFound) => {}
            Err(error @ StoreError::Unknown(_)) => self.ended_by_others(uow, name, outcome, &error),
            Err(_) => return,
        }
        let others = {
            let mut untold = lock(&self.untold);
            untold.remove(&(uow, name.clone()));
            untold.keys().any(|(unit, _)| *unit == uow)
        };
        if outcome == Outcome::Commit && !others {
            lock(&self.settled).push(uow);
        }
    }

    /// A participant is not told any more how a unit of work ended.
    pub(super) async fn forget_at(&self, uow: UowId, name: &str) -> Result<(), StoreError> {
        let key = (uow, Arc::from(name));
        let others: Vec<Arc<str>> = {
            let untold = lock(&self.untold);
            let Some(_) = untold.get(&key) else {
                return Err(StoreError::NotFound);
            };
            let names = untold.keys().filter(|(unit, _)| *unit == uow);
            names
                .map(|(_, n)| n.clone())
                .filter(|n| **n != *name)
                .collect()
        };
        let change = match others.is_empty() {
            true => Change::Erase,
            false => Change::Put(others.join(",").into_bytes()),
        };
        // A backout has no decision that is kept.
        let told = lock(&self.untold).get(&key).map(|told| told.outcome);
        if told == Some(Outcome::Commit) {
            let write = Write::new(DECIDED, uow.to_bytes(), change);
            self.local.write_now(None, vec![write], Wait::No).await?;
        }
        lock(&self.untold).remove(&key);
        Ok(())
    }

    /// Deletes decisions that all participants know.
    async fn forget(&self) {
        let settled = std::mem::take(&mut *lock(&self.settled));
        if settled.is_empty() || fail_point("joint-forget").is_err() {
            return;
        }
        let erase = |uow: &UowId| Write::new(DECIDED, uow.to_bytes(), Change::Erase);
        let writes = settled.iter().map(erase).collect();
        // What stays is deleted after the next start.
        let _ = self.local.write_now(None, writes, Wait::No).await;
    }
}
