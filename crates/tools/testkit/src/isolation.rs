//! What units of work see of each other: a history of many at a time, checked afterwards.
//!
//! What: each unit of work adds its number to the lists of some keys and remembers what it read;
//! some are backed out, some add twice. The lists tell in which order units of work came, so the
//! history can be checked: nobody saw what was backed out or only half done, no addition was lost,
//! and what was read for update fits into one order of all units of work (no lost update, no write
//! skew). Reads without lock promise only that what they see was committed. Why lists: a number
//! that was overwritten would not tell. Not here: crashes.

use crate::child::MAP_BYTES;
use crate::plan::Plan;
use crate::report::Part;
use crate::rng::Rng;
use crate::target::Target;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};
use transom_datasets::conformance::Cluster;
use transom_recovery::*;
use transom_types::Applid;

/// Tables; the second is that of the partner where there is one.
const TABLES: [&str; 2] = ["file/LISTS", "file/BANK.LISTS"];
/// Keys of a table.
const KEYS: u64 = 6;
/// Units of work at a time.
const TASKS: u64 = 6;
/// How long a lock is waited for.
const PATIENCE: Duration = Duration::from_millis(200);

/// Table and key.
type Place = (usize, u64);

/// What one unit of work did.
#[derive(Debug, Default)]
struct Unit {
    number: u64,
    committed: bool,
    /// Lists read under a lock, before own additions.
    locked: BTreeMap<Place, Vec<u64>>,
    /// Lists it added to.
    added: BTreeSet<Place>,
    /// Lists read without a lock.
    seen: Vec<(Place, Vec<u64>)>,
}

/// Runs the part.
pub(crate) fn run(plan: &Plan) -> Part {
    let mut part = Part::default();
    let cluster = Cluster::start()
        .inspect_err(|reason| part.skipped.push(format!("PostgreSQL: {reason}")))
        .ok();
    let targets = [Target::Local, Target::Postgres, Target::Both];
    let rounds = plan.pick(4, 1);
    let life = Duration::from_millis(plan.pick(5_000, 700));
    let bar = plan.bar("isolation", targets.len() * rounds);
    let mut units = 0;
    for (number, target) in targets
        .iter()
        .flat_map(|t| std::iter::repeat_n(*t, rounds))
        .enumerate()
    {
        if target.is_postgres() && cluster.is_none() {
            continue;
        }
        let name = format!("isolation{number}");
        let connect = cluster.as_ref().filter(|_| target.is_postgres());
        let result = (|| {
            let connect = connect.map(|c| c.database(&name)).transpose()?;
            let folder = plan.folder(&name)?;
            let opened = target.open(&folder, &connect.unwrap_or_default(), MAP_BYTES);
            let opened = opened.map_err(|e| e.to_string())?;
            let store = opened.store;
            let history = history(&store, opened.applid, plan.seed, number as u64, life)?;
            units += history.iter().filter(|u| u.committed).count();
            check(&history, &finals(&*store).map_err(|e| e.to_string())?)
        })();
        part.case(&format!("{target:?} {number}"), result);
        bar.inc(1);
    }
    bar.finish_and_clear();
    part.notes
        .push(format!("{units} units of work in histories"));
    part
}

fn history(
    store: &Arc<dyn UowStore>,
    applid: Applid,
    seed: u64,
    case: u64,
    life: Duration,
) -> Result<Vec<Unit>, String> {
    for table in TABLES {
        wait(store.define(table)).map_err(|e| e.to_string())?;
    }
    let (next, all) = (AtomicU64::new(1), Mutex::new(Vec::new()));
    let end = Instant::now() + life;
    std::thread::scope(|scope| {
        for task in 0..TASKS {
            let (next, all) = (&next, &all);
            scope.spawn(move || {
                let mut rng = Rng::of_case(seed, 6, case * TASKS + task);
                while Instant::now() < end {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let mut unit = Unit {
                        number,
                        ..Unit::default()
                    };
                    let uow = UowId::new(applid, number);
                    let done = work(&**store, uow, &mut unit, &mut rng);
                    let commits = done.is_ok() && rng.below(6) > 0;
                    unit.committed = commits && wait(store.commit(uow)).is_ok();
                    if !unit.committed {
                        // What cannot be backed out in order is forgotten.
                        let _ = wait(store.backout(uow)).map_err(|_| store.release(uow));
                    }
                    all.lock()
                        .unwrap_or_else(PoisonError::into_inner)
                        .push(unit);
                }
            });
        }
    });
    Ok(all.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// A few steps on random keys.
fn work(
    store: &dyn UowStore,
    uow: UowId,
    unit: &mut Unit,
    rng: &mut Rng,
) -> Result<(), StoreError> {
    for _ in 0..=rng.below(4) {
        let place = (rng.below(2) as usize, rng.below(KEYS));
        let (table, key) = (TABLES[place.0], place.1.to_be_bytes());
        let wait_for = Wait::Until(Instant::now() + PATIENCE);
        match rng.below(4) {
            // Without lock; what the unit added itself is seen, too, and tells nothing.
            0 if !unit.added.contains(&place) => {
                let row = wait(store.read(Some(uow), table, &key, Match::Equal, Lock::None))?;
                unit.seen.push((place, list(row)));
            }
            // For update, and not updated: the lock stays to the end.
            1 => {
                wait(store.lock(uow, table, &key, wait_for))?;
                read_locked(store, uow, place, unit)?;
            }
            times => {
                wait(store.lock(uow, table, &key, wait_for))?;
                let mut now = read_locked(store, uow, place, unit)?;
                // Twice: nobody may see the first alone.
                for _ in 0..times.max(1) {
                    now.push(unit.number);
                    let bytes = now.iter().flat_map(|n| n.to_be_bytes()).collect();
                    wait(store.stage(uow, table, &key, Change::Put(bytes), wait_for))?;
                    if now.iter().filter(|n| **n == unit.number).count() >= 2 {
                        break;
                    }
                }
                unit.added.insert(place);
            }
        }
    }
    Ok(())
}

fn read_locked(
    store: &dyn UowStore,
    uow: UowId,
    place: Place,
    unit: &mut Unit,
) -> Result<Vec<u64>, StoreError> {
    let (table, key) = (TABLES[place.0], place.1.to_be_bytes());
    let row = wait(store.read(Some(uow), table, &key, Match::Equal, Lock::None))?;
    let now = list(row);
    unit.locked.entry(place).or_insert_with(|| now.clone());
    Ok(now)
}

fn list(row: Option<Row>) -> Vec<u64> {
    let record = row.map(|r| r.record).unwrap_or_default();
    let numbers = record.chunks_exact(8).filter_map(|n| n.try_into().ok());
    numbers.map(u64::from_be_bytes).collect()
}

fn finals(store: &dyn UowStore) -> Result<BTreeMap<Place, Vec<u64>>, StoreError> {
    let mut all = BTreeMap::new();
    for (table, name) in TABLES.iter().enumerate() {
        for key in 0..KEYS {
            let bytes = key.to_be_bytes();
            let row = store.read(None, name, &bytes, Match::Equal, Lock::None);
            all.insert((table, key), list(wait(row)?));
        }
    }
    Ok(all)
}

/// Checks a history against the lists at its end.
fn check(history: &[Unit], finals: &BTreeMap<Place, Vec<u64>>) -> Result<(), String> {
    let units: HashMap<u64, &Unit> = history.iter().map(|u| (u.number, u)).collect();
    let committed = |n: &u64| units.get(n).is_some_and(|u| u.committed);
    let empty = Vec::new();
    let last = |place: &Place| finals.get(place).unwrap_or(&empty);
    // Who follows whom, in each list and by what was read under a lock.
    let mut follows: HashMap<u64, BTreeSet<u64>> = HashMap::new();
    for (place, list) in finals {
        if let Some(n) = list.iter().find(|n| !committed(n)) {
            return Err(format!("{place:?} has {n}, which was backed out"));
        }
        for pair in list.windows(2).filter(|p| p[0] != p[1]) {
            follows.entry(pair[0]).or_default().insert(pair[1]);
        }
    }
    for unit in history {
        let unlocked = unit.seen.iter().map(|(place, seen)| (place, seen));
        for (place, seen) in unlocked.chain(&unit.locked) {
            let list = last(place);
            if !list.starts_with(seen) {
                return Err(format!("unit {} saw {seen:?} in {place:?}", unit.number));
            }
            let cut = seen.last().is_some_and(|n| list.get(seen.len()) == Some(n));
            if cut {
                return Err(format!(
                    "unit {} saw half of a unit of work in {place:?}",
                    unit.number
                ));
            }
        }
        if !unit.committed {
            continue;
        }
        for (place, read) in &unit.locked {
            let list = last(place);
            if let Some(before) = read.last() {
                follows.entry(*before).or_default().insert(unit.number);
            }
            let mut next = list.iter().skip(read.len());
            let following = next.find(|n| **n != unit.number);
            if let Some(n) = following {
                follows.entry(unit.number).or_default().insert(*n);
            }
            if unit.added.contains(place) && list.get(read.len()) != Some(&unit.number) {
                return Err(format!(
                    "the addition of unit {} to {place:?} is lost",
                    unit.number
                ));
            }
        }
    }
    match circle(&follows) {
        None => Ok(()),
        Some(n) => Err(format!("unit {n} comes before and after itself")),
    }
}

/// A unit of work that follows itself: those nobody has to wait for are taken away until no such is
/// left.
fn circle(follows: &HashMap<u64, BTreeSet<u64>>) -> Option<u64> {
    let mut waits: HashMap<u64, usize> = HashMap::new();
    for (before, after) in follows {
        waits.entry(*before).or_default();
        for n in after {
            *waits.entry(*n).or_default() += 1;
        }
    }
    let free = waits.iter().filter(|w| *w.1 == 0).map(|w| *w.0);
    let mut free: Vec<u64> = free.collect();
    while let Some(n) = free.pop() {
        waits.remove(&n);
        for after in follows.get(&n).into_iter().flatten() {
            if let Some(count) = waits.get_mut(after) {
                *count -= 1;
                if *count == 0 {
                    free.push(*after);
                }
            }
        }
    }
    waits.keys().min().copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(number: u64, read: &[(Place, &[u64])], added: &[Place]) -> Unit {
        Unit {
            number,
            committed: true,
            locked: read.iter().map(|(p, l)| (*p, l.to_vec())).collect(),
            added: added.iter().copied().collect(),
            seen: Vec::new(),
        }
    }

    #[test]
    fn what_must_not_be_is_found() {
        let (x, y) = ((0, 1), (0, 2));
        // Each read what the other changed: write skew.
        let skew = [
            unit(1, &[(x, &[]), (y, &[])], &[x]),
            unit(2, &[(x, &[]), (y, &[])], &[y]),
        ];
        let finals = BTreeMap::from([(x, vec![1]), (y, vec![2])]);
        assert!(check(&skew, &finals).unwrap_err().contains("after itself"));
        // Both read the same list; one addition is gone.
        let lost = [unit(1, &[(x, &[])], &[x]), unit(2, &[(x, &[])], &[x])];
        let finals = BTreeMap::from([(x, vec![2])]);
        assert!(check(&lost, &finals).unwrap_err().contains("lost"));
        let mut dirty = [unit(1, &[(x, &[])], &[x]), unit(2, &[], &[])];
        (dirty[0].committed, dirty[1].seen) = (false, vec![(x, vec![1])]);
        let finals = BTreeMap::from([(x, vec![])]);
        assert!(check(&dirty, &finals).unwrap_err().contains("unit 2 saw"));
        let good = [unit(1, &[(x, &[])], &[x]), unit(2, &[(x, &[1])], &[x])];
        let finals = BTreeMap::from([(x, vec![1, 2])]);
        assert_eq!(check(&good, &finals), Ok(()));
    }
}
