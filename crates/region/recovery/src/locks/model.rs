//! Random schedules of the lock queue, compared with a model.
//!
//! All of the lock queue happens under one mutex, so each interleaving of tasks is a sequence of
//! its operations: random sequences are all schedules there are. The model is a list of owners and
//! first-come-first-served queues.

use super::{Locks, Request, Waiting};
use crate::{StoreError, UowId, Wait};
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use transom_types::Applid;

const UNITS: u64 = 6;
const KEYS: u64 = 4;
const SCHEDULES: u64 = 1_000;
const STEPS: u64 = 60;

/// Owner, whether retained, who waits.
#[derive(Default)]
struct Model(BTreeMap<u64, (u64, bool, VecDeque<u64>)>);

fn uow(n: u64) -> UowId {
    UowId::new(Applid::from_field(b"MODEL"), n)
}

/// SplitMix64.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % limit
    }
}

impl Model {
    fn waits_for(&self, unit: u64) -> Vec<u64> {
        let found = self.0.values().find_map(|(owner, _, queue)| {
            let place = queue.iter().position(|u| *u == unit)?;
            let earlier = queue.iter().take(place).copied();
            Some(std::iter::once(*owner).chain(earlier).collect())
        });
        found.unwrap_or_default()
    }

    fn is_circle(&self, unit: u64, key: u64) -> bool {
        let (owner, _, queue) = &self.0[&key];
        let mut open: Vec<u64> = queue.iter().copied().chain([*owner]).collect();
        let mut seen = HashSet::new();
        while let Some(next) = open.pop() {
            if next == unit {
                return true;
            }
            if seen.insert(next) {
                open.extend(self.waits_for(next));
            }
        }
        false
    }

    /// What a request gets; `None`: a place in the queue.
    fn request(&mut self, unit: u64, key: u64, wait: bool) -> Option<Result<bool, StoreError>> {
        let Some((owner, retained, _)) = self.0.get(&key) else {
            self.0.insert(key, (unit, false, VecDeque::new()));
            return Some(Ok(true));
        };
        if *owner == unit {
            return Some(Ok(false));
        }
        if *retained {
            return Some(Err(StoreError::Locked));
        }
        if !wait {
            return Some(Err(StoreError::Busy));
        }
        if self.is_circle(unit, key) {
            return Some(Err(StoreError::Deadlock));
        }
        let entry = self.0.get_mut(&key)?;
        entry.2.push_back(unit);
        None
    }

    fn release(&mut self, unit: u64, key: u64) {
        let Some(entry) = self.0.get_mut(&key).filter(|e| e.0 == unit) else {
            return;
        };
        match entry.2.pop_front() {
            Some(next) => (entry.0, entry.1) = (next, false),
            None => drop(self.0.remove(&key)),
        }
    }

    fn release_all(&mut self, unit: u64) {
        (0..KEYS).for_each(|key| self.release(unit, key));
    }

    fn leave(&mut self, unit: u64) {
        self.0.values_mut().for_each(|e| e.2.retain(|u| *u != unit));
    }

    fn retain(&mut self, unit: u64) {
        for entry in self.0.values_mut().filter(|e| e.0 == unit) {
            entry.1 = true;
            entry.2.clear();
        }
    }
}

/// Waits that are over are taken out.
fn settle(waiting: &mut HashMap<u64, (u64, Waiting)>, model: &Model) {
    let over: Vec<u64> = waiting
        .iter()
        .filter(|(unit, (key, _))| !model.0.get(key).is_some_and(|e| e.2.contains(unit)))
        .map(|(unit, _)| *unit)
        .collect();
    for unit in over {
        let Some((key, place)) = waiting.remove(&unit) else {
            continue;
        };
        let granted = crate::wait(place.granted());
        let owns = model.0.get(&key).is_some_and(|e| e.0 == unit);
        let expected = matches!(
            granted,
            Err(StoreError::Locked | StoreError::Released) if !owns
        ) || (granted.is_ok() && owns);
        assert!(
            expected,
            "unit {unit}, key {key}: {granted:?}, owner: {owns}"
        );
    }
}

fn check(locks: &Locks, model: &Model) {
    for key in 0..KEYS {
        for unit in 0..UNITS {
            let owns = model.0.get(&key).is_some_and(|e| e.0 == unit);
            assert_eq!(locks.holds(uow(unit), "t", &[key as u8]), owns);
        }
    }
    assert_eq!(locks.figures().now, model.0.len());
}

#[test]
fn random_schedules_do_what_the_model_does() {
    for seed in 0..SCHEDULES {
        let mut random = Random(seed);
        let (locks, mut model) = (Locks::new(1_000), Model::default());
        let mut waiting: HashMap<u64, (u64, Waiting)> = HashMap::new();
        for _ in 0..STEPS {
            let (unit, key) = (random.below(UNITS), random.below(KEYS));
            let name = [key as u8];
            let is_waiting = waiting.contains_key(&unit);
            match random.below(10) {
                // A unit waits for one lock at a time.
                0..=5 if !is_waiting => {
                    let patient = random.below(4) > 0;
                    let wait = if patient { Wait::Forever } else { Wait::No };
                    let got = locks.request(uow(unit), "t", &name, wait);
                    match (model.request(unit, key, patient), got) {
                        (None, Ok(Request::Waits(place))) => {
                            waiting.insert(unit, (key, place));
                        }
                        (Some(Ok(new)), Ok(Request::Held(held))) => assert_eq!(new, held),
                        (Some(Err(wanted)), Err(error)) => assert_eq!(wanted, error),
                        (wanted, got) => {
                            panic!("seed {seed}: {wanted:?}, got {:?}", got.map(|_| "other"))
                        }
                    }
                }
                6 if !is_waiting => {
                    locks.release(uow(unit), "t", &name);
                    model.release(unit, key);
                }
                7 if !is_waiting => {
                    locks.release_all(uow(unit));
                    model.release_all(unit);
                }
                8 => {
                    // Gives its place up: the future is dropped, or the owner is released.
                    model.leave(unit);
                    match random.below(2) {
                        0 => drop(waiting.remove(&unit)),
                        _ => locks.end_wait(uow(unit)),
                    }
                }
                9 => {
                    locks.retain(uow(unit));
                    model.retain(unit);
                }
                _ => {}
            }
            settle(&mut waiting, &model);
            check(&locks, &model);
        }
        waiting.clear();
        // Nobody waits for ever: when all are released, nothing is left.
        (0..UNITS).for_each(|unit| locks.release_all(uow(unit)));
        assert_eq!(locks.figures().now, 0, "seed {seed}");
    }
}
