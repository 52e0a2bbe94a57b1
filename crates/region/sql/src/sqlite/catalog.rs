//! Definitions of Db2's tables, as the database keeps them.
//!
//! Not here: what is made of them (`statements`), keeping them (`driver`).

use crate::statements::{Counted, Object, Tables};
use rusqlite::Connection;
use transom_sql::Dialect;

/// All of them, and what counts.
pub(super) fn read(connection: &Connection) -> rusqlite::Result<(Tables, Vec<Counted>)> {
    let mut all = connection.prepare_cached(
        "SELECT kind, name, text, schema FROM transom_object \
         ORDER BY kind = 'ALTER', substr(name, -9), kind, name",
    )?;
    let objects = all.query_map([], |row| {
        Ok(Object {
            kind: row.get(0)?,
            name: row.get(1)?,
            text: row.get(2)?,
            schema: row.get::<_, Option<String>>(3)?.unwrap_or_default(),
        })
    })?;
    let objects: Vec<Object> = objects.collect::<rusqlite::Result<_>>()?;
    Ok(Tables::of(objects.into_iter(), Dialect::Sqlite))
}
