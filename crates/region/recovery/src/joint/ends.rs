//! How units of work end that may have changes in several stores.

use super::{DECIDED, Inner, Told, guard};
use crate::{
    Change, InDoubt, Lock, Match, Outcome, Part, StoreError, Untold, UowId, UowStore, Wait,
    fail_point,
};
use std::sync::Arc;
use std::time::SystemTime;
use transom_messages as messages;

/// What partners are given with a prepared unit of work.
const INFO: &[u8] = b"two-phase";

impl Inner {
    pub(super) async fn commit(self: &Arc<Self>, uow: UowId) -> Result<(), StoreError> {
        let (mut changed, mut read) = (Vec::new(), Vec::new());
        for (n, store) in self.present() {
            match store.part(uow) {
                Part::None => {}
                Part::Locks => read.push(n),
                Part::Changes | Part::Prepared => changed.push(n),
            }
        }
        // They have nothing to make durable, but must say that their locks were there to the end.
        for n in read {
            self.member(n)?.commit(uow).await?;
        }
        let alone = !matches!(self.local.part(uow), Part::Changes | Part::Prepared);
        match changed.as_slice() {
            [] => self.local.commit(uow).await?,
            [only] if alone => {
                fail_point("joint-one-phase")?;
                self.member(*only)?.commit(uow).await?;
                // Locks only.
                self.local.commit(uow).await?;
            }
            _ => self.in_two_phases(uow, changed).await?,
        }
        Ok(())
    }

    /// On a task of its own: who drops the answer does not stop the end half-way.
    async fn in_two_phases(
        self: &Arc<Self>,
        uow: UowId,
        changed: Vec<usize>,
    ) -> Result<(), StoreError> {
        let Some(runtime) = self.runtime.get() else {
            return Err(StoreError::Closed);
        };
        guard(&self.ending).insert(uow);
        let (inner, partners) = (self.clone(), changed.clone());
        let end = runtime.spawn(async move { inner.prepare_and_decide(uow, &partners).await });
        let ended = match end.await {
            Ok(ended) => ended,
            Err(stopped) if stopped.is_panic() => self.after_panic(uow, &changed).await,
            // The store is closing: the next start finds out.
            Err(_) => Err(StoreError::Closed),
        };
        guard(&self.ending).remove(&uow);
        self.work.notify_one();
        ended
    }

    async fn prepare_and_decide(&self, uow: UowId, changed: &[usize]) -> Result<(), StoreError> {
        if let Err(error) = self.prepare_all(uow, changed).await {
            self.undo(uow).await;
            // A device error of a partner is not one of the region's own store.
            return Err(match error {
                StoreError::Io(text) => StoreError::Unavailable(text),
                StoreError::Closed => StoreError::Unavailable("a partner is closed".to_owned()),
                other => other,
            });
        }
        match self.local.commit(uow).await {
            Ok(()) => {}
            Err(error @ (StoreError::Io(_) | StoreError::Closed)) => {
                // Whether the decision is on the disk shows at the next start.
                changed.iter().for_each(|n| self.retain_at(*n, uow));
                return Err(error);
            }
            Err(error) => {
                self.undo(uow).await;
                return Err(error);
            }
        }
        let _ = fail_point("joint-decided");
        self.tell(uow, changed).await;
        Ok(())
    }

    /// Prepares all partners and adds the decision to the changes here.
    async fn prepare_all(&self, uow: UowId, changed: &[usize]) -> Result<(), StoreError> {
        let mut names = Vec::new();
        for n in changed {
            fail_point("joint-prepare")?;
            self.member(*n)?.prepare(uow, INFO).await?;
            names.push(self.name(*n));
        }
        fail_point("joint-prepared")?;
        let names = Change::Put(names.join(",").into_bytes());
        let key = uow.to_bytes();
        self.local
            .stage(uow, DECIDED, &key, names, Wait::No)
            .await?;
        fail_point("joint-decide")
    }

    /// Tells partners that the unit of work is committed; who cannot be told is told later.
    async fn tell(&self, uow: UowId, changed: &[usize]) {
        let mut all = true;
        for n in changed {
            let told = match (fail_point("joint-tell"), self.member(*n)) {
                (Ok(()), Ok(store)) => store.commit(uow).await,
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
            if let Err(error) = told {
                all = false;
                self.later(uow, *n, Outcome::Commit, &error);
            }
        }
        let _ = fail_point("joint-told");
        if all {
            guard(&self.settled).push(uow);
        }
    }

    /// Backs out everywhere; partners that cannot be told are told later.
    async fn undo(&self, uow: UowId) {
        let _ = fail_point("joint-undo");
        if self.local.backout(uow).await.is_err() {
            self.local.release(uow);
        }
        for (n, store) in self.present() {
            if store.part(uow) != Part::None
                && let Err(error) = store.backout(uow).await
            {
                self.later(uow, n, Outcome::Backout, &error);
            }
        }
    }

    async fn after_panic(&self, uow: UowId, changed: &[usize]) -> Result<(), StoreError> {
        match self.outcome(uow).await? {
            Outcome::Commit => {
                self.tell(uow, changed).await;
                Ok(())
            }
            Outcome::Backout => {
                self.undo(uow).await;
                Err(StoreError::Released)
            }
        }
    }

    /// What the region's own store says about a unit of work that is not under way.
    pub(super) async fn outcome(&self, uow: UowId) -> Result<Outcome, StoreError> {
        let key = uow.to_bytes();
        let decided = self
            .local
            .read(None, DECIDED, &key, Match::Equal, Lock::None);
        Ok(match decided.await? {
            Some(_) => Outcome::Commit,
            None => Outcome::Backout,
        })
    }

    fn later(&self, uow: UowId, n: usize, outcome: Outcome, error: &StoreError) {
        if matches!(error, StoreError::Unknown(_)) {
            self.ended_by_others(uow, n, outcome, error);
        }
        self.retain_at(n, uow);
        let ended = word(outcome);
        self.operator.tell(messages::rm::store_not_told(
            self.name(n),
            uow,
            ended,
            error,
        ));
        let since = SystemTime::now();
        guard(&self.untold).insert((uow, n), Told { outcome, since });
        self.work.notify_one();
    }

    /// A prepared transaction is gone, and not as it was decided here.
    pub(super) fn ended_by_others(
        &self,
        uow: UowId,
        n: usize,
        outcome: Outcome,
        error: &StoreError,
    ) {
        let (name, ended) = (self.name(n), word(outcome));
        self.operator
            .tell(messages::rm::ended_by_others(uow, ended, name, error));
    }

    fn retain_at(&self, n: usize, uow: UowId) {
        if let Ok(store) = self.member(n) {
            store.retain(uow);
        }
    }

    pub(super) fn member(&self, n: usize) -> Result<&dyn UowStore, StoreError> {
        self.members.get(n).ok_or(StoreError::Closed)?.get()
    }

    pub(super) async fn backout(&self, uow: UowId) -> Result<(), StoreError> {
        let here = self.local.backout(uow).await;
        let mut there = Ok(());
        for (n, store) in self.present() {
            match store.part(uow) {
                Part::None => {}
                Part::Prepared => {
                    if let Err(error) = store.backout(uow).await {
                        self.later(uow, n, Outcome::Backout, &error);
                    }
                }
                Part::Locks | Part::Changes => {
                    let ended = store.backout(uow).await;
                    if ended.is_err() {
                        store.release(uow);
                        there = ended;
                    }
                }
            }
        }
        here.and(there)
    }

    pub(super) async fn in_doubt(&self) -> Result<Vec<InDoubt>, StoreError> {
        let mut all = self.local.in_doubt().await?;
        for ((uow, n), told) in guard(&self.untold).iter() {
            all.push(InDoubt {
                uow: *uow,
                info: INFO.to_vec(),
                since: told.since,
                retained: true,
                untold: Some(Untold {
                    partner: self.name(*n).to_owned(),
                    outcome: told.outcome,
                }),
            });
        }
        Ok(all)
    }

    /// An operator decides. What is decided already is only told again.
    pub(super) async fn resolve(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        let waiting: Vec<Outcome> = guard(&self.untold)
            .iter()
            .filter(|((unit, _), _)| *unit == uow)
            .map(|(_, told)| told.outcome)
            .collect();
        if waiting.is_empty() {
            return self.local.resolve(uow, outcome).await;
        }
        if waiting.iter().any(|decided| *decided != outcome) {
            return Err(StoreError::Prepared);
        }
        self.work.notify_one();
        Ok(())
    }
}

pub(super) fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Commit => "committed",
        Outcome::Backout => "backed out",
    }
}
