//! What lies in the database beside tables of programs: the schema `transom_sql`.
//!
//! What: tables for settings, marks, what sessions committed last, and definitions, and the
//! functions rewritten statements call. They are made with the first connection and made anew when
//! they are of another version. Not here: connecting.

use super::errors;
use super::live::Live;
use super::options::PostgresOptions;
use std::collections::hash_map::DefaultHasher;
use std::fmt::Write as _;
use std::hash::{BuildHasher, Hash, Hasher, RandomState};
use tokio_postgres::Error;
use transom_copybook::codepage::CP037;
use transom_postgres::first;
use transom_recovery::StoreError;

/// Layout of the tables.
const FORMAT: &str = "1";
/// The functions.
const FUNCTIONS: &str = concat!(include_str!("functions.sql"), include_str!("more.sql"));

/// One at a time: several regions and scripts may come together.
const TABLES: &str = "
SELECT pg_advisory_xact_lock(7262311, 1);
CREATE SCHEMA IF NOT EXISTS transom_sql;
CREATE TABLE IF NOT EXISTS transom_sql.system (key text PRIMARY KEY, value text NOT NULL);
CREATE TABLE IF NOT EXISTS transom_sql.mark (system text, uow text, committed boolean NOT NULL, PRIMARY KEY (system, uow));
CREATE TABLE IF NOT EXISTS transom_sql.session (name text, session bigint, number bigint NOT NULL, PRIMARY KEY (name, session)) WITH (fillfactor = 50);
CREATE TABLE IF NOT EXISTS transom_sql.object (kind text, name text, text text NOT NULL, schema text NOT NULL, number bigserial, PRIMARY KEY (kind, name));
";

/// Makes what is not there, and refuses what does not fit; what tells the database from others.
pub(super) async fn install(live: &Live, options: &PostgresOptions) -> Result<String, StoreError> {
    let failed = |e: Error| errors::of_store(&e);
    let client = &live.client;
    let encoding = first(client, "SHOW server_encoding")
        .await
        .map_err(failed)?;
    if encoding.as_deref() != Some("UTF8") {
        let encoding = encoding.unwrap_or_default();
        let text = format!("the encoding of the database is {encoding}, UTF8 is needed");
        return Err(StoreError::Wrong(text));
    }
    let order = if options.ebcdic_order {
        "EBCDIC037"
    } else {
        "ASCII"
    };
    let functions = order_functions(options.ebcdic_order) + FUNCTIONS;
    let mut hasher = DefaultHasher::new();
    functions.hash(&mut hasher);
    let version = format!("{:016X}", hasher.finish());
    let begun = client.batch_execute(&tables(order)).await;
    begun.map_err(failed)?;
    let setting = async |key: &str| {
        let ask = format!("SELECT value FROM transom_sql.system WHERE key = '{key}'");
        let found = first(client, &ask).await.map_err(failed)?;
        Ok::<String, StoreError>(found.unwrap_or_default())
    };
    for (key, wanted, what) in [
        ("format", FORMAT, "layout"),
        ("order", order, "order of characters"),
    ] {
        let has = setting(key).await?;
        if has != wanted {
            // The error is the one to tell.
            let _ = client.batch_execute("ROLLBACK").await;
            let text = format!("its {what} is {has}, {wanted} is asked for");
            return Err(StoreError::Wrong(text));
        }
    }
    if setting("functions").await? != version {
        let made = client.batch_execute(&functions).await;
        made.map_err(failed)?;
        let keep =
            format!("UPDATE transom_sql.system SET value = '{version}' WHERE key = 'functions'");
        client.batch_execute(&keep).await.map_err(failed)?;
    }
    let identity = setting("identity").await?;
    client.batch_execute("COMMIT").await.map_err(failed)?;
    Ok(identity)
}

/// Begins a transaction and makes tables and settings that are not there.
fn tables(order: &str) -> String {
    let by_chance = RandomState::new().build_hasher().finish();
    let mut script = format!("BEGIN;{TABLES}");
    for (key, value) in [
        ("format", FORMAT),
        ("order", order),
        ("version", "1"),
        ("functions", ""),
        ("identity", &format!("{by_chance:016X}")),
    ] {
        let _ = writeln!(
            script,
            "INSERT INTO transom_sql.system VALUES ('{key}', '{value}') ON CONFLICT DO NOTHING;"
        );
    }
    script
}

/// `db2_order`: what is compared in place of characters where one is to be less than another, and
/// MIN and MAX by it. Each character is the one whose number is its place, X'00' the first, and a
/// blank stands at the end, as if the shorter one had blanks behind it. `code_of` is the byte
/// of a character as hexadecimal digits.
fn order_functions(ebcdic: bool) -> String {
    let (mut from, mut to) = (String::new(), String::new());
    let (mut codes, mut letters) = (String::new(), String::new());
    for latin in 0..=255_u8 {
        let place = match ebcdic {
            true => CP037.from_latin1[usize::from(latin)],
            false => latin,
        };
        let _ = write!(codes, "{place:02X}");
        let _ = write!(letters, "{:02X}", CP037.to_latin1[usize::from(latin)]);
        from.push(match latin {
            0 => super::results::NUL,
            _ => char::from(latin),
        });
        to.push(char::from_u32(u32::from(place) + 1).unwrap_or_default());
    }
    let quoted = |text: &str| text.replace('\'', "''");
    let (from, to) = (quoted(&from), quoted(&to));
    format!(
        "
CREATE OR REPLACE FUNCTION transom_sql.db2_order(v bpchar) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT translate(v::text || ' ', '{from}', '{to}') COLLATE \"C\" $$;
CREATE OR REPLACE FUNCTION transom_sql.lesser(a bpchar, b bpchar) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT CASE WHEN transom_sql.db2_order(b) < transom_sql.db2_order(a) THEN b ELSE a END $$;
CREATE OR REPLACE FUNCTION transom_sql.larger(a bpchar, b bpchar) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT CASE WHEN transom_sql.db2_order(b) > transom_sql.db2_order(a) THEN b ELSE a END $$;
CREATE OR REPLACE FUNCTION transom_sql.code_of(c text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT substr('{codes}', mod(ascii(c), 57344) * 2 + 1, 2) $$;
CREATE OR REPLACE FUNCTION transom_sql.db2_ebcdic_chr(n numeric, bigint, bigint) RETURNS bpchar LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$ SELECT chr(CASE get_byte(b, at) WHEN 0 THEN 57344 ELSE get_byte(b, at) END)::bpchar FROM (SELECT decode('{letters}', 'hex') AS b, (trunc(n)::bigint & 255)::integer AS at) AS x $$;
CREATE OR REPLACE AGGREGATE transom_sql.db2_min_text(bpchar) (SFUNC = transom_sql.lesser, STYPE = bpchar);
CREATE OR REPLACE AGGREGATE transom_sql.db2_max_text(bpchar) (SFUNC = transom_sql.larger, STYPE = bpchar);
"
    )
}
