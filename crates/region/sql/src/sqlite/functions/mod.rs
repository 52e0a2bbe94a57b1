//! What Db2 has and SQLite has not, as functions of each connection.
//!
//! What: the names `formats/sql` writes (`db2_add`, `db2_substr`) with what they compute. A
//! function that is not done gives SQLCODE -84 when it is called. Why here: an engine's room knows
//! how its values lie. Not here: which function a statement needs, types of results.

mod aggregates;
mod characters;
mod code;
mod dates;
mod moment;
mod numbers;
mod order;
mod sequences;
mod value;

use code::{Answer, Code, count, failed};
pub(crate) use moment::{date_of, days_of};
use rusqlite::functions::FunctionFlags;
use rusqlite::{Connection, Result};
pub(super) use sequences::{Counter, Sequences, Taken};
use std::sync::{Arc, Mutex};
use transom_sql::EngineFunction;
use value::Args;
pub(super) use value::{Arg, as_type};

/// A function of its arguments and the types of the first and of the result.
type Body = fn(&Args<'_>) -> Answer;

/// Names without `db2_`.
const BODIES: &[(&str, Body)] = &[
    ("abs", numbers::abs),
    ("add", numbers::add),
    ("add_duration", dates::add_duration),
    ("bigint", numbers::integer),
    ("ceiling", numbers::ceiling),
    ("char", characters::char),
    ("character_length", characters::character_length),
    ("chars", characters::chars),
    ("concat", characters::concat),
    ("convert", value::convert),
    ("date", dates::date),
    ("day", dates::day),
    ("dayofmonth", dates::day),
    ("dayofweek", dates::day_of_week),
    ("dayofyear", dates::day_of_year),
    ("days", dates::days),
    ("decimal", numbers::decimal),
    ("digits", numbers::digits),
    ("divide", numbers::divide),
    ("double", numbers::double),
    ("exact", numbers::exact),
    ("floor", numbers::floor),
    ("hour", dates::hour),
    ("integer", numbers::integer),
    ("last_day", dates::last_day),
    ("left", characters::left),
    ("length", characters::length),
    ("like", characters::like),
    ("locate", characters::locate),
    ("lower", characters::lower),
    ("ltrim", characters::ltrim),
    ("microsecond", dates::microsecond),
    ("minute", dates::minute),
    ("mod", numbers::modulo),
    ("month", dates::month),
    ("multiply", numbers::multiply),
    ("negate", numbers::negate),
    ("posstr", characters::posstr),
    ("repeat", characters::repeat),
    ("replace", characters::replace),
    ("right", characters::right),
    ("round", numbers::round),
    ("rtrim", characters::rtrim),
    ("second", dates::second),
    ("smallint", numbers::integer),
    ("space", characters::space),
    ("strip", characters::strip),
    ("substr", characters::substr),
    ("subtract", dates::subtract),
    ("subtract_duration", dates::subtract_duration),
    ("time", dates::time),
    ("timestamp", dates::timestamp),
    ("trim", characters::strip),
    ("truncate", numbers::truncate),
    ("upper", characters::upper),
    ("varchar", characters::varchar),
    ("year", dates::year),
];

/// Gives a connection all functions and collations.
pub(super) fn register(
    connection: &Connection,
    ebcdic: bool,
    sequences: &Arc<Sequences>,
    taken: &Arc<Mutex<Taken>>,
) -> Result<()> {
    order::register(connection, ebcdic)?;
    sequences::register(connection, sequences, taken)?;
    for function in transom_sql::engine_functions() {
        let name = function.name.strip_prefix("db2_").unwrap_or(&function.name);
        if sequences::has(name) {
            continue;
        }
        if function.aggregate {
            aggregates::register(connection, &function, name)?;
            continue;
        }
        let body = BODIES.iter().find(|(known, _)| *known == name);
        scalar(connection, &function, body.map(|(_, body)| *body))?;
    }
    Ok(())
}

fn scalar(connection: &Connection, function: &EngineFunction, body: Option<Body>) -> Result<()> {
    let flags = FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC;
    let name = function.name.clone();
    connection.create_scalar_function(&*function.name, count(function), flags, move |context| {
        let answer = match body {
            Some(body) => Args::of(context, &name).and_then(|args| body(&args)),
            None => Err(Code(-84, vec![name.clone()])),
        };
        answer.map_err(|code| failed(&code))
    })
}
