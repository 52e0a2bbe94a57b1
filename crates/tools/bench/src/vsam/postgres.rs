//! Peer: a PostgreSQL server with its defaults, reached over a Unix socket; a connection for each
//! client.

use super::mix::{Call, FILES, Key, Random, Step, seconds, unit};
use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;
use tokio_postgres::{Client, Error, NoTls, Statement};

/// A client with its statements.
struct Session {
    client: Client,
    read: Vec<Statement>,
    lock: Vec<Statement>,
    rewrite: Vec<Statement>,
    delete: Vec<Statement>,
    add: Vec<Statement>,
}

/// Makes the tables again and fills them.
pub(super) async fn load(
    url: &str,
    mut records: impl FnMut(usize) -> Vec<(Key, Vec<u8>)>,
) -> Result<(), Error> {
    let client = connect(url).await?;
    for file in 0..FILES {
        client
            .batch_execute(&format!(
                "DROP TABLE IF EXISTS f{file}; CREATE TABLE f{file} (k bytea PRIMARY KEY, v bytea)"
            ))
            .await?;
        for part in records(file).chunks(1_000) {
            let mut sql = format!("INSERT INTO f{file} VALUES ");
            for (place, (key, record)) in part.iter().enumerate() {
                let comma = if place == 0 { "" } else { "," };
                let _infallible = write!(sql, "{comma}('\\x{}','\\x{}')", hex(key), hex(record));
            }
            client.batch_execute(&sql).await?;
        }
    }
    client.batch_execute("VACUUM ANALYZE").await?;
    client.batch_execute("CHECKPOINT").await
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut out, byte| {
        let _infallible = write!(out, "{byte:02x}");
        out
    })
}

/// Units of work per second.
pub(super) async fn measure(url: &str, clients: u64, keys: u64) -> Result<f64, Error> {
    let mut sessions = Vec::new();
    for _ in 0..clients {
        sessions.push(Session::open(url).await?);
    }
    let begin = Instant::now();
    let until = begin + seconds();
    let done = Arc::new(AtomicU64::new(0));
    let tasks: Vec<_> = (0..clients)
        .zip(sessions)
        .map(|(number, session)| {
            let done = done.clone();
            tokio::spawn(async move {
                let mut random = Random(number + 7);
                while Instant::now() < until {
                    let calls = unit(&mut random, keys);
                    let committed = session.unit(&calls).await.is_ok();
                    if !committed {
                        let _ended = session.client.batch_execute("ROLLBACK").await;
                    }
                    done.fetch_add(u64::from(committed), Ordering::Relaxed);
                }
            })
        })
        .collect();
    for task in tasks {
        let _ended = task.await;
    }
    Ok(done.load(Ordering::Relaxed) as f64 / begin.elapsed().as_secs_f64())
}

async fn connect(url: &str) -> Result<Client, Error> {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await?;
    tokio::spawn(connection);
    Ok(client)
}

impl Session {
    async fn open(url: &str) -> Result<Self, Error> {
        let client = connect(url).await?;
        let mut session = Self {
            read: Vec::new(),
            lock: Vec::new(),
            rewrite: Vec::new(),
            delete: Vec::new(),
            add: Vec::new(),
            client,
        };
        for file in 0..FILES {
            let prepare = |sql: String| {
                let client = &session.client;
                async move { client.prepare(&sql).await }
            };
            let read = prepare(format!("SELECT v FROM f{file} WHERE k = $1")).await?;
            let lock = prepare(format!("SELECT v FROM f{file} WHERE k = $1 FOR UPDATE")).await?;
            let rewrite = prepare(format!("UPDATE f{file} SET v = $2 WHERE k = $1")).await?;
            let delete = prepare(format!("DELETE FROM f{file} WHERE k = $1")).await?;
            let add = format!("INSERT INTO f{file} VALUES ($1, $2) ON CONFLICT DO NOTHING");
            let add = prepare(add).await?;
            session.read.push(read);
            session.lock.push(lock);
            session.rewrite.push(rewrite);
            session.delete.push(delete);
            session.add.push(add);
        }
        Ok(session)
    }

    async fn unit(&self, calls: &[Call]) -> Result<(), Error> {
        self.client.batch_execute("BEGIN").await?;
        for call in calls {
            let (file, key) = (call.file, &call.key[..]);
            match &call.step {
                Step::Read => {
                    self.client.query_opt(&self.read[file], &[&key]).await?;
                }
                Step::Change(new) => {
                    let found = self.client.query_opt(&self.lock[file], &[&key]).await?;
                    match (found, new) {
                        (None, _) => 0,
                        (Some(_), None) => self.client.execute(&self.delete[file], &[&key]).await?,
                        (Some(_), Some(new)) => {
                            let new = &new[..];
                            let rewrite = &self.rewrite[file];
                            self.client.execute(rewrite, &[&key, &new]).await?
                        }
                    };
                }
                Step::Add(new) => {
                    let new = &new[..];
                    self.client.execute(&self.add[file], &[&key, &new]).await?;
                }
            }
        }
        self.client.batch_execute("COMMIT").await
    }
}
