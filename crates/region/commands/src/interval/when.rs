//! The time options of DELAY, POST and START.
//!
//! What: INTERVAL, AFTER and FOR from now; TIME, AT and UNTIL at a time of day; a time of day up to
//! six hours ago has expired, an earlier one is tomorrow's. Hours above 23 reach into the next
//! days. Not here: waiting, clocks.

use crate::command::{Cx, Fail, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_types::calendar::DAY_MS;

/// A time of day that lies back no more than this has expired.
const EXPIRED_WITHIN_MS: i64 = 6 * 3_600_000;

/// Milliseconds until the time the command names; 0: it has expired. INVREQ 4 (hours), 5 (minutes),
/// 6 (seconds), 22 (milliseconds) out of range.
pub(crate) fn wait_ms(cx: &Cx<'_>) -> Result<i64, Fail> {
    let at = match cx.number(opt::TIME) {
        Some(time) => Some(hhmmss(time)?),
        None if cx.has(opt::UNTIL) || cx.has(opt::AT) => Some(parts(cx)?),
        None => None,
    };
    let Some(at) = at else {
        return match cx.number(opt::INTERVAL) {
            Some(interval) => hhmmss(interval),
            None => parts(cx),
        };
    };
    let ahead = at - cx.host.abstime_ms().rem_euclid(DAY_MS);
    Ok(match ahead {
        ..=0 if -ahead <= EXPIRED_WITHIN_MS => 0,
        ..=0 => ahead + DAY_MS,
        _ => ahead,
    })
}

fn hhmmss(value: i64) -> Result<i64, Fail> {
    let (hours, minutes, seconds) = (value / 10_000, value / 100 % 100, value % 100);
    if !(0..=99).contains(&hours) || value < 0 {
        return raise(Resp::INVREQ, 4);
    }
    if minutes > 59 {
        return raise(Resp::INVREQ, 5);
    }
    if seconds > 59 {
        return raise(Resp::INVREQ, 6);
    }
    Ok((hours * 3600 + minutes * 60 + seconds) * 1000)
}

/// HOURS, MINUTES, SECONDS and MILLISECS. One given alone may exceed its usual range, up to 100
/// hours in all.
fn parts(cx: &Cx<'_>) -> Result<i64, Fail> {
    let rows = [
        (opt::HOURS, 3_600_000, 99, 99, 4),
        (opt::MINUTES, 60_000, 59, 5_999, 5),
        (opt::SECONDS, 1_000, 59, 359_999, 6),
        (opt::MILLISECS, 1, 999, 359_999_999, 22),
    ];
    let given = rows.iter().filter(|row| cx.has(row.0)).count();
    let mut total = 0;
    for (option, unit, usual_max, alone_max, resp2) in rows {
        let Some(value) = cx.number(option) else {
            continue;
        };
        let max = if given == 1 { alone_max } else { usual_max };
        if !(0..=max).contains(&value) {
            return raise(Resp::INVREQ, resp2);
        }
        total += value * unit;
    }
    Ok(total)
}
