//! Values of programs as the server takes them.
//!
//! What: a value is converted as Db2 assigns it, by the rules the embedded engine has, and sent as
//! the server has it in memory. Not here: results (`results`).

use super::numeric;
use super::results::{DAY_US, FIRST_DAY, NUL};
use crate::decimal::Decimal;
use crate::sqlite::functions::days_of;
use crate::sqlite::values;
use crate::statements::{Bound, not_taken};
use bytes::BytesMut;
use rusqlite::types::Value;
use std::error::Error;
use tokio_postgres::types::{IsNull, ToSql, Type as Oid};
use transom_sql::{Family, Parameter, Type};
use transom_wire::sql::SqlAnswer;

/// A value to send, as the server has it in memory; `None`: NULL.
#[derive(Debug)]
pub(super) struct Sent(Option<Vec<u8>>);

impl ToSql for Sent {
    fn to_sql(&self, _: &Oid, out: &mut BytesMut) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match &self.0 {
            None => return Ok(IsNull::Yes),
            Some(bytes) => out.extend_from_slice(bytes),
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Oid) -> bool {
        true
    }

    fn to_sql_checked(
        &self,
        kind: &Oid,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        self.to_sql(kind, out)
    }
}

/// All values with their types.
pub(super) fn all(
    values: &[Bound<'_>],
    parameters: &[Parameter],
) -> Result<(Vec<Sent>, Vec<Oid>), SqlAnswer> {
    let (mut sent, mut kinds) = (Vec::new(), Vec::new());
    for (n, (bound, parameter)) in (1..).zip(values.iter().zip(parameters)) {
        let (value, from) = match bound {
            Bound::Row(row) => {
                sent.push(Sent(row.map(row_id)));
                kinds.push(Oid::TID);
                continue;
            }
            Bound::Register(value, kind) => (value, *kind),
            Bound::Input(input) => (
                &input.value,
                Type::from_code(input.kind).unwrap_or_default(),
            ),
        };
        let kind = match parameter.kind {
            Type::Unknown => from,
            known => known,
        };
        let wrong = |code: i32| not_taken(code, n, kind);
        let value = values::bound(value, from, kind).map_err(wrong)?;
        sent.push(Sent(match value {
            Value::Null => None,
            value => Some(one(value, kind).ok_or_else(|| wrong(-302))?),
        }));
        kinds.push(oid(kind));
    }
    Ok((sent, kinds))
}

/// `None`: the server cannot hold it.
fn one(value: Value, kind: Type) -> Option<Vec<u8>> {
    Some(match value {
        Value::Null => return None,
        Value::Integer(number) => integer(number, kind),
        Value::Real(number) => number.to_be_bytes().to_vec(),
        Value::Text(text) => match kind.family() {
            Family::Date => i32::try_from(day(&text)?).ok()?.to_be_bytes().to_vec(),
            Family::Time => clock(&text)?.to_be_bytes().to_vec(),
            // A day of 24 hours and a bit is the next day there.
            Family::Timestamp if text.get(11..13) == Some("24") => return None,
            Family::Timestamp => {
                let us = number(text.get(20..26)?)?;
                let us = day(&text)? * DAY_US + clock(text.get(11..19)?)? + us;
                us.to_be_bytes().to_vec()
            }
            _ => text.replace('\0', &NUL.to_string()).into_bytes(),
        },
        Value::Blob(bytes) if kind.family() == Family::Bytes => bytes,
        Value::Blob(bytes) => numeric::bytes(Decimal::of_bytes(&bytes)?),
    })
}

fn integer(number: i64, kind: Type) -> Vec<u8> {
    match kind {
        Type::SmallInt => (number as i16).to_be_bytes().to_vec(),
        Type::Integer => (number as i32).to_be_bytes().to_vec(),
        Type::Decimal { .. } | Type::DecFloat(_) => numeric::bytes(Decimal::integer(number)),
        _ => number.to_be_bytes().to_vec(),
    }
}

/// Days from 2000-01-01 to the date a text begins with.
fn day(text: &str) -> Option<i64> {
    let part = |range| number(text.get(range)?);
    Some(days_of(part(0..4)?, part(5..7)?, part(8..10)?) - FIRST_DAY)
}

/// Microseconds of `HH.MM.SS`.
fn clock(text: &str) -> Option<i64> {
    let part = |range| number(text.get(range)?);
    Some((part(0..2)? * 3_600 + part(3..5)? * 60 + part(6..8)?) * 1_000_000)
}

fn number(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Block and place of a row, as [`super::results::row_id`] puts them together.
fn row_id(id: i64) -> Vec<u8> {
    let (block, place) = ((id >> 16) as u32, id as u16);
    [&block.to_be_bytes()[..], &place.to_be_bytes()].concat()
}

fn oid(kind: Type) -> Oid {
    match kind {
        Type::SmallInt => Oid::INT2,
        Type::Integer => Oid::INT4,
        Type::BigInt => Oid::INT8,
        Type::Decimal { .. } | Type::DecFloat(_) => Oid::NUMERIC,
        Type::Real | Type::Double => Oid::FLOAT8,
        Type::Date => Oid::DATE,
        Type::Time => Oid::TIME,
        Type::Timestamp(_) => Oid::TIMESTAMP,
        kind if kind.family() == Family::Bytes => Oid::BYTEA,
        _ => Oid::BPCHAR,
    }
}
