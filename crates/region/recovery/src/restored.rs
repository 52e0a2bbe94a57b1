//! That a store was made from a backup, and what it cannot know therefore.
//!
//! What: when it was restored, and from which places on the forward recovery logs beside it hold
//! what is not in it. Why in the store: whoever opens it learns of it, whatever folder it lies in.
//! What was decided after the backup the store has forgotten: a participant that has prepared such
//! a unit of work must not be told that it was backed out. Not here: making backups, applying logs.

use crate::{Change, Direction, Lock, Match, StoreError, UowStore, Wait, Write, wait};
use std::ops::Bound;

/// Table with units of work whose commit a forward recovery log may not say yet: number (8 bytes)
/// and name of the log. Written with their changes.
pub const FORWARD: &str = "uow/forward";

/// The table; only stores that were restored have it.
const TABLE: &str = "uow/restored";
const WHEN: &[u8] = b"when";
const MADE: &[u8] = b"made";
const APPLIED: &[u8] = b"applied";
const OPEN: &[u8] = b"open";
const LOG: &[u8] = b"log/";
/// Logs beside a store at most.
const LOGS_MAX: usize = 2_000;

/// What a store knows of the backup it came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Restored {
    /// Nanoseconds since 1970 when it was restored. Units of work of regions have numbers that
    /// begin with their clock: those of the time before are lower.
    pub when_ns: u64,
    /// When the backup was made, as a text.
    pub made: String,
    /// Forward recovery logs.
    pub logs: Vec<LogPlace>,
    /// They can be applied: no region has run on the store since.
    pub open: bool,
    /// Up to when they are, or are being, applied: milliseconds since 1970, the highest number for
    /// their ends.
    pub applied: Option<u64>,
}

/// Where a log goes on behind a backup.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct LogPlace {
    /// Name of its file without `.jnl`.
    pub name: String,
    /// Bytes of it when the backup was made.
    pub bytes: u64,
    /// Number of its last record then; 0: it had none.
    pub number: u32,
}

impl Restored {
    /// What a store knows; `None`: it was never restored.
    pub async fn read(store: &dyn UowStore) -> Result<Option<Self>, StoreError> {
        if !store.tables(TABLE).await?.iter().any(|name| name == TABLE) {
            return Ok(None);
        }
        let forward = Direction::Forward;
        let rows = store.scan(None, TABLE, Bound::Unbounded, &[], forward, LOGS_MAX);
        let mut found = Self::default();
        for row in rows.await? {
            let text = String::from_utf8_lossy(&row.record).into_owned();
            match row.key.as_slice() {
                WHEN => found.when_ns = text.parse().unwrap_or(u64::MAX),
                MADE => found.made = text,
                APPLIED => found.applied = text.parse().ok(),
                OPEN => found.open = true,
                key => found.logs.extend(LogPlace::from_row(key, &text)),
            }
        }
        Ok((found.when_ns > 0).then_some(found))
    }

    /// Writes all of it, in place of what was there.
    pub fn write(&self, store: &dyn UowStore) -> Result<(), StoreError> {
        wait(store.define(TABLE))?;
        wait(store.empty(TABLE))?;
        let put = |key: &[u8], text: String| Write::new(TABLE, key, Change::Put(text.into()));
        let mut writes = vec![
            put(WHEN, self.when_ns.to_string()),
            put(MADE, self.made.clone()),
        ];
        writes.extend(self.applied.map(|until| put(APPLIED, until.to_string())));
        writes.extend(self.open.then(|| put(OPEN, String::new())));
        for log in self.logs.iter().take(LOGS_MAX - 4) {
            let key = [LOG, log.name.as_bytes()].concat();
            writes.push(put(&key, format!("{} {}", log.bytes, log.number)));
        }
        wait(store.write_now(None, writes, Wait::No))
    }

    /// Notes up to when logs are being applied, before the first change.
    pub fn applying(store: &dyn UowStore, until_ms: u64) -> Result<(), StoreError> {
        let put = Change::Put(until_ms.to_string().into());
        wait(store.write_now(None, vec![Write::new(TABLE, APPLIED, put)], Wait::No))
    }

    /// A region goes on from here: the logs can be applied no more.
    pub fn forget_logs(&self, store: &dyn UowStore) -> Result<(), StoreError> {
        let keys = self
            .logs
            .iter()
            .map(|log| [LOG, log.name.as_bytes()].concat());
        let keys = keys.chain([APPLIED.to_vec(), OPEN.to_vec()]);
        let writes = keys.map(|key| Write::new(TABLE, key, Change::Erase));
        wait(store.write_now(None, writes.collect(), Wait::No))
    }

    /// When the store was restored, in nanoseconds since 1970; `None`: never.
    pub(crate) async fn when(store: &dyn UowStore) -> Result<Option<u64>, StoreError> {
        let row = store
            .read(None, TABLE, WHEN, Match::Equal, Lock::None)
            .await;
        match row {
            Err(StoreError::NoTable(_)) => Ok(None),
            row => Ok(row?.and_then(|row| String::from_utf8(row.record).ok()?.parse().ok())),
        }
    }
}

impl LogPlace {
    fn from_row(key: &[u8], text: &str) -> Option<Self> {
        let name = std::str::from_utf8(key.strip_prefix(LOG)?).ok()?;
        let (bytes, number) = text.split_once(' ')?;
        Some(Self {
            name: name.to_owned(),
            bytes: bytes.parse().ok()?,
            number: number.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MemoryStore;

    #[test]
    fn what_is_noted_is_read_and_logs_are_forgotten() {
        let store = MemoryStore::in_memory(1 << 20);
        assert_eq!(wait(Restored::read(&store)), Ok(None));
        assert_eq!(wait(Restored::when(&store)), Ok(None));
        let mut noted = Restored {
            when_ns: 17,
            made: "2026-11-22 11:00:00 UTC".into(),
            logs: vec![LogPlace {
                name: "DFHJ06".into(),
                bytes: 12_345,
                number: 9,
            }],
            open: true,
            applied: None,
        };
        noted.write(&store).unwrap();
        assert_eq!(wait(Restored::read(&store)), Ok(Some(noted.clone())));
        Restored::applying(&store, u64::MAX).unwrap();
        noted.applied = Some(u64::MAX);
        assert_eq!(wait(Restored::read(&store)), Ok(Some(noted.clone())));
        noted.forget_logs(&store).unwrap();
        let left = wait(Restored::read(&store)).unwrap().unwrap();
        assert_eq!((left.logs, left.applied, left.when_ns), (vec![], None, 17));
        assert!(!left.open);
        assert_eq!(wait(Restored::when(&store)), Ok(Some(17)));
    }
}
