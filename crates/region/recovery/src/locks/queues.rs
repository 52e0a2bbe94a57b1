//! Queues of locks: grants, hand-over, circles, deadlines.

use super::{Granted, Held, Name, State, Waiter};
use crate::{StoreError, UowId, Wait};
use std::cmp::Reverse;
use std::collections::{HashSet, VecDeque};
use std::time::Instant;
use tokio::sync::oneshot;

/// Deadlines of waits that are over before they are looked through.
const SPARE_DEADLINES: usize = 1_024;

impl State {
    pub(super) fn grant_free(&mut self, uow: UowId, wanted: Vec<u8>) -> Result<(), StoreError> {
        if self.held.len() >= self.limit {
            self.figures.refused += 1;
            return Err(StoreError::Limit("record locks"));
        }
        let name: Name = wanted.into();
        let held = Held {
            owner: uow,
            retained: false,
            queue: VecDeque::new(),
        };
        self.held.insert(name.clone(), held);
        self.owned.entry(uow).or_default().insert(name);
        self.figures.peak = self.figures.peak.max(self.held.len());
        Ok(())
    }

    pub(super) fn may_wait(
        &mut self,
        uow: UowId,
        wanted: &[u8],
        wait: Wait,
    ) -> Result<(), StoreError> {
        if self.held.get(wanted).is_some_and(|h| h.retained) {
            self.figures.retained += 1;
            return Err(StoreError::Locked);
        }
        match wait {
            Wait::No => return Err(StoreError::Busy),
            Wait::Until(at) if at <= Instant::now() => {
                self.figures.timeouts += 1;
                return Err(StoreError::Timeout);
            }
            Wait::Until(_) | Wait::Forever => {}
        }
        if self.would_close_circle(uow, wanted) {
            self.figures.deadlocks += 1;
            return Err(StoreError::Deadlock);
        }
        Ok(())
    }

    /// Who waits depends on the owner and on everybody before it in the queue.
    pub(super) fn would_close_circle(&self, uow: UowId, wanted: &[u8]) -> bool {
        let mut seen = HashSet::new();
        let mut open = self.before(wanted, u64::MAX);
        while let Some(next) = open.pop() {
            if next == uow {
                return true;
            }
            if !seen.insert(next) {
                continue;
            }
            if let Some((name, ticket)) = self.waiting.get(&next) {
                open.extend(self.before(name, *ticket));
            }
        }
        false
    }

    pub(super) fn before(&self, name: &[u8], ticket: u64) -> Vec<UowId> {
        let Some(held) = self.held.get(name) else {
            return Vec::new();
        };
        let earlier = held
            .queue
            .iter()
            .filter(|w| w.ticket < ticket)
            .map(|w| w.uow);
        std::iter::once(held.owner).chain(earlier).collect()
    }

    pub(super) fn join_queue(
        &mut self,
        uow: UowId,
        wanted: &[u8],
        granted: oneshot::Sender<Granted>,
    ) -> Result<(Name, u64), StoreError> {
        self.next_ticket += 1;
        let ticket = self.next_ticket;
        let (name, _) = self.held.get_key_value(wanted).ok_or(StoreError::Closed)?;
        let name = name.clone();
        if let Some(held) = self.held.get_mut(wanted) {
            held.queue.push_back(Waiter {
                uow,
                ticket,
                granted,
            });
        }
        self.waiting.insert(uow, (name.clone(), ticket));
        self.figures.waits += 1;
        Ok((name, ticket))
    }

    pub(super) fn leave_queue(&mut self, uow: UowId, ticket: u64) -> Option<Waiter> {
        let (name, _) = self.waiting.get(&uow).filter(|w| w.1 == ticket)?.clone();
        self.waiting.remove(&uow);
        let queue = &mut self.held.get_mut(&name)?.queue;
        let place = queue.iter().position(|w| w.ticket == ticket)?;
        queue.remove(place)
    }

    pub(super) fn release(&mut self, uow: UowId, name: &[u8]) {
        let Some(owned) = self.owned.get_mut(&uow) else {
            return;
        };
        if !owned.remove(name) {
            return;
        }
        if owned.is_empty() {
            self.owned.remove(&uow);
        }
        self.hand_over(name);
    }

    /// The lock has no owner any more: the next in the queue who still waits becomes it.
    pub(super) fn hand_over(&mut self, name: &[u8]) {
        while let Some(held) = self.held.get_mut(name) {
            let Some(next) = held.queue.pop_front() else {
                self.held.remove(name);
                return;
            };
            held.owner = next.uow;
            held.retained = false;
            self.waiting.remove(&next.uow);
            if next.granted.send(Ok(())).is_ok() {
                if let Some((name, _)) = self.held.get_key_value(name) {
                    let name = name.clone();
                    self.owned.entry(next.uow).or_default().insert(name);
                }
                return;
            }
        }
    }

    /// Remembers a deadline; those of waits that are over are thrown away before they are many.
    pub(super) fn add_deadline(&mut self, at: Instant, uow: UowId, ticket: u64) {
        if self.deadlines.len() > 2 * self.waiting.len() + SPARE_DEADLINES {
            let waiting = &self.waiting;
            let waits = |uow: &UowId, ticket| waiting.get(uow).is_some_and(|w| w.1 == ticket);
            self.deadlines.retain(|Reverse((_, u, t))| waits(u, *t));
        }
        self.deadlines.push(Reverse((at, uow, ticket)));
    }

    /// Ends waits whose deadline is over; the next deadline.
    pub(super) fn expire(&mut self, now: Instant) -> Option<Instant> {
        while let Some(Reverse((at, uow, ticket))) = self.deadlines.peek().copied() {
            if at > now {
                return Some(at);
            }
            self.deadlines.pop();
            if let Some(waiter) = self.leave_queue(uow, ticket) {
                self.figures.timeouts += 1;
                let _ = waiter.granted.send(Err(StoreError::Timeout));
            }
        }
        None
    }
}
