//! EXEC CICS DELAY: wait for a time.
//!
//! INTERVAL / FOR from now, TIME / UNTIL at a time of day; a time up to six hours ago has expired,
//! an earlier one is tomorrow's. REQID lets another task end the delay by CANCEL.
//! Conditions: EXPIRED (the time has passed already); INVREQ 4 (hours), 5 (minutes), 6 (seconds),
//! 22 (milliseconds) out of range.

use super::calendar::DAY_MS;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::definitions::TaskEntry;
use crate::task::{self, Reason};
use transom_commands::opt;
use transom_types::{ProgramName, Resp};
use transom_workers::seam::Waited;

/// A time of day that lies back less than this has expired.
const EXPIRED_WITHIN_MS: i64 = 6 * 3_600_000;

/// The command.
pub(crate) fn delay(cx: &mut Cx<'_>) -> Done {
    let now = cx.host.abstime_ms();
    let wait_ms = if let Some(at) = time_of_day(cx)? {
        let ahead = at - now.rem_euclid(DAY_MS);
        match ahead {
            ..=0 if -ahead <= EXPIRED_WITHIN_MS => 0,
            ..=0 => ahead + DAY_MS,
            _ => ahead,
        }
    } else {
        interval(cx)?
    };
    let reqid = cx.name::<8>(opt::REQID);
    if let Some(reqid) = &reqid {
        crate::eib::set_reqid(cx.host.eib_mut(), reqid);
    }
    if wait_ms <= 0 {
        cx.host.yield_turn();
        return raise(Resp::EXPIRED, 0);
    }
    sleep(
        cx,
        now + wait_ms,
        reqid.map_or(ProgramName::BLANK, |id| ProgramName::from_field(&id)),
    )
}

fn sleep(cx: &mut Cx<'_>, until: i64, reqid: ProgramName) -> Done {
    let number = cx.task.number;
    let reason = Reason {
        suspend_type: "ICWAIT",
        suspend_value: ProgramName::BLANK,
        reqid,
    };
    loop {
        let rest = until.saturating_sub(cx.host.abstime_ms());
        if rest <= 0 {
            return NORMAL;
        }
        if task::wait(cx, &reason, Some(rest as u64))? == Waited::TimedOut {
            return NORMAL;
        }
        // CANCEL takes the REQID away before it posts.
        let Some(mut entry) = TaskEntry::find(cx.host.shared(), number) else {
            continue;
        };
        let cancelled = !reqid.is_blank() && entry.reqid.is_blank();
        task::awake(cx.host, &mut entry);
        if cancelled {
            return NORMAL;
        }
    }
}

/// TIME(hhmmss) or UNTIL as milliseconds of the day. Hours up to 99 reach into the next days.
fn time_of_day(cx: &Cx<'_>) -> Result<Option<i64>, Fail> {
    match cx.number(opt::TIME) {
        Some(time) => hhmmss(time).map(Some),
        None if cx.has(opt::UNTIL) => parts(cx).map(Some),
        None => Ok(None),
    }
}

fn interval(cx: &Cx<'_>) -> Result<i64, Fail> {
    match cx.number(opt::INTERVAL) {
        Some(interval) => hhmmss(interval),
        None => parts(cx),
    }
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
