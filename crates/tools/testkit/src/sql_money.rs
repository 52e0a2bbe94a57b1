//! Accounts and a journal in an SQL engine, in the units of work of the files.
//!
//! Why: the engine cannot prepare and decides as last agent; what it committed and the region's own
//! store did not is found by its mark. Not here: transfers (`bank`), what goes wrong.

use crate::books::{ACCOUNTS_MAX, Pair};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;
use transom_recovery::{Participant, StoreError, SyncpointManager, UowId, wait};
use transom_region_sql::{
    Postgres, PostgresOptions, Qualifiers, Script, SqlEngine, SqlSessions, Sqlite, SqliteOptions,
};
use transom_sql::Type;
use transom_types::Applid;
use transom_wire::sql::{Request, SqlFrom, SqlInput, SqlValue};

/// How long a transfer waits for those that write.
const PATIENCE: Duration = Duration::from_secs(10);

/// Few, so that a short run brings pages over many times.
const LOG_PAGES: u32 = 100;

/// Where the tables are.
#[derive(Clone)]
pub(crate) enum Engine {
    /// In a folder.
    Embedded(PathBuf),
    /// On a server, by a connection string, for a region.
    Server(String, Applid),
}

impl Engine {
    /// As the region names it.
    fn member(&self) -> &'static str {
        match self {
            Self::Embedded(_) => "sql:SQLITE",
            Self::Server(..) => "sql:POSTGRES",
        }
    }

    fn open(&self, system: u64) -> Result<Arc<dyn SqlEngine>, StoreError> {
        let qualifiers = Qualifiers::default();
        Ok(match self {
            Self::Embedded(folder) => Arc::new(Sqlite::open(SqliteOptions {
                file: folder.join("sql.db"),
                ebcdic_order: false,
                cache_megabytes: 1,
                log_pages: LOG_PAGES,
                lock_wait: PATIENCE,
                back_out: true,
                qualifiers,
            })?),
            Self::Server(connect, applid) => {
                let options = PostgresOptions {
                    connect: connect.clone(),
                    applid: *applid,
                    ebcdic_order: true,
                    lock_wait: PATIENCE,
                    back_out: true,
                    qualifiers,
                };
                Arc::new(Postgres::open(options, Some(system))?)
            }
        })
    }
}

/// Sessions of transfers.
pub(crate) struct SqlMoney {
    engine: Arc<dyn SqlEngine>,
    sessions: Arc<SqlSessions>,
}

impl SqlMoney {
    /// Opens the database; what earlier runs left is ended as it decided.
    pub(crate) fn open(engine: Engine, manager: &dyn SyncpointManager) -> Result<Self, StoreError> {
        let money = Self::join(engine, manager)?;
        money.define()?;
        Ok(money)
    }

    /// The same without tables of transfers.
    pub(crate) fn join(engine: Engine, manager: &dyn SyncpointManager) -> Result<Self, StoreError> {
        let opened = Arc::new(OnceLock::new());
        let (member, keeps) = (engine.member(), opened.clone());
        let connect = move |system| {
            let engine = engine.open(system)?;
            let sessions = Arc::new(SqlSessions::new(engine.clone()));
            let _ = keeps.set((engine, sessions.clone()));
            Ok(sessions as Arc<dyn Participant>)
        };
        manager.join(member, Box::new(connect))?;
        let away = || StoreError::Unavailable("the database is away".to_owned());
        let (engine, sessions) = opened.get().cloned().ok_or_else(away)?;
        Ok(Self { engine, sessions })
    }

    fn define(&self) -> Result<(), StoreError> {
        let journal = transom_sql::name("JOURNAL").map_err(|e| StoreError::Wrong(e.to_string()))?;
        if self
            .engine
            .session(Arc::default())?
            .definition(&journal)?
            .is_some()
        {
            return Ok(());
        }
        let rows = (0..ACCOUNTS_MAX).map(|n| format!("INSERT INTO ACCOUNT VALUES ({n}, 0);"));
        let text = "CREATE TABLE ACCOUNT (NO BIGINT NOT NULL PRIMARY KEY, BALANCE BIGINT NOT NULL);
             CREATE TABLE JOURNAL (NO BIGINT NOT NULL PRIMARY KEY, AMOUNT BIGINT NOT NULL);"
            .to_owned();
        self.script(&(text + &rows.collect::<String>())).map(drop)
    }

    /// Runs a script in one unit of work: the rows of its last statement.
    pub(crate) fn script(&self, text: &str) -> Result<Vec<Vec<SqlValue>>, StoreError> {
        let (mut rows, mut failed) = (Vec::new(), None);
        Script::on(&*self.engine, "TORTURE")?.run(text, |done| {
            rows = done.rows.iter().map(|row| row.values.clone()).collect();
            if done.answer.code < 0 {
                failed = Some(StoreError::Wrong(done.problem().to_string()));
            }
        })?;
        failed.map_or(Ok(rows), Err)
    }

    /// Changes the balance of an account in the unit of work of a transfer.
    pub(crate) fn add(&self, n: u64, uow: UowId, to: u64, by: i64) -> Result<(), StoreError> {
        let text = "UPDATE ACCOUNT SET BALANCE = BALANCE + :BY WHERE NO = :NO";
        self.run((n, uow), text, [by, to.cast_signed()])
    }

    /// Enters a transfer into the journal.
    pub(crate) fn enter(&self, n: u64, uow: UowId, amount: i64) -> Result<(), StoreError> {
        let text = "INSERT INTO JOURNAL VALUES (:NO, :AMOUNT)";
        self.run((n, uow), text, [n.cast_signed(), amount])
    }

    fn run(&self, (n, uow): (u64, UowId), text: &str, values: [i64; 2]) -> Result<(), StoreError> {
        let input = |value| SqlInput {
            kind: Type::BigInt.code(),
            value: SqlValue::Integer(value),
        };
        let request = Request::Execute {
            from: SqlFrom {
                program: "BANK".to_owned(),
                ..SqlFrom::default()
            },
            text: text.to_owned(),
            inputs: values.map(input).to_vec(),
        };
        let asked = self.sessions.run(task(n), uow, request)?;
        let answer = wait(async { asked.await.map_err(|_| StoreError::Closed) })?;
        match answer.code {
            0 => Ok(()),
            -911 | -913 => Err(StoreError::Timeout),
            // All of it is lost, or there was nothing yet.
            -923 | -924 => Err(StoreError::Unavailable(answer.text)),
            code => Err(StoreError::Io(format!("SQLCODE {code} {}", answer.text))),
        }
    }

    /// A transfer has ended, or died: so has its task.
    pub(crate) fn ended(&self, n: u64) {
        self.sessions.task_ended(task(n));
    }

    /// Accounts with balances, or the entries of the journal, as a store has them.
    pub(crate) fn all(&self, journal: bool) -> Result<Vec<Pair>, StoreError> {
        let rows = self.script(match journal {
            true => "SELECT NO, AMOUNT FROM JOURNAL ORDER BY NO;",
            false => "SELECT NO, BALANCE FROM ACCOUNT ORDER BY NO;",
        })?;
        let bytes = |value: &SqlValue| match value {
            SqlValue::Integer(number) => number.to_be_bytes().to_vec(),
            _ => Vec::new(),
        };
        let pair = |row: &Vec<SqlValue>| match row.as_slice() {
            [key, value] => (bytes(key), bytes(value)),
            _ => Pair::default(),
        };
        Ok(rows.iter().map(pair).collect())
    }
}

/// Transfers that run at a time have different ones.
fn task(n: u64) -> u32 {
    (n % u64::from(u32::MAX)) as u32
}
