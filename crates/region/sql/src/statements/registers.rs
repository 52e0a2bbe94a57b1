//! Values of special registers.

use super::answers::coded;
use rusqlite::Connection;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_sql::Register;
use transom_wire::sql::{SqlAnswer, SqlValue};

/// The value of a register that is no text of the session; `now` is the moment all clocks of a
/// statement show.
pub(super) fn value(
    register: Register,
    clock: &Connection,
    now: &mut Option<String>,
) -> Result<SqlValue, SqlAnswer> {
    let part = |range: std::ops::Range<usize>, now: &mut Option<String>| {
        let stamp = match now {
            Some(stamp) => stamp.clone(),
            None => {
                let stamp = local(clock).map_err(failed)?;
                *now = Some(stamp.clone());
                stamp
            }
        };
        Ok(SqlValue::Text(
            stamp.get(range).unwrap_or_default().to_owned(),
        ))
    };
    match register {
        Register::CurrentDate => part(0..10, now),
        Register::CurrentTime => part(11..19, now),
        Register::CurrentTimestamp => part(0..26, now),
        Register::CurrentTimeZone => Ok(SqlValue::Integer(zone(clock).map_err(failed)?)),
        other => {
            let text = format!("the special register {} is not done", other.name());
            Err(SqlAnswer {
                text,
                ..coded(-84, vec![other.name()])
            })
        }
    }
}

fn failed(error: rusqlite::Error) -> SqlAnswer {
    let text = error.to_string();
    SqlAnswer {
        text: text.clone(),
        ..coded(-901, vec![text])
    }
}

/// Local time as a timestamp of Db2: `YYYY-MM-DD-HH.MM.SS.NNNNNN`.
fn local(connection: &Connection) -> rusqlite::Result<String> {
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
