//! A participant that cannot prepare and so decides: the last agent.
//!
//! What: the others prepare, then the region's own store, with the agent's name; the agent commits
//! its changes together with a mark of the unit of work, and that decides. After a restart it is
//! asked for the mark. Why: an SQL engine in a file has no prepare. Not here: units of work in
//! which all can prepare (`ends`).

use super::ends::{of_another, word};
use super::state::{Inner, Present};
use crate::guard::lock;
use crate::{Outcome, Participant, StoreError, UowId, fail_point};
use std::sync::Arc;
use transom_messages as messages;

/// In front of an agent's name, with what the region's own store has prepared.
const INFO: &[u8] = b"agent ";

impl Inner {
    /// The last agent among those with changes, and the others.
    pub(super) fn last_agent(
        &self,
        changed: &[usize],
    ) -> Result<(Option<usize>, Vec<usize>), StoreError> {
        let is_agent = |n: &usize| self.participant(*n).is_ok_and(Participant::is_last_agent);
        let (agents, others): (Vec<usize>, Vec<usize>) = changed.iter().partition(|n| is_agent(n));
        match agents.as_slice() {
            [] => Ok((None, others)),
            [agent] => Ok((Some(*agent), others)),
            _ => Err(StoreError::Unsupported(
                "end a unit of work with two participants that cannot prepare",
            )),
        }
    }

    /// The others have prepared; their names are among the changes here.
    pub(super) async fn decide_with(
        &self,
        agent: usize,
        uow: UowId,
        others: &[usize],
    ) -> Result<(), StoreError> {
        let info = [INFO, self.name(agent).as_bytes()].concat();
        let prepared = match fail_point("joint-agent-prepare") {
            Ok(()) => self.local.prepare(uow, &info).await,
            failed => failed,
        };
        if let Err(error) = prepared {
            self.undo(uow).await;
            return Err(error);
        }
        let decided = match (fail_point("joint-agent-decide"), self.participant(agent)) {
            (Ok(()), Ok(one)) => one.decide(uow).await,
            (Err(error), _) | (_, Err(error)) => Err(error),
        };
        match decided {
            Ok(()) => {}
            Err(error @ StoreError::Unknown(_)) => {
                self.wait_for_agent(agent, uow, others);
                return Err(error);
            }
            Err(error) => {
                self.undo(uow).await;
                return Err(of_another(error));
            }
        }
        let _ = fail_point("joint-agent-decided");
        self.follow_agent(agent, uow, others).await
    }

    /// Nobody knows what it decided: the next start asks for the mark, and until then nobody
    /// touches what is locked.
    fn wait_for_agent(&self, agent: usize, uow: UowId, others: &[usize]) {
        lock(&self.with_agent).insert(uow, self.name(agent));
        self.local.retain(uow);
        others.iter().for_each(|n| self.retain_at(*n, uow));
    }

    /// It has decided: the region's own store and the others follow.
    async fn follow_agent(
        &self,
        agent: usize,
        uow: UowId,
        others: &[usize],
    ) -> Result<(), StoreError> {
        if let Err(error) = self.local.commit(uow).await {
            // It is decided; the next start finds the mark and does it.
            others.iter().for_each(|n| self.retain_at(*n, uow));
            return Err(error);
        }
        if let Ok(one) = self.participant(agent) {
            one.forget_mark(uow);
        }
        if !others.is_empty() {
            self.tell(uow, others).await;
        }
        Ok(())
    }

    /// The end panicked somewhere: the mark says whether it was decided.
    pub(super) async fn after_panic_with(
        &self,
        agent: usize,
        uow: UowId,
        others: &[usize],
    ) -> Result<(), StoreError> {
        let one = self.participant(agent)?;
        // Behind what it may be doing still; what it has committed stays.
        let decided = match one.backout(uow).await {
            Ok(()) => one.has_decided(uow).await,
            Err(error) => Err(error),
        };
        match decided {
            Ok(true) => self.follow_agent(agent, uow, others).await,
            Ok(false) => {
                self.undo(uow).await;
                Err(StoreError::Released)
            }
            Err(error) => {
                self.wait_for_agent(agent, uow, others);
                Err(StoreError::Unknown(error.to_string()))
            }
        }
    }

    /// What earlier runs have prepared for a last agent.
    pub(super) async fn read_agents(&self) -> Result<(), StoreError> {
        for doubt in self.local.in_doubt().await? {
            if let Some(name) = doubt.info.strip_prefix(INFO) {
                let name: Arc<str> = String::from_utf8_lossy(name).into();
                lock(&self.with_agent).insert(doubt.uow, name);
            }
        }
        Ok(())
    }

    /// Units of work wait for the answer of an agent that has joined.
    pub(super) fn waits_for_agents(&self) -> bool {
        let names = lock(&self.with_agent);
        names.values().any(|name| self.number_of(name).is_some())
    }

    /// Ends what agents that can be reached have decided, or have not.
    pub(super) async fn ask_agents(&self) {
        for member in self.members() {
            let Some(agent) = member.present.get().map(Present::participant) else {
                continue;
            };
            if !agent.is_last_agent() {
                continue;
            }
            let waiting: Vec<UowId> = lock(&self.with_agent)
                .iter()
                .filter(|(uow, name)| **name == member.name && !lock(&self.ending).contains(uow))
                .map(|(uow, _)| *uow)
                .collect();
            let mut all = true;
            for uow in waiting {
                all &= self.ask_agent(agent, uow, &member.name).await.is_ok();
            }
            if all && !member.clean.load(std::sync::atomic::Ordering::Relaxed) {
                agent.forget_earlier_marks();
            }
        }
    }

    async fn ask_agent(
        &self,
        agent: &dyn Participant,
        uow: UowId,
        name: &str,
    ) -> Result<(), StoreError> {
        fail_point("joint-agent-ask")?;
        let outcome = match agent.has_decided(uow).await? {
            true => Outcome::Commit,
            false => Outcome::Backout,
        };
        match self.local.resolve(uow, outcome).await {
            Ok(()) => {
                let line = messages::rm::doubt_resolved(name, word(outcome), uow);
                self.operator.tell(line);
            }
            // An operator was faster.
            Err(StoreError::NotFound) => {}
            Err(error) => return Err(error),
        }
        if outcome == Outcome::Commit {
            self.read_decision(uow).await?;
            agent.forget_mark(uow);
        }
        lock(&self.with_agent).remove(&uow);
        Ok(())
    }
}
