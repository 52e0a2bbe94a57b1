//! How often passwords may be tried, by the address they come from.
//!
//! Why: checking a password costs a core some 10 ms on purpose, so who sends bogus ones could keep
//! everybody else out. An address that was refused waits in a queue of its own, its refusals are
//! answered later and later, and after too many for one name nothing is checked any more for a
//! while. All of it ends by itself, and nobody else is locked out. Why not the region's count of
//! wrong passwords: those here are of server.xml, which no region need know, and what is kept small
//! here is work, by address, before a password is checked. Not here: the check (`registry`).

use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use transom_types::client_network;

/// Addresses remembered; beyond them an address counts as one that was refused.
const ADDRESSES: usize = 10_000;
/// Names remembered of one address.
const NAMES: usize = 64;
/// An address that was refused nothing for so long begins anew.
const WINDOW: Duration = Duration::from_secs(60);
/// So long an address is remembered for who logged on from it.
const GOOD: Duration = Duration::from_secs(3_600);
/// Passwords of one name that are refused to one address before nothing more is checked.
const TRIES: u32 = 10;
/// Checks of one address that may wait beside those of others.
const SIDE_BY_SIDE: u32 = 4;
/// A refusal is answered so much later than the one before it, up to the most.
const STEP: Duration = Duration::from_millis(250);
const STEPS: u32 = 16;

/// What is known of each address.
pub(super) struct Budget {
    keys: RandomState,
    addresses: Mutex<HashMap<IpAddr, Known>>,
}

struct Known {
    refused: u32,
    at: Instant,
    checking: u32,
    /// Names by their hash: how often they were refused.
    names: Vec<(u64, u32)>,
    /// Names that logged on.
    good: Vec<u64>,
}

impl Known {
    fn new(now: Instant) -> Self {
        Self {
            refused: 0,
            at: now,
            checking: 0,
            names: Vec::new(),
            good: Vec::new(),
        }
    }

    /// How long nothing is checked for the name, where too many were refused.
    fn wait(&self, name: u64, now: Instant) -> Option<Duration> {
        let (_, tries) = self.names.iter().find(|(known, _)| *known == name)?;
        let quiet = now.duration_since(self.at);
        (*tries >= TRIES && quiet <= WINDOW).then(|| WINDOW.saturating_sub(quiet))
    }

    fn is_old(&self, now: Instant) -> bool {
        let keep = if self.good.is_empty() { WINDOW } else { GOOD };
        self.checking == 0 && now.duration_since(self.at) > keep
    }
}

/// What may be done about a password.
pub(super) enum Admission {
    /// It may be checked.
    Check(Turn),
    /// Nothing is checked for so long.
    Wait(Duration),
}

/// A check that was admitted; dropping it ends that.
pub(super) struct Turn {
    budget: Arc<Budget>,
    address: IpAddr,
    name: u64,
    /// The address was refused before, or has many checks already: it waits behind others like it.
    pub(super) suspect: bool,
}

impl Budget {
    pub(super) fn new() -> Self {
        Self {
            keys: RandomState::new(),
            addresses: Mutex::default(),
        }
    }

    /// Whether a password for the name may be checked now.
    pub(super) fn admit(self: &Arc<Self>, address: IpAddr, name: &str, now: Instant) -> Admission {
        let (address, name) = (client_network(address), self.keys.hash_one(name));
        let mut all = self.lock();
        if all.len() >= ADDRESSES && !all.contains_key(&address) {
            all.retain(|_, known| !known.is_old(now));
        }
        let full = all.len() >= ADDRESSES;
        let turn = |suspect| {
            Admission::Check(Turn {
                budget: self.clone(),
                address,
                name,
                suspect,
            })
        };
        if full && !all.contains_key(&address) {
            return turn(true);
        }
        let known = all.entry(address).or_insert_with(|| Known::new(now));
        if now.duration_since(known.at) > WINDOW {
            known.refused = 0;
            known.names.clear();
        }
        if let Some(time) = known.wait(name, now) {
            return Admission::Wait(time);
        }
        let strange = known.refused > 0 && !known.good.contains(&name);
        known.checking += 1;
        turn(strange || known.checking > SIDE_BY_SIDE)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, Known>> {
        self.addresses
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

impl Turn {
    /// How long nothing is checked any more, where too many sent at the same time were refused
    /// while this one waited.
    pub(super) fn too_late(&self, now: Instant) -> Option<Duration> {
        self.budget.lock().get(&self.address)?.wait(self.name, now)
    }

    /// The password was right.
    pub(super) fn proved(&self, now: Instant) {
        let mut all = self.budget.lock();
        let Some(known) = all.get_mut(&self.address) else {
            return;
        };
        known.names.retain(|(name, _)| *name != self.name);
        if !known.good.contains(&self.name) {
            if known.good.len() >= NAMES {
                known.good.remove(0);
            }
            known.good.push(self.name);
        }
        if known.refused == 0 {
            known.at = now;
        }
    }

    /// It was wrong; answers how long its sender waits for hearing that.
    pub(super) fn refused(&self, now: Instant) -> Duration {
        let mut all = self.budget.lock();
        let Some(known) = all.get_mut(&self.address) else {
            return STEP * STEPS;
        };
        known.refused = known.refused.saturating_add(1);
        known.at = now;
        match known.names.iter_mut().find(|(name, _)| *name == self.name) {
            Some((_, tries)) => *tries += 1,
            None => {
                if known.names.len() >= NAMES {
                    known.names.remove(0);
                }
                known.names.push((self.name, 1));
            }
        }
        STEP * known.refused.min(STEPS)
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        if let Some(known) = self.budget.lock().get_mut(&self.address) {
            known.checking = known.checking.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 1));
    const TWO: IpAddr = IpAddr::V4(std::net::Ipv4Addr::new(192, 0, 2, 2));

    fn turn(budget: &Arc<Budget>, address: IpAddr, name: &str, now: Instant) -> Option<Turn> {
        match budget.admit(address, name, now) {
            Admission::Check(turn) => Some(turn),
            Admission::Wait(_) => None,
        }
    }

    #[test]
    fn who_is_refused_waits_longer_and_longer_and_nobody_else_does() {
        let (budget, begin) = (Arc::new(Budget::new()), Instant::now());
        let good = turn(&budget, ONE, "carol", begin).unwrap();
        good.proved(begin);
        for n in 1..=TRIES {
            let tried = turn(&budget, ONE, "alice", begin).unwrap();
            assert_eq!(tried.suspect, n > 1);
            assert_eq!(tried.refused(begin), STEP * n);
        }
        assert!(turn(&budget, ONE, "alice", begin).is_none());
        // Another name waits behind it; who logged on before, and other addresses, do not.
        assert!(turn(&budget, ONE, "bob", begin).unwrap().suspect);
        assert!(!turn(&budget, ONE, "carol", begin).unwrap().suspect);
        assert!(!turn(&budget, TWO, "alice", begin).unwrap().suspect);
        let later = begin + WINDOW + Duration::from_secs(1);
        assert!(!turn(&budget, ONE, "alice", later).unwrap().suspect);
    }

    #[test]
    fn tries_sent_at_once_are_not_checked_beyond_the_most() {
        let (budget, now) = (Arc::new(Budget::new()), Instant::now());
        let sent: Vec<Turn> = (0..3 * TRIES)
            .map(|_| turn(&budget, ONE, "alice", now).unwrap())
            .collect();
        let mut checked = 0;
        for tried in sent {
            if tried.too_late(now).is_none() {
                tried.refused(now);
                checked += 1;
            }
        }
        assert_eq!(checked, TRIES);
    }

    #[test]
    fn one_address_has_few_checks_beside_others() {
        let (budget, now) = (Arc::new(Budget::new()), Instant::now());
        let name = |n: u32| format!("user{n}");
        let held: Vec<Turn> = (0..SIDE_BY_SIDE)
            .map(|n| turn(&budget, ONE, &name(n), now).unwrap())
            .collect();
        assert!(held.iter().all(|turn| !turn.suspect));
        assert!(turn(&budget, ONE, "more", now).unwrap().suspect);
        drop(held);
        assert!(!turn(&budget, ONE, "more", now).unwrap().suspect);
    }
}
