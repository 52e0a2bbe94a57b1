//! Definitions of Db2's tables, as the database keeps them.
//!
//! Not here: what is made of them (`statements`), in whose turn they are written (`driver`).

use crate::statements::{Counted, Defined, Kept, Object, Tables};
use rusqlite::{Connection, params};
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

/// Writes what a definition made or dropped.
pub(super) fn keep(
    connection: &Connection,
    defined: &Defined<'_>,
    kept: &Kept,
) -> rusqlite::Result<()> {
    let put = |kind: &str, name: &str| {
        connection
            .execute(
                "INSERT OR REPLACE INTO transom_object VALUES (?1, ?2, ?3, ?4)",
                params![kind, name, defined.text, defined.schema],
            )
            .map(drop)
    };
    let delete = |kind: &str, name: &str| {
        let text = "DELETE FROM transom_object WHERE kind = ?1 AND name = ?2";
        let mut delete = connection.prepare_cached(text)?;
        delete.execute([kind, name]).map(drop)
    };
    match kept {
        Kept::Put(kind, name) => put(kind, name),
        Kept::Alter(name) => {
            let number: i64 = connection.query_row(
                "SELECT COALESCE(MAX(CAST(substr(name, -9) AS INTEGER)), -1) + 1 \
                 FROM transom_object WHERE kind = 'ALTER'",
                [],
                |row| row.get(0),
            )?;
            put("ALTER", &format!("{name}\u{1F}{number:09}"))
        }
        Kept::Delete(kind, name) => delete(kind, name),
        Kept::DeleteAlters(name) => connection
            .execute(
                "DELETE FROM transom_object WHERE kind = 'ALTER' \
                 AND substr(name, 1, length(?1) + 1) = ?1 || char(31)",
                [name],
            )
            .map(drop),
        // Who reads the definition takes it up.
        Kept::Count(..) => Ok(()),
        Kept::Uncount(name) => delete("NEXT", name),
    }
}

/// Writes the number a sequence gives next.
pub(super) fn keep_next(connection: &Connection, name: &str, next: i64) -> rusqlite::Result<()> {
    connection
        .prepare_cached("INSERT OR REPLACE INTO transom_object VALUES ('NEXT', ?1, ?2, '')")?
        .execute(params![name, next.to_string()])
        .map(drop)
}
