//! Which units of work of a log are applied.
//!
//! What: those that were committed behind the place of the backup and up to the moment asked for,
//! and that the backup does not have already. The ends of units of work need not stand in the order
//! of their commits, so a unit of work that ended just behind the moment comes along when one that
//! counts has changed what it had changed before. Not here: reading records (`log`), changing data
//! sets (`apply`).

use super::log::{self, End};
use crate::time::utc;
use std::collections::{HashMap, HashSet};
use std::io;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use transom_journal::Entry;
use transom_messages::{Message, bk};
use transom_recovery::LogPlace;

/// What is applied of one log.
pub(super) struct Plan {
    pub(super) name: String,
    pub(super) path: PathBuf,
    /// Units of work that count.
    pub(super) units: HashSet<u64>,
    /// Nothing behind this place counts.
    pub(super) end: u64,
    /// When the last of the units of work ended; 0: there are none.
    pub(super) last_ms: u64,
    /// What the operator should know.
    pub(super) notes: Vec<Message>,
}

/// What is asked for.
pub(super) struct Asked<'a> {
    pub(super) folder: &'a Path,
    /// Up to this moment.
    pub(super) until_ms: u64,
    /// Units of work that are in the backup though they ended behind its place.
    pub(super) there: &'a HashSet<u64>,
}

/// How a unit of work ended.
#[derive(Clone, Copy)]
struct Ended {
    at: u64,
    ms: u64,
    committed: bool,
}

/// The first pass over a log.
struct Seen {
    ends: HashMap<u64, Ended>,
    /// Where data sets that were restored go on, behind the place of the backup.
    turn: Option<(u64, u64)>,
    /// Number of the last record before the place of the backup.
    number: u32,
    /// A record begins, or the log ends, at that place.
    met: bool,
    end: End,
}

/// Makes the plan of a log.
pub(super) fn plan(asked: &Asked<'_>, place: &LogPlace) -> Result<Plan, Message> {
    let name = place.name.clone();
    let path = asked.folder.join(format!("{name}.jnl"));
    let failed = |e: io::Error| bk::not_a_log(&name, e);
    let seen = see(&path, place).map_err(failed)?;
    if !seen.met || seen.number != place.number {
        return Err(bk::log_too_short(&name));
    }
    if let Some((_, ms)) = seen.turn
        && asked.until_ms >= ms
    {
        return Err(bk::another_course(&name, utc(ms)));
    }
    let counts = |uow: &u64, end: &Ended| {
        end.committed && end.at >= place.bytes && !asked.there.contains(uow)
    };
    let candidates = seen.ends.iter().filter(|(uow, end)| counts(uow, end));
    let (units, late): (HashSet<u64>, HashSet<u64>) = {
        let (now, late): (Vec<_>, Vec<_>) =
            candidates.partition(|(_, end)| end.ms <= asked.until_ms);
        let numbers = |list: Vec<(&u64, &Ended)>| list.into_iter().map(|(uow, _)| *uow).collect();
        (numbers(now), numbers(late))
    };
    // A damaged record behind all that counts does not matter.
    if seen.end.damaged && late.is_empty() {
        return Err(bk::log_damaged(&name, seen.end.at));
    }
    let mut notes = Vec::new();
    if seen.end.behind > 0 && !seen.end.damaged {
        notes.push(bk::log_cut(&name, seen.end.behind));
    }
    let units = with_earlier(&path, units, late).map_err(failed)?;
    let ended = |f: fn(&Ended) -> u64| {
        let of = |uow| seen.ends.get(uow).map_or(0, f);
        units.iter().map(of).max().unwrap_or(0)
    };
    Ok(Plan {
        end: ended(|end| end.at),
        last_ms: ended(|end| end.ms),
        name,
        path,
        units,
        notes,
    })
}

fn see(path: &Path, place: &LogPlace) -> io::Result<Seen> {
    let (mut ends, mut turn) = (HashMap::new(), None);
    let (mut number, mut met) = (0, place.bytes == 0);
    let end = log::read(path, &mut |at, record| {
        met |= at == place.bytes;
        if at < place.bytes {
            number = record.number;
        }
        match Entry::of(record) {
            // The first counts: one that a region could not write before it died may come twice.
            Some(Entry::Ended { uow, committed }) => {
                let ms = record.unix_ms;
                ends.entry(uow).or_insert(Ended { at, ms, committed });
            }
            Some(Entry::Restored) if at >= place.bytes => {
                turn = Some((at, record.unix_ms));
                return ControlFlow::Break(());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })?;
    met |= end.at == place.bytes;
    Ok(Seen {
        ends,
        turn,
        number,
        met,
        end,
    })
}

/// Takes in those of `late` that changed a record before one of `units` did.
fn with_earlier(
    path: &Path,
    mut units: HashSet<u64>,
    mut late: HashSet<u64>,
) -> io::Result<HashSet<u64>> {
    loop {
        if late.is_empty() || units.is_empty() {
            return Ok(units);
        }
        let mut theirs: HashMap<Vec<u8>, Vec<u64>> = HashMap::new();
        let mut earlier = HashSet::new();
        log::read(path, &mut |_, record| {
            let Some(Entry::Changed { uow, .. }) = Entry::of(record) else {
                return ControlFlow::Continue(());
            };
            // File and key.
            let place = record.prefix.get(8..).unwrap_or_default();
            if late.contains(&uow) {
                theirs.entry(place.to_vec()).or_default().push(uow);
            } else if units.contains(&uow)
                && let Some(before) = theirs.get(place)
            {
                earlier.extend(before.iter().copied());
            }
            ControlFlow::Continue(())
        })?;
        if earlier.is_empty() {
            return Ok(units);
        }
        late.retain(|uow| !earlier.contains(uow));
        units.extend(earlier);
    }
}
