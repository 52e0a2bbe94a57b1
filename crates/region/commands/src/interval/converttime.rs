//! EXEC CICS CONVERTTIME: a date text of the internet as ABSTIME.
//!
//! Takes RFC 1123 (`Mon, 03 Jun 2024 08:30:00 GMT`), RFC 850, asctime, cookie dates and RFC 3339.
//! A text that is none of them answers ABSTIME 0.
//! Condition: INVREQ 1 (the text is none of them), 2 (there is no such moment, or before 1900).

use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::Resp;
use transom_types::calendar::{ABSTIME_MAX, DateTime, MONTHS};

/// ABSTIME of a text that is no time.
const NO_TIME: i64 = 0;

/// The command.
pub(crate) fn converttime(cx: &mut Cx<'_>) -> Done {
    let field = cx.call.bytes(opt::DATESTRING).unwrap_or(&[]).to_vec();
    let text = String::from_utf8_lossy(&field).into_owned();
    let text = text.trim_matches([' ', '\0']);
    cx.call.set_number(opt::ABSTIME, NO_TIME);
    let Some(moment) = rfc3339(text).or_else(|| internet(text)) else {
        return raise(Resp::INVREQ, 1);
    };
    let Some(gmt) = DateTime::to_abstime(moment.date, moment.time) else {
        return raise(Resp::INVREQ, 2);
    };
    let local = gmt + moment.milliseconds - moment.offset_s * 1000
        + i64::from(cx.host.utc_offset_s()) * 1000;
    if !(0..=ABSTIME_MAX).contains(&local) {
        return raise(Resp::INVREQ, 2);
    }
    cx.set_number(opt::ABSTIME, local);
    NORMAL
}

struct Moment {
    date: (i64, u32, u32),
    time: (u32, u32, u32),
    milliseconds: i64,
    offset_s: i64,
}

/// `2003-04-01T10:01:02.498Z`, `...+02:00`.
fn rfc3339(text: &str) -> Option<Moment> {
    let (date, time) = text.split_once(['T', 't', ' '])?;
    let mut parts = date.split('-');
    let date = (
        number(parts.next()?, 4)?,
        part(parts.next()?)?,
        part(parts.next()?)?,
    );
    if parts.next().is_some() {
        return None;
    }
    let zone_at = time.find(['Z', 'z', '+', '-'])?;
    let (clock, zone) = time.split_at_checked(zone_at)?;
    let (clock, fraction) = clock.split_once('.').unwrap_or((clock, "0"));
    let milliseconds = format!("{fraction:0<3}").get(..3)?.parse().ok()?;
    Some(Moment {
        date,
        time: clock_of(clock)?,
        milliseconds,
        offset_s: zone_of(zone)?,
    })
}

fn zone_of(zone: &str) -> Option<i64> {
    if zone.eq_ignore_ascii_case("z") {
        return Some(0);
    }
    let sign = if zone.starts_with('-') { -1 } else { 1 };
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (part(hours)?, part(minutes)?);
    (hours < 24 && minutes < 60).then(|| sign * i64::from(hours * 3600 + minutes * 60))
}

/// RFC 1123, RFC 850, cookie (`Mon, 03-Jun-2024 ...`) and asctime (`Mon Jun  3 08:30:00 2024`).
fn internet(text: &str) -> Option<Moment> {
    let words: Vec<&str> = text
        .split([' ', ',', '-'])
        .filter(|word| !word.is_empty())
        .collect();
    let (day, month, year, clock) = match words[..] {
        [_, day, month, year, clock, "GMT" | "UTC" | "+0000"] => (day, month, year, clock),
        [_, month, day, clock, year] => (day, month, year, clock),
        _ => return None,
    };
    let month = MONTHS
        .iter()
        .position(|name| name.eq_ignore_ascii_case(month))? as u32
        + 1;
    let year = match year.len() {
        // Two digits: the usual window of RFC 850 readers.
        2 => number(year, 2).map(|year| if year < 70 { 2000 + year } else { 1900 + year })?,
        _ => number(year, 4)?,
    };
    let date = (year, month, part(day)?);
    Some(Moment {
        date,
        time: clock_of(clock)?,
        milliseconds: 0,
        offset_s: 0,
    })
}

fn clock_of(text: &str) -> Option<(u32, u32, u32)> {
    let mut parts = text.split(':');
    let clock = (
        part(parts.next()?)?,
        part(parts.next()?)?,
        part(parts.next()?)?,
    );
    parts.next().is_none().then_some(clock)
}

fn part(text: &str) -> Option<u32> {
    (1..=2)
        .contains(&text.len())
        .then(|| number(text, text.len()))?
        .map(|n| n as u32)
}

fn number(text: &str, digits: usize) -> Option<i64> {
    let digits_only = text.len() == digits && text.bytes().all(|b| b.is_ascii_digit());
    digits_only.then(|| text.parse().ok())?
}
