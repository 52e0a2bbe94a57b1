//! The facets of a store, each operation handed to the store's own runtime.

use super::locks::{KEY_MAX, RECORD_MAX};
use super::{PgStore, sql};
use std::ops::Bound;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use tokio_postgres::types::Type;
use transom_recovery::guard::lock;
use transom_recovery::{
    Caps, Direction, InDoubt, LimitStat, Lock, Match, Outcome, Part, Participant, Records, Row,
    SCAN_BYTES_MAX, Scan, StoreError, StoreFuture, StoreStats, Units, UowId, UowStore, Upkeep,
    Wait, Write, ready,
};

/// Records of a scan: a round trip costs as much as sixty records.
const BATCH_HINT: usize = 100;

impl UowStore for PgStore {}

impl Records for PgStore {
    fn caps(&self) -> Caps {
        Caps {
            two_phase: self.inner.two_phase,
            marker_row: false,
            shared_map: false,
            durable: true,
            several_regions: true,
            key_max: KEY_MAX,
            record_max: RECORD_MAX,
            batch_hint: BATCH_HINT,
        }
    }

    fn tables<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, Vec<String>> {
        let (inner, prefix) = (self.inner.clone(), prefix.to_owned());
        self.there(async move {
            let all = "SELECT tablename::text FROM pg_tables
                 WHERE schemaname = 'transom_data' AND starts_with(tablename::text, $1)";
            let rows = inner.pool.rows(all, &[(&prefix, Type::TEXT)]).await?;
            let mut names: Vec<String> = rows.iter().map(|r| r.get(0)).collect();
            names.sort();
            Ok(names)
        })
    }

    fn count<'a>(&'a self, table: &'a str) -> StoreFuture<'a, u64> {
        let (inner, name) = (self.inner.clone(), table.to_owned());
        self.there(async move {
            let count = format!("SELECT count(*) FROM {}", sql::table(&name)?);
            let rows = inner.pool.rows(&count, &[]).await?;
            Ok(rows
                .first()
                .map_or(0, |r| r.get::<_, i64>(0).unsigned_abs()))
        })
    }

    fn read<'a>(
        &'a self,
        uow: Option<UowId>,
        table: &'a str,
        key: &'a [u8],
        select: Match,
        lock: Lock,
    ) -> StoreFuture<'a, Option<Row>> {
        let (inner, table, key) = (self.inner.clone(), table.to_owned(), key.to_vec());
        self.there(async move {
            match (lock, uow) {
                (Lock::None, uow) => inner.find(uow, &table, &key, select).await,
                (Lock::Update(wait), Some(uow)) => {
                    inner.find_for_update(uow, &table, &key, select, wait).await
                }
                (Lock::Update(_), None) => {
                    Err(StoreError::Unsupported("lock without a unit of work"))
                }
            }
        })
    }

    fn scan<'a>(
        &'a self,
        uow: Option<UowId>,
        table: &'a str,
        from: Bound<&'a [u8]>,
        prefix: &'a [u8],
        direction: Direction,
        limit: usize,
    ) -> StoreFuture<'a, Vec<Row>> {
        let (inner, table, prefix) = (self.inner.clone(), table.to_owned(), prefix.to_vec());
        let from = from.map(<[u8]>::to_vec);
        self.there(async move {
            let scan = Scan {
                from: from.as_ref().map(Vec::as_slice),
                prefix: &prefix,
                direction,
                limit,
                bytes_max: SCAN_BYTES_MAX,
            };
            inner.rows(uow, &table, scan).await
        })
    }
}

impl Units for PgStore {
    fn lock<'a>(
        &'a self,
        uow: UowId,
        table: &'a str,
        key: &'a [u8],
        wait: Wait,
    ) -> StoreFuture<'a, ()> {
        let (inner, table, key) = (self.inner.clone(), table.to_owned(), key.to_vec());
        self.there(async move { inner.lock(uow, &table, &key, wait).await.map(|_| ()) })
    }

    fn unlock(&self, uow: UowId, table: &str, key: &[u8]) {
        let unit = self.inner.unit(uow);
        let changed = unit.is_none_or(|u| lock(&u).overlay.get(table, key).is_some());
        if changed {
            return;
        }
        let (inner, table, key) = (self.inner.clone(), table.to_owned(), key.to_vec());
        self.aside(async move { inner.give_back(uow, &table, &key).await });
    }

    fn stage_all(&self, uow: UowId, writes: Vec<Write>, wait: Wait) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.there(async move { inner.stage(uow, writes, wait).await })
    }

    fn write_now(
        &self,
        owner: Option<UowId>,
        writes: Vec<Write>,
        wait: Wait,
    ) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.there(async move { inner.write_now(owner, writes, wait).await })
    }

    fn allocate<'a>(&'a self, table: &'a str, amount: u64) -> StoreFuture<'a, u64> {
        let (inner, name) = (self.inner.clone(), table.to_owned());
        self.there(async move {
            let amount = i64::try_from(amount).map_err(|_| StoreError::Limit("counter"))?;
            let next = "INSERT INTO transom.counters (name, next) VALUES ($1, $2)
                 ON CONFLICT (name) DO UPDATE SET next = counters.next + $2 RETURNING next - $2";
            let parameters: [(&(dyn tokio_postgres::types::ToSql + Sync), Type); 2] =
                [(&name, Type::TEXT), (&amount, Type::INT8)];
            let rows = inner.pool.rows(next, &parameters).await?;
            Ok(rows
                .first()
                .map_or(0, |r| r.get::<_, i64>(0).unsigned_abs()))
        })
    }
}

impl Participant for PgStore {
    fn part(&self, uow: UowId) -> Part {
        self.inner.part(uow)
    }

    fn prepare<'a>(&'a self, uow: UowId, info: &'a [u8]) -> StoreFuture<'a, ()> {
        let (inner, info) = (self.inner.clone(), info.to_vec());
        self.there(async move { inner.prepare(uow, info).await })
    }

    fn commit(&self, uow: UowId) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.there(async move { inner.end(uow, Outcome::Commit).await })
    }

    fn backout(&self, uow: UowId) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.there(async move { inner.end(uow, Outcome::Backout).await })
    }

    fn in_doubt(&self) -> StoreFuture<'_, Vec<InDoubt>> {
        ready(Ok(self.inner.in_doubt()))
    }

    fn retain(&self, uow: UowId) {
        let inner = self.inner.clone();
        self.aside(async move { inner.retain(uow).await });
    }

    fn resolve(&self, uow: UowId, outcome: Outcome) -> StoreFuture<'_, ()> {
        let inner = self.inner.clone();
        self.there(async move {
            inner.settled().await;
            inner.resolve(uow, outcome).await
        })
    }

    fn release(&self, uow: UowId) {
        let inner = self.inner.clone();
        self.aside(async move { inner.release(uow).await });
    }

    fn identity(&self) -> Option<String> {
        Some(self.inner.id.clone())
    }
}

/// Damage of records is for the server to find: it has checksums of its own.
impl Upkeep for PgStore {
    fn define<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        let (inner, name) = (self.inner.clone(), table.to_owned());
        self.there(async move {
            let table = sql::table(&name)?;
            if inner.exists(&name).await? {
                return Ok(false);
            }
            let create = format!(
                "SET client_min_messages = warning; CREATE TABLE IF NOT EXISTS {table} (k bytea PRIMARY KEY, v bytea NOT NULL)"
            );
            inner.pool.session().await?.batch(&create).await.map(|()| true)
        })
    }

    fn drop_table<'a>(&'a self, table: &'a str) -> StoreFuture<'a, bool> {
        let (inner, name) = (self.inner.clone(), table.to_owned());
        self.there(async move {
            let table = sql::table(&name)?;
            if !inner.exists(&name).await? {
                return Ok(false);
            }
            let name = sql::text(&name);
            let drop = format!(
                "BEGIN; DELETE FROM transom.counters WHERE name = {name}; DROP TABLE {table}; COMMIT"
            );
            inner.pool.session().await?.batch(&drop).await.map(|()| true)
        })
    }

    fn empty<'a>(&'a self, table: &'a str) -> StoreFuture<'a, ()> {
        let (inner, name) = (self.inner.clone(), table.to_owned());
        self.there(async move {
            let (table, name) = (sql::table(&name)?, sql::text(&name));
            let empty = format!(
                "BEGIN; DELETE FROM transom.counters WHERE name = {name}; TRUNCATE {table}; COMMIT"
            );
            inner.pool.session().await?.batch(&empty).await
        })
    }

    /// Each commit is on the server's device already.
    fn checkpoint(&self) -> StoreFuture<'_, ()> {
        ready(Ok(()))
    }

    fn backup<'a>(&'a self, _folder: &'a Path) -> StoreFuture<'a, ()> {
        let text = "be copied by the region: use the server's own backup";
        ready(Err(StoreError::Unsupported(text)))
    }

    fn others(&self) -> StoreFuture<'_, Vec<String>> {
        let inner = self.inner.clone();
        self.there(async move {
            let rows = inner
                .pool
                .rows(sql::OTHERS, &[(&inner.pool.name, Type::TEXT)])
                .await?;
            Ok(rows.iter().filter_map(|row| row.try_get(0).ok()).collect())
        })
    }

    fn stats(&self) -> StoreStats {
        let (figures, counters) = (&self.inner.figures, &self.inner.counters);
        let (mut sessions, mut largest) = (0, 0);
        for unit in lock(&self.inner.units).values() {
            let unit = lock(unit);
            sessions += u64::from(unit.session.is_some());
            largest = largest.max(unit.overlay.bytes as u64);
        }
        let units = counters.stats();
        StoreStats {
            groups: units.commits + units.writes_now,
            lock_waits: figures.waits.load(Relaxed),
            lock_timeouts: figures.timeouts.load(Relaxed),
            deadlocks: figures.deadlocks.load(Relaxed),
            retained_refusals: figures.retained.load(Relaxed),
            limits: vec![
                LimitStat {
                    name: "sessions of the store",
                    now: sessions,
                    peak: self.inner.pool.peak.load(Relaxed).max(sessions),
                    limit: self.inner.options.sessions_max as u64,
                    reached: self.inner.pool.waited.load(Relaxed),
                },
                counters.overlay_limit(largest, self.inner.options.uow_bytes_max),
            ],
            ..units
        }
    }
}

impl super::Inner {
    async fn exists(&self, table: &str) -> Result<bool, StoreError> {
        let known = "SELECT 1 FROM pg_tables WHERE schemaname = 'transom_data' AND tablename = $1";
        Ok(!self
            .pool
            .rows(known, &[(&table, Type::TEXT)])
            .await?
            .is_empty())
    }
}
