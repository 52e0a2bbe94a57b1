//! Text of statements.
//!
//! What: identifiers quoted, bytes as hexadecimal literals; nothing of a user goes into a statement
//! any other way. Why text: a whole unit of work is one message. Not here: sending.

use std::fmt::Write as _;
use std::ops::Bound;
use transom_recovery::{Change, Direction, Overlay, StoreError, Write};
use transom_types::Applid;

/// Longest name of a table in PostgreSQL.
const NAME_MAX: usize = 63;

/// Raised by our own statements for a retained lock.
pub(super) const RETAINED: &str = "TX001";
/// Raised by our own statements for a lock that is not free.
pub(super) const BUSY: &str = "TX002";

/// Format of the schema; a store of another one is refused.
pub(super) const VERSION: &str = "1";

/// What the store needs beside the tables of files. `ended` and `outcomes` are written by the
/// transaction they are about: what is there happened.
pub(super) const SCHEMA: &str = "BEGIN;
SET LOCAL client_min_messages = warning;
SELECT pg_advisory_xact_lock(1414745421, 0);
CREATE SCHEMA IF NOT EXISTS transom;
CREATE SCHEMA IF NOT EXISTS transom_data;
CREATE TABLE IF NOT EXISTS transom.store (one boolean PRIMARY KEY DEFAULT true CHECK (one), version text NOT NULL, id text NOT NULL);
CREATE TABLE IF NOT EXISTS transom.counters (name text PRIMARY KEY, next bigint NOT NULL);
CREATE TABLE IF NOT EXISTS transom.prepared (gid text PRIMARY KEY, info bytea NOT NULL, since bigint NOT NULL);
CREATE TABLE IF NOT EXISTS transom.ended (gid text PRIMARY KEY);
CREATE TABLE IF NOT EXISTS transom.outcomes (session bigint PRIMARY KEY, owner text NOT NULL, mark bigint NOT NULL) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS transom.retained (lock bigint NOT NULL, gid text NOT NULL, PRIMARY KEY (lock, gid));
CREATE INDEX IF NOT EXISTS retained_gid ON transom.retained (gid);
INSERT INTO transom.store (version, id) VALUES ('VERSION', 'NEW_ID') ON CONFLICT DO NOTHING;
COMMIT";

/// Application names of the other stores on this database.
pub(super) const OTHERS: &str = "SELECT DISTINCT application_name FROM pg_stat_activity \
     WHERE datname = current_database() AND application_name LIKE 'transom %' AND application_name <> $1";

/// Qualified, quoted name of a table.
pub(super) fn table(name: &str) -> Result<String, StoreError> {
    if name.len() > NAME_MAX {
        return Err(StoreError::TooLong {
            length: name.len(),
            max: NAME_MAX,
        });
    }
    Ok(format!("transom_data.\"{}\"", name.replace('"', "\"\"")))
}

/// A text literal.
pub(super) fn text(value: &str) -> String {
    format!("'{}'", value.replace('\'', "''"))
}

/// A bytea literal.
pub(super) fn bytes(value: &[u8]) -> String {
    let mut out = String::with_capacity(value.len() * 2 + 16);
    out.push_str("'\\x");
    for byte in value {
        // Writing to a String does not fail.
        let _ = write!(out, "{byte:02x}");
    }
    out.push_str("'::bytea");
    out
}

/// How names of prepared transactions of a region begin: all databases of a server, all systems
/// that share one and all regions of a system have them apart.
pub(super) fn gid_prefix(store: &str, system: u64, applid: Applid) -> String {
    format!("transom:{store}.{system:016x}.{}.", applid.as_str())
}

/// A lock's name: FNV-1a over table and key. Regions must agree on it, so it never changes.
pub(super) fn lock_hash(table: &str, key: &[u8]) -> i64 {
    let all = table.bytes().chain([0]).chain(key.iter().copied());
    let hash = all.fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    });
    hash.cast_signed()
}

/// Takes a lock of the session. `milliseconds` is the wait, 0 without end, `None` not at all.
pub(super) fn lock(hash: i64, milliseconds: Option<u128>) -> String {
    let take = match milliseconds {
        Some(_) => format!("PERFORM pg_advisory_lock({hash});"),
        None => format!(
            "IF NOT pg_try_advisory_lock({hash}) THEN RAISE EXCEPTION 'busy' USING ERRCODE = '{BUSY}'; END IF;"
        ),
    };
    let wait = milliseconds.unwrap_or_default();
    format!(
        "SET lock_timeout = {wait}; DO $$ BEGIN {take}
         IF EXISTS (SELECT 1 FROM transom.retained WHERE lock = {hash}) THEN
         PERFORM pg_advisory_unlock({hash});
         RAISE EXCEPTION 'retained' USING ERRCODE = '{RETAINED}'; END IF; END $$"
    )
}

/// Writes the outcome of a transaction with it.
pub(super) fn outcome(session: i64, owner: &str, mark: u64) -> String {
    let (owner, mark) = (text(owner), mark.cast_signed());
    format!(
        "INSERT INTO transom.outcomes (session, owner, mark) VALUES ({session}, {owner}, {mark})
         ON CONFLICT (session) DO UPDATE SET mark = EXCLUDED.mark;\n"
    )
}

/// BEGIN, changes of a unit of work, then `end`.
pub(super) fn changes(overlay: &Overlay, end: &str) -> Result<String, StoreError> {
    let mut sql = String::from("BEGIN; SET LOCAL lock_timeout = 0;\n");
    let mut tables: Vec<_> = overlay.tables.iter().collect();
    // All units in the same order.
    tables.sort_by_key(|t| t.0);
    for (name, changes) in tables {
        let table = table(name)?;
        for (key, record) in changes {
            match record {
                Some(record) => sql.push_str(&put(&table, key, record)),
                None => sql.push_str(&erase(&table, key)),
            }
        }
    }
    sql.push_str(end);
    Ok(sql)
}

/// BEGIN and direct writes.
pub(super) fn writes(writes: &[Write]) -> Result<String, StoreError> {
    let mut sql = String::from("BEGIN; SET LOCAL lock_timeout = 0;\n");
    for write in writes {
        let table = table(&write.table)?;
        let key = write.key.as_slice();
        sql.push_str(&match &write.change {
            Change::Put(record) => put(&table, key, record),
            Change::Insert(record) => {
                let (key, record) = (bytes(key), bytes(record));
                format!("INSERT INTO {table} (k, v) VALUES ({key}, {record});\n")
            }
            Change::Erase => erase(&table, key),
            Change::Delete => format!(
                "DO $$ BEGIN DELETE FROM {table} WHERE k = {};
                 IF NOT FOUND THEN RAISE EXCEPTION 'no record' USING ERRCODE = 'P0002'; END IF; END $$;\n",
                bytes(key)
            ),
        });
    }
    Ok(sql)
}

fn put(table: &str, key: &[u8], record: &[u8]) -> String {
    let (key, record) = (bytes(key), bytes(record));
    format!(
        "INSERT INTO {table} (k, v) VALUES ({key}, {record}) ON CONFLICT (k) DO UPDATE SET v = EXCLUDED.v;\n"
    )
}

fn erase(table: &str, key: &[u8]) -> String {
    format!("DELETE FROM {table} WHERE k = {};\n", bytes(key))
}

/// A range in order; the bounds are $1 and $2 when they are there.
pub(super) fn range(
    name: &str,
    low: &Bound<Vec<u8>>,
    high: &Bound<Vec<u8>>,
    direction: Direction,
    limit: usize,
) -> Result<String, StoreError> {
    let mut wheres = Vec::new();
    let mut next = 1;
    for (bound, included, excluded) in [(low, ">=", ">"), (high, "<=", "<")] {
        let operator = match bound {
            Bound::Included(_) => included,
            Bound::Excluded(_) => excluded,
            Bound::Unbounded => continue,
        };
        wheres.push(format!("k {operator} ${next}"));
        next += 1;
    }
    let filter = match wheres.is_empty() {
        true => String::new(),
        false => format!(" WHERE {}", wheres.join(" AND ")),
    };
    let order = match direction {
        Direction::Forward => "",
        Direction::Backward => " DESC",
    };
    let table = table(name)?;
    Ok(format!(
        "SELECT k, v FROM {table}{filter} ORDER BY k{order} LIMIT {limit}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_values_cannot_leave_their_quotes() {
        assert_eq!(table("a\"; DROP").unwrap(), "transom_data.\"a\"\"; DROP\"");
        assert_eq!(text("a'b"), "'a''b'");
        assert_eq!(bytes(b"'\\\x00"), "'\\x275c00'::bytea");
        assert!(table(&"x".repeat(64)).is_err());
    }

    #[test]
    fn hashes_are_those_of_other_regions() {
        // FNV-1a of "a\0", by hand.
        let by_hand = ((0xCBF2_9CE4_8422_2325_u64 ^ 0x61).wrapping_mul(0x0100_0000_01B3))
            .wrapping_mul(0x0100_0000_01B3);
        assert_eq!(lock_hash("a", b""), by_hand.cast_signed());
        assert_ne!(lock_hash("a", b"b"), lock_hash("ab", b""));
    }
}
