//! What Db2 has and SQLite has not, as functions of each connection.
//!
//! What: the names `formats/sql` writes (`db2_add`, `db2_substr`) with what they compute. A
//! function that is not done gives SQLCODE -84 when it is called. Why here: an engine's room knows
//! how its values lie. Not here: which function a statement needs, types of results.

mod aggregates;
mod aside;
mod calendar;
mod characters;
mod code;
mod dates;
mod floats;
mod formats;
mod integers;
mod moment;
mod numbers;
mod order;
mod sequences;
mod strings;
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
#[rustfmt::skip]
const BODIES: &[(&str, Body)] = &[
    ("abs", numbers::abs),
    ("acos", floats::acos),
    ("add", numbers::add),
    ("add_duration", dates::add_duration),
    ("add_months", calendar::add_months),
    ("ascii", strings::ascii),
    ("ascii_chr", strings::ascii_chr),
    ("asin", floats::asin),
    ("atan", floats::atan),
    ("atan2", floats::atan2),
    ("atanh", floats::atanh),
    ("bigint", numbers::integer),
    ("bitand", integers::bitand),
    ("bitandnot", integers::bitandnot),
    ("bitnot", integers::bitnot),
    ("bitor", integers::bitor),
    ("bitxor", integers::bitxor),
    ("ceiling", numbers::ceiling),
    ("char", characters::char),
    ("character_length", characters::character_length),
    ("chars", characters::chars),
    ("clob", characters::varchar),
    ("concat", characters::concat),
    ("convert", value::convert),
    ("cos", floats::cos),
    ("cosh", floats::cosh),
    ("date", dates::date),
    ("day", dates::day),
    ("dayofmonth", dates::day),
    ("dayofweek", dates::day_of_week),
    ("dayofweek_iso", calendar::day_of_week_iso),
    ("dayofyear", dates::day_of_year),
    ("days", dates::days),
    ("decfloat", integers::decfloat),
    ("decimal", numbers::decimal),
    ("degrees", floats::degrees),
    ("digits", numbers::digits),
    ("divide", numbers::divide),
    ("double", numbers::double),
    ("ebcdic_chr", strings::ebcdic_chr),
    ("exact", numbers::exact),
    ("exp", floats::exp),
    ("fail", strings::fail),
    ("floor", numbers::floor),
    ("hour", dates::hour),
    ("insert", strings::insert),
    ("integer", numbers::integer),
    ("julian_day", calendar::julian_day),
    ("last_day", calendar::last_day),
    ("left", characters::left),
    ("length", characters::length),
    ("like", characters::like),
    ("ln", floats::ln),
    ("locate", characters::locate),
    ("locate_in_string", strings::locate_in_string),
    ("log10", floats::log10),
    ("lower", characters::lower),
    ("lpad", strings::lpad),
    ("ltrim", characters::ltrim),
    ("microsecond", dates::microsecond),
    ("midnight_seconds", calendar::midnight_seconds),
    ("minute", dates::minute),
    ("mod", numbers::modulo),
    ("month", dates::month),
    ("months_between", calendar::months_between),
    ("multiply", numbers::multiply),
    ("multiply_alt", integers::multiply_alt),
    ("negate", numbers::negate),
    ("next_day", calendar::next_day),
    ("overlay", strings::overlay),
    ("position", strings::position),
    ("posstr", characters::posstr),
    ("power", floats::power),
    ("quarter", calendar::quarter),
    ("radians", floats::radians),
    ("raise_error", strings::raise_error),
    ("rand", floats::rand),
    ("real", floats::real),
    ("repeat", characters::repeat),
    ("replace", characters::replace),
    ("right", characters::right),
    ("round", numbers::round),
    ("rpad", strings::rpad),
    ("rtrim", characters::rtrim),
    ("second", dates::second),
    ("sign", integers::sign),
    ("sin", floats::sin),
    ("sinh", floats::sinh),
    ("smallint", numbers::integer),
    ("space", characters::space),
    ("sqrt", floats::sqrt),
    ("strip", characters::strip),
    ("substr", characters::substr),
    ("substring", strings::substring),
    ("subtract", dates::subtract),
    ("subtract_duration", dates::subtract_duration),
    ("tan", floats::tan),
    ("tanh", floats::tanh),
    ("time", dates::time),
    ("timestamp", dates::timestamp),
    ("timestamp_format", formats::timestamp_format),
    ("timestamp_iso", calendar::timestamp_iso),
    ("timestampdiff", calendar::timestampdiff),
    ("translate", strings::translate),
    ("trim", characters::strip),
    ("trunc_timestamp", calendar::trunc_timestamp),
    ("truncate", numbers::truncate),
    ("unicode", strings::ascii),
    ("upper", characters::upper),
    ("varchar", characters::varchar),
    ("varchar_format", formats::varchar_format),
    ("week", calendar::week),
    ("week_iso", calendar::week_iso),
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
    aside::register(connection)?;
    for function in transom_sql::engine_functions() {
        let name = function.name.strip_prefix("db2_").unwrap_or(&function.name);
        if sequences::has(name) {
            continue;
        }
        if function.aggregate {
            aggregates::register(connection, &function, name)?;
            continue;
        }
        let body = match name {
            "hex" if ebcdic => Some(strings::hex_ebcdic as Body),
            "hex" => Some(strings::hex_ascii as Body),
            _ => BODIES
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, body)| *body),
        };
        scalar(connection, &function, body)?;
    }
    Ok(())
}

fn scalar(connection: &Connection, function: &EngineFunction, body: Option<Body>) -> Result<()> {
    let flags = match function.name.as_str() {
        // What is raised is raised where it is come to, not before.
        "db2_fail" | "db2_rand" | "db2_raise_error" => FunctionFlags::SQLITE_UTF8,
        _ => FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC,
    };
    let name = function.name.clone();
    connection.create_scalar_function(&*function.name, count(function), flags, move |context| {
        let answer = match body {
            Some(body) => Args::of(context, &name).and_then(|args| body(&args)),
            None => Err(Code(-84, vec![name.clone()])),
        };
        answer.map_err(|code| failed(&code))
    })
}
