//! Peers: the same calls by hand, in a process of their own on the processor of servers.
//!
//! Why a process: its CPU is all there is. Not here: the calls (`workload`).

use super::workload::{self, DETAILS, MASTERS, Step, play};
use crate::sql::held;
use std::collections::HashMap;
use std::time::{Duration, Instant};
use tokio_postgres::{Client, NoTls, Statement};

/// Milliseconds of CPU and of time for each transaction.
pub(super) struct Cost {
    pub(super) cpu_ms: f64,
    pub(super) elapsed_ms: f64,
}

/// Runs this executable as a peer for some seconds; `postmaster` is the server it asks.
pub(super) fn measure(
    name: &str,
    place: &str,
    postmaster: Option<u32>,
    seconds: u64,
) -> Result<Cost, String> {
    let exe = std::env::current_exe().map_err(|e| e.to_string())?;
    let server = || postmaster.map_or(0.0, crate::cpu::tree_seconds);
    let before = server();
    let output = held(&exe)
        .args([name, place, &seconds.to_string()])
        .output()
        .map_err(|e| e.to_string())?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let words: Vec<f64> = text
        .split_whitespace()
        .filter_map(|w| w.parse().ok())
        .collect();
    let [done, elapsed, cpu] = words[..] else {
        return Err(format!("{name}: {text}{said}"));
    };
    Ok(Cost {
        cpu_ms: (cpu + server() - before) * 1e3 / done,
        elapsed_ms: elapsed * 1e3 / done,
    })
}

/// Runs transactions one after the other; prints their number, seconds, and CPU seconds.
fn rounds(
    seconds: u64,
    mut transaction: impl FnMut(usize, u64) -> Result<(), String>,
) -> Result<(), String> {
    for number in 0..50 {
        transaction(number as usize % 7, number)?;
    }
    let (begin, cpu) = (Instant::now(), crate::cpu::ran_seconds(std::process::id()));
    let mut done = 0;
    while begin.elapsed() < Duration::from_secs(seconds) {
        transaction(done as usize % 7, done)?;
        done += 1;
    }
    let cpu = crate::cpu::ran_seconds(std::process::id()) - cpu;
    println!("{done} {} {cpu}", begin.elapsed().as_secs_f64());
    Ok(())
}

/// `rtw-sqlite-reader FOLDER SECONDS`: SQLite in this process, a log, `synchronous=FULL`.
#[cfg(feature = "sqlite")]
pub(crate) fn sqlite(folder: &str, seconds: u64) -> Result<(), String> {
    let text = |e: rusqlite::Error| e.to_string();
    let file = std::path::Path::new(folder).join("raw.db");
    let connection = rusqlite::Connection::open(file).map_err(text)?;
    connection.set_prepared_statement_cache_capacity(100);
    let set = |name, value| connection.pragma_update(None, name, value);
    set("journal_mode", "WAL").map_err(text)?;
    set("synchronous", "FULL").map_err(text)?;
    let tables = workload::tables().join(";");
    let made = connection.execute_batch(&format!("BEGIN; {tables}; COMMIT"));
    made.map_err(text)?;
    let texts = Texts::new("?");
    rounds(seconds, |which, given| {
        connection.execute_batch("BEGIN IMMEDIATE").map_err(text)?;
        play(which, given, |step| on_sqlite(&connection, &texts, step)).map_err(text)?;
        connection.execute_batch("COMMIT").map_err(text)
    })
}

#[cfg(feature = "sqlite")]
fn on_sqlite(
    connection: &rusqlite::Connection,
    texts: &Texts,
    step: Step,
) -> rusqlite::Result<i64> {
    let mut statement = connection.prepare_cached(texts.of(step))?;
    match step {
        Step::Select(_, id) => statement.query_row([id], |row| {
            let (_name, _since): (String, String) = (row.get(0)?, row.get(2)?);
            row.get(1)
        }),
        Step::List(_, owner) => {
            let mut rows = statement.query([owner])?;
            let mut total = 0;
            while let Some(row) = rows.next()? {
                let (_line, _quantity): (i64, i64) = (row.get(0)?, row.get(1)?);
                let _remark: String = row.get(3)?;
                total += row.get::<_, i64>(2)?;
            }
            Ok(total)
        }
        Step::Update(_, owner, line) => statement.execute([owner, line]).map(|_| 0),
        Step::Delete(number, line) => statement.execute([number, line]).map(|_| 0),
        Step::Insert(number, line, cents) => statement.execute([number, line, cents]).map(|_| 0),
    }
}

/// Text of each statement.
struct Texts {
    selects: Vec<String>,
    lists: Vec<String>,
    updates: Vec<String>,
    delete: String,
    insert: String,
}

impl Texts {
    fn new(sign: &str) -> Self {
        let details = 0..DETAILS.len();
        Self {
            selects: (0..MASTERS.len())
                .map(|n| workload::select(n, sign))
                .collect(),
            lists: details.clone().map(|n| workload::list(n, sign)).collect(),
            updates: details.map(|n| workload::update(n, sign)).collect(),
            delete: workload::delete(sign),
            insert: workload::insert(sign),
        }
    }

    fn of(&self, step: Step) -> &str {
        match step {
            Step::Select(table, _) => &self.selects[table],
            Step::List(table, _) => &self.lists[table],
            Step::Update(table, ..) => &self.updates[table],
            Step::Delete(..) => &self.delete,
            Step::Insert(..) => &self.insert,
        }
    }
}

/// `rtw-postgres-reader CONNECT SECONDS`: a server, by the library that others use.
pub(crate) fn postgres(connect: &str, seconds: u64) -> Result<(), String> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(|e| e.to_string())?;
    let mut session = runtime.block_on(Session::open(connect))?;
    rounds(seconds, |which, given| {
        let mut steps = Vec::with_capacity(130);
        // What is inserted is a constant here: rows are read while the steps are carried out.
        let listed = play(which, given, |step| {
            steps.push(step);
            Ok::<_, std::convert::Infallible>(1)
        });
        let Ok(_) = listed;
        let ran = runtime.block_on(session.unit(&steps));
        ran.map_err(|e| e.to_string())
    })
}

struct Session {
    client: Client,
    texts: Texts,
    prepared: HashMap<String, Statement>,
}

impl Session {
    async fn open(connect: &str) -> Result<Self, String> {
        let connected = tokio_postgres::connect(connect, NoTls).await;
        let (client, connection) = connected.map_err(|e| e.to_string())?;
        tokio::spawn(connection);
        let tables = workload::tables().join(";");
        let made = client.batch_execute(&tables).await;
        made.map_err(|e| e.to_string())?;
        Ok(Self {
            client,
            texts: Texts::new("$"),
            prepared: HashMap::new(),
        })
    }

    async fn unit(&mut self, steps: &[Step]) -> Result<(), tokio_postgres::Error> {
        self.client.batch_execute("BEGIN").await?;
        for step in steps {
            self.step(*step).await?;
        }
        self.client.batch_execute("COMMIT").await
    }

    async fn step(&mut self, step: Step) -> Result<(), tokio_postgres::Error> {
        let values = match step {
            Step::Select(_, key) | Step::List(_, key) => vec![key],
            Step::Update(_, key, line) | Step::Delete(key, line) => vec![key, line],
            Step::Insert(number, line, cents) => vec![number, line, cents],
        };
        let text = self.texts.of(step);
        let statement = match self.prepared.get(text) {
            Some(statement) => statement.clone(),
            None => {
                let statement = self.client.prepare(text).await?;
                self.prepared.insert(text.to_owned(), statement.clone());
                statement
            }
        };
        let narrow: Vec<i32> = values.iter().map(|v| *v as i32).collect();
        let parameters: Vec<&(dyn tokio_postgres::types::ToSql + Sync)> = values
            .iter()
            .zip(&narrow)
            .zip(statement.params())
            .map(|((wide, narrow), kind)| match *kind {
                tokio_postgres::types::Type::INT8 => wide as _,
                _ => narrow as _,
            })
            .collect();
        self.client.query(&statement, &parameters).await.map(drop)
    }
}
