//! A transaction that may run in one of several regions.
//!
//! What: regions are tried in the order the balancer says; one that cannot be reached is passed
//! over. Where sessions are all in use, the best one is waited for. A pseudo-conversation that
//! stays in its region goes nowhere else: what it left there would be missing. Not here: the order
//! (`balance`), one region (`relay`).

use super::away::{NO_SESSION, NOT_IN_SERVICE, away};
use super::balance::{Candidate, Run};
use super::relay::Way;
use crate::Links;
use crate::definition::Place;
use std::sync::atomic::Ordering::SeqCst;
use transom_messages::{self as messages, Message};
use transom_recovery::guard::lock;
use transom_types::{Applid, SysId, TransId};
use transom_wire::carried::payload_of;
use transom_wire::payload::Section;
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Over, Routing};
use transom_wire::terminal::Left;

impl Links {
    /// Has the best of several regions run the transaction of a terminal.
    pub(super) async fn balanced(
        &self,
        task: u32,
        routing: Routing,
        path: Vec<Applid>,
    ) -> RegionAnswer {
        let terminal = routing.facts.terminal;
        let way = match self.balancer.conversation(terminal) {
            Some(system) => match self.way(system, routing.waits).await {
                Ok(way) => Ok(way),
                Err((error, why)) => {
                    self.balancer.converses(terminal, None);
                    let why = messages::is::conversation_away(system, why);
                    Err((error, why))
                }
            },
            None => self.best_way(&routing).await,
        };
        let way = match way {
            Ok(way) => way,
            Err((error, why)) => return away(error, why),
        };
        let (system, transid) = (way.system(), routing.transid);
        // It is counted to its end, also when the relay task is purged.
        let mut counted = Counted {
            links: self,
            system,
            transid,
            run: None,
        };
        self.balancer.begins(system);
        let (answer, run) = self.run_there(way, task, routing, path).await;
        counted.run = run;
        if self.balancer.config.keeps_conversations {
            let goes_on = names_next(&answer);
            self.balancer.converses(terminal, goes_on.then_some(system));
        }
        answer
    }

    async fn best_way(&self, routing: &Routing) -> Result<Way, (u8, Message)> {
        let candidates = self.candidates();
        let order = self.balancer.order(routing.transid, candidates);
        let mut failed = (NOT_IN_SERVICE, messages::is::no_target());
        let mut full: Option<SysId> = None;
        for system in order {
            match self.way(system, false).await {
                Ok(way) => return Ok(way),
                Err((error, why)) => {
                    if error == NO_SESSION {
                        full.get_or_insert(system);
                    }
                    failed = (error, why);
                }
            }
        }
        match full.filter(|_| routing.waits) {
            Some(system) => self.way(system, true).await,
            None => Err(failed),
        }
    }

    /// Regions that answer.
    fn candidates(&self) -> Vec<Candidate> {
        let targets = self.balancer.config.targets.iter();
        let links = targets.filter_map(|name| self.link(*name));
        links
            .filter(|link| link.acquired.load(SeqCst))
            .map(|link| Candidate {
                name: link.name,
                over_tcp: *lock(&link.place) != Place::Host,
            })
            .collect()
    }
}

/// A transaction of the balancer, until it is dropped.
struct Counted<'a> {
    links: &'a Links,
    system: SysId,
    transid: TransId,
    run: Option<Run>,
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        let balancer = &self.links.balancer;
        balancer.ended(self.system, self.transid, self.run);
    }
}

/// The task has named the next transaction of its terminal.
fn names_next(answer: &RegionAnswer) -> bool {
    let Some(Over::Ended(reply)) = Over::decode(&answer.data) else {
        return false;
    };
    let sections = payload_of(reply).map(|(_, sections)| sections);
    let left = sections.and_then(|all| all.get(Section::Terminal).and_then(Left::decode));
    left.is_some_and(|left| left.next.is_some())
}
