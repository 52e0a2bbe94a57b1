//! EXEC CICS INQUIRE STATISTICS and SET STATISTICS.
//!
//! Times are hhmmss, or hours, minutes and seconds one by one; of those that are given the largest
//! unit may have the whole time. RECORDNOW and RESETNOW mean something when RECORDING is switched
//! by the same command, and nothing otherwise. Conditions: NOTAUTH 100; SET: INVREQ 1 (INTERVAL not
//! 000100 to 240000), 2 (ENDOFDAY not 000000 to 235959), 3 (RECORDING), 4 to 6 (hours, minutes or
//! seconds of the interval), 7 to 9 (those of the end of the day).

use super::answer::either;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::language::whole;
use transom_wire::system::{Request, StatisticsChange, StatisticsFacts};

const DAY_S: i64 = 86_400;

/// The options of a time, and the RESP2 of each that is wrong.
pub(super) struct Time {
    whole: (OptionId, u32),
    hours: (OptionId, u32),
    minutes: (OptionId, u32),
    seconds: (OptionId, u32),
    /// Least and most seconds.
    least: i64,
    most: i64,
}

const INTERVAL: Time = Time {
    whole: (opt::INTERVAL, 1),
    hours: (opt::INTERVALHRS, 4),
    minutes: (opt::INTERVALMINS, 5),
    seconds: (opt::INTERVALSECS, 6),
    least: 60,
    most: DAY_S,
};

const END_OF_DAY: Time = Time {
    whole: (opt::ENDOFDAY, 2),
    hours: (opt::ENDOFDAYHRS, 7),
    minutes: (opt::ENDOFDAYMINS, 8),
    seconds: (opt::ENDOFDAYSECS, 9),
    least: 0,
    most: DAY_S - 1,
};

const NEXT: Time = Time {
    whole: (opt::NEXTTIME, 0),
    hours: (opt::NEXTTIMEHRS, 0),
    minutes: (opt::NEXTTIMEMINS, 0),
    seconds: (opt::NEXTTIMESECS, 0),
    least: 0,
    most: DAY_S - 1,
};

/// What COLLECT and EXTRACT STATISTICS tell.
pub(super) const LAST_RESET: Time = Time {
    whole: (opt::LASTRESET, 0),
    hours: (opt::LASTRESETHRS, 0),
    minutes: (opt::LASTRESETMIN, 0),
    seconds: (opt::LASTRESETSEC, 0),
    least: 0,
    most: DAY_S - 1,
};

/// INQUIRE STATISTICS.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let answer = cx.ask(&Request::StatisticsFacts)?;
    let Some(facts) = whole::<StatisticsFacts>(&answer) else {
        return raise(Resp::INVREQ, 0);
    };
    cx.set_cvda(opt::RECORDING, either(facts.on, "ON", "OFF"));
    tell(cx, &INTERVAL, facts.interval_s);
    tell(cx, &END_OF_DAY, facts.end_of_day_s);
    tell(cx, &NEXT, facts.next_s);
    NORMAL
}

/// SET STATISTICS.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let on = match (
        cx.value_is(opt::ON, opt::RECORDING, "ON"),
        cx.value_is(opt::OFF, opt::RECORDING, "OFF"),
    ) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ if cx.has(opt::RECORDING) => return raise(Resp::INVREQ, 3),
        _ => None,
    };
    let change = StatisticsChange {
        on,
        interval_s: given(cx, &INTERVAL)?,
        end_of_day_s: given(cx, &END_OF_DAY)?,
        record: cx.has(opt::RECORDNOW),
        reset: cx.has(opt::RESETNOW),
    };
    cx.ask(&Request::SetStatistics(change))?;
    NORMAL
}

pub(super) fn tell(cx: &mut Cx<'_>, time: &Time, seconds: u32) {
    let (hours, minutes, rest) = (seconds / 3_600, seconds / 60 % 60, seconds % 60);
    let hhmmss = hours * 10_000 + minutes * 100 + rest;
    for ((option, _), value) in [
        (time.whole, hhmmss),
        (time.hours, hours),
        (time.minutes, minutes),
        (time.seconds, rest),
    ] {
        cx.set_number(option, value.into());
    }
}

/// The seconds of a time, if it is given.
fn given(cx: &Cx<'_>, time: &Time) -> Result<Option<u32>, Fail> {
    let wrong = |resp2| Err(Fail::Raise(Resp::INVREQ, resp2));
    let bounded = |seconds: i64, resp2| match (time.least..=time.most).contains(&seconds) {
        true => Ok(u32::try_from(seconds).ok()),
        false => wrong(resp2),
    };
    if let Some(hhmmss) = cx.call.number(time.whole.0) {
        let (hours, minutes, seconds) = (hhmmss / 10_000, hhmmss / 100 % 100, hhmmss % 100);
        if hhmmss < 0 || minutes > 59 || seconds > 59 {
            return wrong(time.whole.1);
        }
        return bounded(hours * 3_600 + minutes * 60 + seconds, time.whole.1);
    }
    let (mut sum, mut first) = (0, None);
    for ((option, resp2), unit) in [(time.hours, 3_600), (time.minutes, 60), (time.seconds, 1)] {
        let Some(number) = cx.call.number(option) else {
            continue;
        };
        // The largest unit that is given may have all of the time, others their own part.
        let most = match first {
            None => time.most / unit,
            Some(_) => 59,
        };
        if !(0..=most).contains(&number) {
            return wrong(resp2);
        }
        first = first.or(Some(resp2));
        sum += number * unit;
    }
    match first {
        Some(resp2) => bounded(sum, resp2),
        None => Ok(None),
    }
}
