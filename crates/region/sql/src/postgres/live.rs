//! One connection, and statements that are prepared on it.

use super::parameters::Sent;
use super::results::{self, NoValue, Raw};
use crate::statements::{BYTES_MAX, Ran, size};
use futures_util::StreamExt;
use futures_util::future::join;
use std::collections::HashMap;
use std::pin::pin;
use std::time::Duration;
use tokio_postgres::config::Config;
use tokio_postgres::types::Type as Oid;
use tokio_postgres::{CancelToken, Client, Error, Statement};
use transom_postgres::{Tls, first};
use transom_sql::{Rewritten, Type};
use transom_wire::sql::SqlRow;

/// Statements that stay prepared; beyond that it begins again.
const STATEMENTS_MAX: usize = 400;
/// Of a session: the server sees the death of a region's machine within a minute; names of Db2 come
/// before functions of Transom, those of the server before both.
const SETTINGS: &str = "SET search_path TO public, transom_sql;
SET tcp_keepalives_idle = 30; SET tcp_keepalives_interval = 10; SET tcp_keepalives_count = 3;
SET standard_conforming_strings = on; SET datestyle = 'ISO'; SET bytea_output = 'hex';
SET default_transaction_isolation = 'read committed'; SET idle_in_transaction_session_timeout = 0;
SET client_min_messages = error; SET statement_timeout = 0;";

/// A connection.
pub(super) struct Live {
    pub(super) client: Client,
    /// The process that serves it.
    pub(super) backend: String,
    statements: HashMap<(String, Vec<u32>), Statement>,
}

/// A text to run.
pub(super) struct Asked<'a> {
    pub(super) rewritten: &'a Rewritten,
    /// Behind the text.
    pub(super) suffix: &'a str,
    pub(super) sent: &'a [Sent],
    pub(super) kinds: &'a [Oid],
    pub(super) most: Option<usize>,
}

/// Why a text did not run.
pub(super) enum Failed {
    Server(Error),
    /// A value of the result, by the number of its column.
    Value(usize, NoValue),
    /// More rows than fit in storage.
    TooMany,
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Self::Server(error)
    }
}

impl Live {
    pub(super) async fn connect(
        config: &Config,
        tls: &Tls,
        lock_wait: Duration,
    ) -> Result<Self, Error> {
        let (client, connection) = config.connect(tls.clone()).await?;
        tokio::spawn(async move {
            // Its error is the error of the query under way.
            let _ = connection.await;
        });
        let settings = format!("{SETTINGS} SET lock_timeout = {}", lock_wait.as_millis());
        client.batch_execute(&settings).await?;
        let backend = "SELECT pid || ' ' || backend_start::text FROM pg_stat_activity WHERE pid = pg_backend_pid()";
        let backend = first(&client, backend).await?.unwrap_or_default();
        Ok(Self {
            client,
            backend,
            statements: HashMap::new(),
        })
    }

    pub(super) fn cancel_token(&self) -> CancelToken {
        self.client.cancel_token()
    }

    /// Statements have to be prepared anew: what they name has changed.
    pub(super) fn forget(&mut self) {
        self.statements.clear();
    }

    /// Runs a text, behind another one in the same message. What that one answered comes too.
    pub(super) async fn run(
        &mut self,
        before: Option<&str>,
        asked: &Asked<'_>,
    ) -> (Result<Option<String>, Error>, Result<Ran, Failed>) {
        let text = format!("{}{}", asked.rewritten.text, asked.suffix);
        let key = (text, asked.kinds.iter().map(Oid::oid).collect::<Vec<_>>());
        if let Some(statement) = self.statements.get(&key) {
            let guard = told(&self.client, before);
            return join(guard, query(&self.client, statement, asked)).await;
        }
        // An error in the text is one behind the guard, too.
        let guard = told(&self.client, before).await;
        if let Err(error) = guard {
            return (Err(error), Ok(Ran::default()));
        }
        let statement = self.client.prepare_typed(&key.0, asked.kinds).await;
        let statement = match statement {
            Ok(statement) => statement,
            Err(error) => return (guard, Err(error.into())),
        };
        let ran = query(&self.client, &statement, asked).await;
        if self.statements.len() >= STATEMENTS_MAX {
            self.statements.clear();
        }
        self.statements.insert(key, statement);
        (guard, ran)
    }
}

async fn told(client: &Client, text: Option<&str>) -> Result<Option<String>, Error> {
    match text {
        Some(text) => first(client, text).await,
        None => Ok(None),
    }
}

async fn query(client: &Client, statement: &Statement, asked: &Asked<'_>) -> Result<Ran, Failed> {
    let rewritten = asked.rewritten;
    let mut rows = pin!(client.query_raw(statement, asked.sent).await?);
    let hidden = usize::from(rewritten.row_id);
    let columns = statement.columns().len().saturating_sub(hidden);
    let mut ran = Ran::default();
    let mut bytes = 0;
    while let Some(row) = rows.next().await {
        let row = row?;
        let mut values = Vec::with_capacity(columns);
        for (n, column) in row.columns().iter().take(columns).enumerate() {
            let kind = rewritten.columns.get(n).map_or(Type::Unknown, |c| c.kind);
            let raw: Raw<'_> = row.try_get(n)?;
            let value = results::value(&raw, column.type_(), kind);
            let value = value.map_err(|why| Failed::Value(n, why))?;
            bytes += size(&value);
            values.push(value);
        }
        if rewritten.row_id {
            let id = results::row_id(&row.try_get(columns)?);
            ran.ids
                .push(id.ok_or(Failed::Value(columns, NoValue::Damaged))?);
        }
        ran.rows.push(SqlRow { values });
        if bytes > BYTES_MAX {
            return Err(Failed::TooMany);
        }
        if asked.most.is_some_and(|most| ran.rows.len() >= most) {
            return Ok(ran);
        }
    }
    ran.changed = rows.rows_affected().unwrap_or(0);
    Ok(ran)
}
