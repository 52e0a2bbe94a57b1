//! How units of work end in which several take part.
//!
//! Begin at `commit`. Steps and what a death at each of them leaves behind are in decision 0017.

use super::state::{DECIDED, Inner, Told};
use crate::guard::lock;
use crate::{
    Change, InDoubt, Lock, Match, Outcome, Part, StoreError, Untold, UowId, Wait, Write, fail_point,
};
use std::sync::Arc;
use std::time::SystemTime;
use transom_messages as messages;

/// What participants are given with a prepared unit of work.
const INFO: &[u8] = b"two-phase";

/// The end of a unit of work is under way until this is dropped, whoever waits for it.
struct UnderWay {
    inner: Arc<Inner>,
    uow: UowId,
}

impl UnderWay {
    fn begin(inner: &Arc<Inner>, uow: UowId) -> Self {
        lock(&inner.ending).insert(uow);
        let inner = inner.clone();
        Self { inner, uow }
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        lock(&self.inner.ending).remove(&self.uow);
        self.inner.work.notify_one();
    }
}

impl Inner {
    pub(super) async fn commit(self: &Arc<Self>, uow: UowId) -> Result<(), StoreError> {
        let (mut changed, mut read) = (Vec::new(), Vec::new());
        for (n, one) in self.present() {
            match one.part(uow) {
                Part::None => {}
                Part::Locks => read.push(n),
                Part::Changes | Part::Prepared => changed.push(n),
            }
        }
        // They have nothing to make durable, but must say that their locks were there to the end.
        for n in read {
            self.participant(n)?.commit(uow).await.map_err(of_another)?;
        }
        let alone = !matches!(self.local.part(uow), Part::Changes | Part::Prepared);
        match changed.as_slice() {
            [] => self.local.commit(uow).await?,
            [only] if alone => {
                fail_point("joint-one-phase")?;
                let ended = self.participant(*only)?.commit(uow).await;
                ended.map_err(of_the_decider)?;
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
        let under_way = UnderWay::begin(self, uow);
        let inner = self.clone();
        let end = runtime.spawn(async move {
            let ended = inner.to_the_end(uow, changed).await;
            drop(under_way);
            ended
        });
        // The store is closing: the next start finds out.
        end.await.unwrap_or(Err(StoreError::Closed))
    }

    /// The end, and what is left of it to do when it panics.
    async fn to_the_end(
        self: &Arc<Self>,
        uow: UowId,
        changed: Vec<usize>,
    ) -> Result<(), StoreError> {
        let (inner, members) = (self.clone(), changed.clone());
        let end = tokio::spawn(async move { inner.prepare_and_decide(uow, &members).await });
        match end.await {
            Ok(ended) => ended,
            Err(stopped) if stopped.is_panic() => self.after_panic(uow, &changed).await,
            Err(_) => Err(StoreError::Closed),
        }
    }

    async fn prepare_and_decide(&self, uow: UowId, changed: &[usize]) -> Result<(), StoreError> {
        let (agent, changed) = match self.last_agent(changed) {
            Ok(found) => found,
            Err(error) => {
                self.undo(uow).await;
                return Err(error);
            }
        };
        let changed = &*changed;
        if let Err(error) = self.prepare_all(uow, changed).await {
            self.undo(uow).await;
            return Err(of_another(error));
        }
        if let Some(agent) = agent {
            return self.decide_with(agent, uow, changed).await;
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

    /// Prepares all participants and adds the decision to the changes here.
    async fn prepare_all(&self, uow: UowId, changed: &[usize]) -> Result<(), StoreError> {
        let mut names = Vec::new();
        for n in changed {
            fail_point("joint-prepare")?;
            self.participant(*n)?.prepare(uow, INFO).await?;
            names.push(self.name(*n));
        }
        fail_point("joint-prepared")?;
        if names.is_empty() {
            return Ok(());
        }
        let names = Change::Put(names.join(",").into_bytes());
        let key = uow.to_bytes();
        self.local
            .stage(uow, DECIDED, &key, names, Wait::No)
            .await?;
        fail_point("joint-decide")
    }

    /// Tells participants that the unit of work is committed; who cannot be told is told later.
    pub(super) async fn tell(&self, uow: UowId, changed: &[usize]) {
        let mut all = true;
        for n in changed {
            let told = match (fail_point("joint-tell"), self.participant(*n)) {
                (Ok(()), Ok(one)) => one.commit(uow).await,
                (Err(error), _) | (_, Err(error)) => Err(error),
            };
            if let Err(error) = told {
                all = false;
                self.later(uow, *n, Outcome::Commit, &error);
            }
        }
        let _ = fail_point("joint-told");
        if all {
            lock(&self.settled).push(uow);
        }
    }

    /// Backs out everywhere; participants that cannot be told are told later.
    pub(super) async fn undo(&self, uow: UowId) {
        let _ = fail_point("joint-undo");
        if self.local.backout(uow).await.is_err() {
            self.local.release(uow);
        }
        for (n, one) in self.present() {
            if one.part(uow) != Part::None
                && let Err(error) = one.backout(uow).await
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
            Outcome::Backout => match self.last_agent(changed)? {
                (Some(agent), others) => self.after_panic_with(agent, uow, &others).await,
                (None, _) => {
                    self.undo(uow).await;
                    Err(StoreError::Released)
                }
            },
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
        let name = self.name(n);
        if matches!(error, StoreError::Unknown(_)) {
            self.ended_by_others(uow, &name, outcome, error);
        }
        self.retain_at(n, uow);
        let ended = word(outcome);
        self.operator
            .tell(messages::rm::store_not_told(&name, uow, ended, error));
        let since = SystemTime::now();
        lock(&self.untold).insert((uow, name), Told { outcome, since });
        self.work.notify_one();
    }

    /// A prepared transaction is gone, and not as it was decided here.
    pub(super) fn ended_by_others(
        &self,
        uow: UowId,
        name: &str,
        outcome: Outcome,
        error: &StoreError,
    ) {
        let ended = word(outcome);
        self.operator
            .tell(messages::rm::ended_by_others(uow, ended, name, error));
    }

    pub(super) fn retain_at(&self, n: usize, uow: UowId) {
        if let Ok(one) = self.participant(n) {
            one.retain(uow);
        }
    }

    pub(super) async fn backout(&self, uow: UowId) -> Result<(), StoreError> {
        let here = self.local.backout(uow).await;
        let mut there = Ok(());
        for (n, one) in self.present() {
            match one.part(uow) {
                Part::None => {}
                Part::Prepared => {
                    if let Err(error) = one.backout(uow).await {
                        self.later(uow, n, Outcome::Backout, &error);
                    }
                }
                Part::Locks | Part::Changes => {
                    let ended = one.backout(uow).await;
                    if ended.is_err() {
                        one.release(uow);
                        there = ended;
                    }
                }
            }
        }
        here.and(there)
    }

    pub(super) async fn in_doubt(&self) -> Result<Vec<InDoubt>, StoreError> {
        let mut all = self.local.in_doubt().await?;
        for ((uow, name), told) in lock(&self.untold).iter() {
            all.push(InDoubt {
                uow: *uow,
                info: INFO.to_vec(),
                since: told.since,
                retained: true,
                untold: Some(Untold {
                    partner: name.to_string(),
                    outcome: told.outcome,
                }),
            });
        }
        for ((uow, _), since) in lock(&self.doubtful).iter() {
            if all.last().is_none_or(|last| last.uow != *uow) {
                all.push(InDoubt {
                    uow: *uow,
                    info: INFO.to_vec(),
                    since: *since,
                    retained: true,
                    untold: None,
                });
            }
        }
        Ok(all)
    }

    pub(super) async fn resolve(&self, uow: UowId, outcome: Outcome) -> Result<(), StoreError> {
        let waiting: Vec<Outcome> = lock(&self.untold)
            .iter()
            .filter(|((unit, _), _)| *unit == uow)
            .map(|(_, told)| told.outcome)
            .collect();
        if waiting.is_empty() && self.decide_doubtful(uow, outcome).await? {
            return Ok(());
        }
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

impl Inner {
    /// An operator says how a unit of work ended that the store has forgotten; false: it has not.
    async fn decide_doubtful(&self, uow: UowId, outcome: Outcome) -> Result<bool, StoreError> {
        let doubtful = lock(&self.doubtful).clone();
        let mine = doubtful.iter().filter(|((unit, _), _)| *unit == uow);
        let mine: Vec<_> = mine
            .map(|((_, name), since)| (name.clone(), *since))
            .collect();
        if mine.is_empty() {
            return Ok(false);
        }
        if outcome == Outcome::Commit {
            // All of them are told the same, also after a restart.
            let names: Vec<&str> = mine.iter().map(|(name, _)| &**name).collect();
            let names = Change::Put(names.join(",").into_bytes());
            let write = Write::new(DECIDED, uow.to_bytes(), names);
            self.local.write_now(None, vec![write], Wait::No).await?;
        }
        for (name, since) in mine {
            lock(&self.doubtful).remove(&(uow, name.clone()));
            lock(&self.untold).insert((uow, name), Told { outcome, since });
        }
        self.work.notify_one();
        Ok(true)
    }
}

/// A device error of a participant is not one of the region's own store.
pub(super) fn of_another(error: StoreError) -> StoreError {
    match error {
        StoreError::Io(text) => StoreError::Unavailable(text),
        StoreError::Closed => StoreError::Unavailable("a partner is closed".to_owned()),
        other => other,
    }
}

/// As [`of_another`], for the participant whose commit decides: it may have failed after the
/// decision was made.
fn of_the_decider(error: StoreError) -> StoreError {
    match error {
        StoreError::Io(text) => StoreError::Unknown(text),
        StoreError::Closed => StoreError::Unknown("the participant gave no answer".to_owned()),
        other => other,
    }
}

pub(super) fn word(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Commit => "committed",
        Outcome::Backout => "backed out",
    }
}
