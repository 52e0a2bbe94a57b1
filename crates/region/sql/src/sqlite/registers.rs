//! Values of special registers.

use super::errors;
use rusqlite::Connection;
use rusqlite::types::Value;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_sql::Register;
use transom_wire::sql::SqlAnswer;

/// The value; `known` is what the session knows: its last identity number, and the text of
/// registers that are its own; `now` is the moment all clocks of a statement show.
pub(super) fn value(
    register: Register,
    connection: &Connection,
    known: (Option<i64>, Option<String>),
    now: &mut Option<String>,
) -> Result<Value, SqlAnswer> {
    let (last_identity, text) = known;
    if let Some(text) = text {
        return Ok(Value::Text(text));
    }
    let part = |range: std::ops::Range<usize>, now: &mut Option<String>| {
        let stamp = match now {
            Some(stamp) => stamp.clone(),
            None => {
                let stamp = clock(connection).map_err(|e| errors::answer(&e, false))?;
                *now = Some(stamp.clone());
                stamp
            }
        };
        Ok(Value::Text(stamp.get(range).unwrap_or_default().to_owned()))
    };
    match register {
        Register::CurrentDate => part(0..10, now),
        Register::CurrentTime => part(11..19, now),
        Register::CurrentTimestamp => part(0..26, now),
        Register::CurrentTimeZone => {
            let zone = zone(connection).map_err(|e| errors::answer(&e, false))?;
            Ok(Value::Blob(super::decimal::Decimal::integer(zone).bytes()))
        }
        Register::IdentityValLocal => Ok(match last_identity {
            Some(number) => {
                let number = super::decimal::Decimal::integer(number);
                Value::Blob(number.bytes())
            }
            None => Value::Null,
        }),
        other => {
            let text = format!("the special register {} is not done", other.name());
            Err(SqlAnswer {
                text,
                ..errors::coded(-84, vec![other.name()])
            })
        }
    }
}

/// Local time as a timestamp of Db2: `YYYY-MM-DD-HH.MM.SS.NNNNNN`.
fn clock(connection: &Connection) -> rusqlite::Result<String> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let seconds = i64::try_from(now.as_secs()).unwrap_or(0);
    let stamp: String = connection
        .prepare_cached("SELECT strftime('%Y-%m-%d-%H.%M.%S', ?1, 'unixepoch', 'localtime')")?
        .query_row([seconds], |row| row.get(0))?;
    Ok(format!("{stamp}.{:06}", now.subsec_micros()))
}

/// Hours, minutes and seconds east of UTC.
fn zone(connection: &Connection) -> rusqlite::Result<i64> {
    let now = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    let now = i64::try_from(now.as_secs()).unwrap_or(0);
    let east: i64 = connection
        .prepare_cached("SELECT strftime('%s', ?1, 'unixepoch', 'localtime') - ?1")?
        .query_row([now], |row| row.get(0))?;
    Ok(east / 3_600 * 10_000 + east / 60 % 60 * 100 + east % 60)
}
