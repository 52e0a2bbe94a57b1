//! Wrong passwords by the place they come from.
//!
//! What: too many for a user identifier from one place, and it is refused there for a while. Why
//! not the user: somebody who guesses must not lock out who is guessed at; and identifiers nobody
//! has count too, so that an answer does not tell who exists. Why not the gateway's count: a door
//! has users of its own and bounds the work of checking; here it is said how often the region's own
//! users are tried, at terminals and by programs, and SIGNON answers RESP2 of it. Not here:
//! passwords (`file`).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most places and users remembered; more take the place of those that ended.
const ENTRIES_MAX: usize = 10_000;

/// Wrong passwords.
#[derive(Debug, Default)]
pub(crate) struct Attempts(Mutex<HashMap<(String, String), Tried>>);

#[derive(Debug, Clone, Copy)]
struct Tried {
    wrong: u32,
    last: Instant,
}

/// How many are too many, and for how long; `None`: nobody is refused.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Bound {
    /// Wrong passwords.
    pub(crate) most: u32,
    /// Until a place is forgotten.
    pub(crate) time: Duration,
}

impl Attempts {
    /// The user is refused at the place now.
    pub(crate) fn are_too_many(&self, place: &str, user: &str, bound: Bound, now: Instant) -> bool {
        let mut all = self.all();
        let key = (place.to_owned(), user.to_owned());
        match all.get(&key) {
            Some(tried) if now.duration_since(tried.last) >= bound.time => {
                all.remove(&key);
                false
            }
            Some(tried) => tried.wrong >= bound.most,
            None => false,
        }
    }

    /// One more was wrong. `true`: it was one too many.
    pub(crate) fn wrong(&self, place: &str, user: &str, bound: Bound, now: Instant) -> bool {
        let mut all = self.all();
        let key = (place.to_owned(), user.to_owned());
        if all.len() >= ENTRIES_MAX && !all.contains_key(&key) {
            all.retain(|_, tried| now.duration_since(tried.last) < bound.time);
            if all.len() >= ENTRIES_MAX {
                let oldest = all.iter().min_by_key(|(_, tried)| tried.last);
                let oldest = oldest.map(|(key, _)| key.clone());
                oldest.and_then(|key| all.remove(&key));
            }
        }
        let tried = all.entry(key).or_insert(Tried {
            wrong: 0,
            last: now,
        });
        tried.wrong = tried.wrong.saturating_add(1);
        tried.last = now;
        tried.wrong == bound.most
    }

    /// The password was right: the count begins again.
    pub(crate) fn right(&self, place: &str, user: &str) {
        self.all().remove(&(place.to_owned(), user.to_owned()));
    }

    fn all(&self) -> MutexGuard<'_, HashMap<(String, String), Tried>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    #[test]
    fn a_place_is_refused_for_a_while_and_others_are_not() {
        let (attempts, begin) = (Attempts::default(), clock::begin());
        let bound = Bound {
            most: 2,
            time: Duration::from_secs(60),
        };
        assert!(!attempts.wrong("A", "ALICE", bound, begin));
        assert!(attempts.wrong("A", "ALICE", bound, begin));
        let refused = |place, now| attempts.are_too_many(place, "ALICE", bound, now);
        assert!(refused("A", begin) && !refused("B", begin));
        let later = begin + bound.time;
        assert!(!refused("A", later));
        assert!(!attempts.wrong("A", "ALICE", bound, later));
        attempts.right("A", "ALICE");
        assert!(!attempts.wrong("A", "ALICE", bound, later));
    }
}
