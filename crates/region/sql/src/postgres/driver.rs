//! What a server does for a session.
//!
//! What: outside of a unit of work that changes something each statement is committed by itself.
//! Not here: what a session keeps (`statements`), its connection (`remote`), the forms of values.

use super::live::Asked;
use super::remote::Remote;
use super::{errors, parameters};
use crate::statements::{
    Defined, Driver, Kept, Object, Qualifiers, Ran, Resource, Run, Tables, coded,
};
use rusqlite::Connection;
use transom_recovery::{StoreError, UowId};
use transom_sql::{Dialect, Kind};
use transom_wire::sql::SqlAnswer;

/// Longest name of the server; beyond it names would be cut off.
const NAME_MAX: usize = 63;

/// Whether a text only reads, and locks nothing.
fn reads(run: &Run<'_>) -> bool {
    let kind = &run.plan.statement.kind;
    let query = matches!(
        kind,
        Kind::Query
            | Kind::SelectInto
            | Kind::ValuesInto
            | Kind::SetRegister(_)
            | Kind::DeclareCursor(_)
    );
    let text = &run.rewritten.text;
    let locks = text.ends_with(" FOR UPDATE") || text.ends_with(" FOR SHARE");
    query && !run.locks && !locks && !text.contains(" RETURNING ")
}

impl Driver for Remote {
    const DIALECT: Dialect = Dialect::PostgreSql;
    const RESOURCE: Resource = errors::RESOURCE;

    fn qualifiers(&self) -> &Qualifiers {
        &self.shared.options.qualifiers
    }

    /// Asked once in a unit of work: others define tables too.
    fn schema(&mut self) -> Result<i64, SqlAnswer> {
        if !self.looked {
            let ask = "SELECT value FROM transom_sql.system WHERE key = 'version'";
            let found = self.texts(ask)?.concat().concat();
            let version = found.parse().unwrap_or(0);
            if version != self.version
                && let Some(live) = &mut self.live
            {
                live.forget();
            }
            self.version = version;
            self.looked = true;
        }
        Ok(self.version)
    }

    fn tables(&mut self) -> Result<Tables, SqlAnswer> {
        let rows = self.texts(
            "SELECT kind, name, text, schema FROM transom_sql.object \
             ORDER BY kind = 'ALTER', right(name, 9), kind, name",
        )?;
        let object = |row: Vec<String>| {
            let [kind, name, text, schema] = row.try_into().ok()?;
            Some(Object {
                kind,
                name,
                text,
                schema,
            })
        };
        let objects = rows.into_iter().filter_map(object);
        Ok(Tables::of(objects, Self::DIALECT).0)
    }

    fn clock(&self) -> &Connection {
        &self.clock
    }

    fn last_identity(&mut self) -> Result<Option<i64>, SqlAnswer> {
        let found = self.texts("SELECT current_setting('transom.identity', true)")?;
        Ok(found.concat().concat().parse().ok())
    }

    /// The server is told with the next statement.
    fn begin(&mut self) -> Result<(), SqlAnswer> {
        self.unit.writes = true;
        Ok(())
    }

    fn writes(&self) -> bool {
        self.unit.writes
    }

    fn before(&mut self, defined: &Defined<'_>) -> Result<(), SqlAnswer> {
        let (name, columns) = match defined.kind {
            Kind::CreateTable(table) | Kind::AlterTable(table) => (&table.name, &*table.columns),
            Kind::CreateView(name) => (name, [].as_slice()),
            _ => return Ok(()),
        };
        let name = name.in_schema(defined.schema);
        let names = columns.iter().map(|column| &column.name);
        let mut names = names.chain([&name.name]).chain(&name.qualifier);
        if let Some(long) = names.find(|name| name.len() > NAME_MAX) {
            return Err(coded(-107, vec![long.clone(), NAME_MAX.to_string()]));
        }
        self.make_schema(&name)
    }

    fn run(&mut self, run: &Run<'_>) -> Result<Ran, SqlAnswer> {
        let (sent, kinds) = parameters::all(run.values, &run.rewritten.parameters)?;
        if !reads(run) {
            self.begin()?;
        }
        let unlocked = !run.rewritten.text.ends_with(" FOR UPDATE");
        let asked = Asked {
            rewritten: run.rewritten,
            suffix: match run.locks && run.rewritten.row_id && unlocked {
                true => " FOR UPDATE",
                false => "",
            },
            sent: &sent,
            kinds: &kinds,
            most: run.most,
        };
        let deletes = matches!(run.plan.statement.kind, Kind::Delete { .. });
        self.ask(&asked, deletes)
    }

    fn tell(&mut self, text: &str) -> Result<(), SqlAnswer> {
        if self.unit.lost {
            return Err(errors::gone("the connection was lost"));
        }
        self.begin()?;
        let text = format!("{}{text}", self.unit.unguard());
        let connected = self.connected().map(drop);
        connected.map_err(|why| errors::not_up(&why.to_string()))?;
        match self.batch(&text) {
            Ok(()) => {
                self.unit.unguarded();
                Ok(())
            }
            Err(error) => {
                // Without a guard nothing of the transaction is left.
                self.unit.lost = true;
                Err(errors::gone(&errors::text(&error)))
            }
        }
    }

    fn lock_table(&mut self, table: &str, exclusive: bool) -> Result<(), SqlAnswer> {
        self.begin()?;
        let mode = if exclusive { "EXCLUSIVE" } else { "SHARE" };
        self.own(&format!("LOCK TABLE {table} IN {mode} MODE"))
            .map(drop)
    }

    fn keep(&mut self, defined: &Defined<'_>, kept: &[Kept]) -> Result<(), SqlAnswer> {
        let mut kept = kept.iter();
        kept.try_for_each(|one| self.keep_one(defined, one))?;
        let next = "UPDATE transom_sql.system SET value = value::bigint + 1 WHERE key = 'version'";
        self.own(next)?;
        self.looked = false;
        Ok(())
    }

    fn lost(&self) -> bool {
        self.unit.lost
    }

    fn commit(&mut self, mark: Option<UowId>) -> Result<(), StoreError> {
        self.end(mark)
    }

    fn only_read(&mut self) {
        self.looked = false;
    }

    fn backout(&mut self) -> Result<(), StoreError> {
        let unit = std::mem::take(&mut self.unit);
        self.looked = false;
        // With its connection a transaction is gone, too.
        if unit.lost || unit.begun && self.batch("ROLLBACK").is_err() {
            self.live = None;
        }
        Ok(())
    }

    fn reset(&mut self) {
        if self.batch("RESET transom.identity").is_err() {
            self.live = None;
        }
    }
}
