//! Language Environment services that COBOL programs CALL: dates, the clock, conditions, storage,
//! random numbers; DSNTIAR of Db2.
//!
//! What: [`serve`] runs a service by its number in the table of `region/workers/edge/services.c`,
//! which reaches the arguments before, because a fault must not jump over frames of Rust. What a
//! task keeps is its [`Enclave`]; storage and the log are those of the [`Process`] that runs it.
//! Binary numbers are big-endian, COMP-2 is the machine's. Source: the public descriptions of the
//! callable services. Not here: which name a CALL finds, CEE3ABD (`region/workers`).

#![expect(unsafe_code, reason = "arguments are addresses that a program gave")]

mod arguments;
mod conditions;
mod db2;
mod enclave;
mod heap;
mod random;

use arguments::{Arguments, Condition, FACILITY};
use enclave::Task;
pub use enclave::{Enclave, Process};
use std::time::{SystemTime, UNIX_EPOCH};
use transom_dates::{self as dates, DateProblem, Moment};

/// Bytes of a feedback code.
const FEEDBACK_BYTES: usize = 12;
/// Case 1 and control 1, as in every condition of these services; severity lies between.
const CASE_CONTROL: u8 = 0x41;
/// A condition of less has no effect where no feedback code takes it.
const RAISED_FROM: u8 = 2;
/// Milliseconds of a day.
const DAY_MILLIS: i64 = 86_400_000;
/// Characters of an output date.
const DATE_BYTES: usize = 80;
/// Seconds from 14 October 1582 to 1970-01-01.
const LILIAN_SECONDS_OF_1970: i64 = 141_428 * 86_400;
const BAD_WINDOW: Condition = Condition::severe(2533);
/// Lilian day of 31 December 1600, from which COBOL's integer dates count.
const LILIAN_OF_1600: i64 = 6_653;

/// Services in the order of `edge/services.c`, each with its number of arguments: the feedback
/// code is the last of them.
const SERVICES: [(Service, usize); 24] = [
    (ceedays, 4),
    (ceedate, 4),
    (ceedatm, 4),
    (ceesecs, 4),
    (ceeloct, 4),
    (ceegmt, 3),
    (ceegmto, 4),
    (ceedywk, 3),
    (ceecbldy, 4),
    (ceeisec, 9),
    (ceeseci, 9),
    (conditions::ceedcod, 9),
    (conditions::ceencod, 9),
    (conditions::ceemget, 4),
    (conditions::ceemsg, 3),
    (conditions::ceemout, 3),
    (heap::ceegtst, 4),
    (heap::ceefrst, 2),
    (heap::ceeczst, 3),
    (ceeqcen, 2),
    (ceescen, 2),
    (heap::ceecrhp, 5),
    (heap::ceedshp, 2),
    (random::ceeran0, 3),
];

/// The edge has reached as many bytes as each argument has.
type Service = fn(&Arguments<'_>, &mut Task<'_>) -> Result<(), Condition>;

/// Runs a service; answers the number of its message, 0 when it did what it should. DSNTIAR and
/// DSNTIAC answer their return code.
///
/// # Safety
/// `arguments` are as many addresses as the service of this number has, each of the length that
/// belongs to it; the feedback code alone may be null.
pub unsafe fn serve(
    number: usize,
    arguments: *const *mut u8,
    enclave: &mut Enclave,
    process: &mut dyn Process,
) -> i32 {
    let Some((service, count)) = SERVICES.get(number) else {
        let first = db2::FIRST_ARGUMENT.get(number - SERVICES.len());
        // SAFETY: by the caller, three arguments from there on, and each was reached.
        return first.map_or(0, |n| unsafe { db2::dsntiar(arguments.add(*n)) });
    };
    // SAFETY: by the caller, as many addresses as the service has arguments.
    let arguments = Arguments(unsafe { std::slice::from_raw_parts(arguments, *count) });
    let end = service(&arguments, &mut Task { enclave, process });
    arguments.store(count - 1, &feedback_code(end.err()));
    let raised = end.err().filter(|c| c.severity >= RAISED_FROM);
    raised.map_or(0, |condition| i32::from(condition.message))
}

/// CEEDAYS: text and picture to a Lilian day.
fn ceedays(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let read = dates::read(&of.text(0), &of.text(1), window_year(task));
    of.store_number(2, read.map_or(0, |moment| moment.lilian));
    Ok(read.map(|_| ())?)
}

/// CEEDATE: Lilian day and picture to 80 characters.
fn ceedate(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let lilian = i64::from(i32::from_be_bytes(of.bytes(0)));
    written(of, dates::write(Moment { lilian, millis: 0 }, &of.text(1)))
}

/// CEEDATM: seconds since 14 October 1582 and picture to 80 characters.
fn ceedatm(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let seconds = f64::from_ne_bytes(of.bytes(0));
    // What is no number becomes 0, infinity the largest number: neither lies in the calendar.
    let millis = (seconds * 1_000.0).round() as i64;
    let moment = Moment {
        lilian: millis.div_euclid(DAY_MILLIS),
        millis: millis.rem_euclid(DAY_MILLIS),
    };
    let made = dates::write(moment, &of.text(1)).map_err(|problem| match problem {
        DateProblem::Lilian => DateProblem::Seconds,
        other => other,
    });
    written(of, made)
}

fn written(of: &Arguments<'_>, made: Result<Vec<u8>, DateProblem>) -> Result<(), Condition> {
    let end = made
        .as_ref()
        .map(|_| ())
        .map_err(|problem| Condition::from(*problem));
    let mut field = [b' '; DATE_BYTES];
    for (to, from) in field.iter_mut().zip(made.unwrap_or_default()) {
        *to = from;
    }
    of.store(2, &field);
    end
}

/// CEESECS: text and picture to seconds since 14 October 1582.
fn ceesecs(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let read = dates::read(&of.text(0), &of.text(1), window_year(task));
    let millis = read.map_or(0, |m| m.lilian * DAY_MILLIS + m.millis);
    of.store_seconds(2, millis as f64 / 1e3);
    Ok(read.map(|_| ())?)
}

/// CEELOCT: local Lilian day, seconds since 14 October 1582, `YYYYMMDDHHMISS999`.
fn ceeloct(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let (since_1970, millis) = now();
    let local = since_1970 + i64::from(transom_time::offset_at(since_1970));
    let total = local + LILIAN_SECONDS_OF_1970;
    let moment = Moment {
        lilian: total.div_euclid(86_400),
        millis: total.rem_euclid(86_400) * 1_000 + millis,
    };
    of.store_number(0, moment.lilian);
    of.store_seconds(1, total as f64 + millis as f64 / 1e3);
    of.store(2, &dates::write(moment, b"YYYYMMDDHHMISS999")?);
    Ok(())
}

/// CEEGMT: Lilian day and seconds of Greenwich.
fn ceegmt(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let (since_1970, millis) = now();
    let total = since_1970 + LILIAN_SECONDS_OF_1970;
    of.store_number(0, total.div_euclid(86_400));
    of.store_seconds(1, total as f64 + millis as f64 / 1e3);
    Ok(())
}

/// CEEGMTO: hours, minutes and all seconds from Greenwich to local time.
fn ceegmto(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let offset = i64::from(transom_time::offset_at(now().0));
    of.store_number(0, offset / 3_600);
    of.store_number(1, offset % 3_600 / 60);
    of.store_seconds(2, offset as f64);
    Ok(())
}

/// CEEDYWK: day of the week of a Lilian day, Sunday is 1.
fn ceedywk(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let lilian = i64::from(i32::from_be_bytes(of.bytes(0)));
    if !dates::is_in_calendar(lilian) {
        of.store_number(1, 0);
        return Err(DateProblem::Lilian.into());
    }
    // Day 1 was a Friday.
    of.store_number(1, (lilian + 4) % 7 + 1);
    Ok(())
}

/// CEECBLDY: text and picture to an integer date of COBOL, day 1 is 1 January 1601.
fn ceecbldy(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let read = dates::read(&of.text(0), &of.text(1), window_year(task));
    let read = read.and_then(|moment| match moment.lilian > LILIAN_OF_1600 {
        true => Ok(moment),
        false => Err(DateProblem::Range),
    });
    of.store_number(2, read.map_or(0, |moment| moment.lilian - LILIAN_OF_1600));
    Ok(read.map(|_| ())?)
}

/// CEEISEC: year, month, day, hours, minutes, seconds and milliseconds to seconds.
fn ceeisec(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let parts: [i32; 7] = std::array::from_fn(|n| i32::from_be_bytes(of.bytes(n)));
    let made = dates::of_parts(parts);
    let millis = made.map_or(0, |m| m.lilian * DAY_MILLIS + m.millis);
    of.store_seconds(7, millis as f64 / 1e3);
    Ok(made.map(|_| ())?)
}

/// CEESECI: seconds to the same parts.
fn ceeseci(of: &Arguments<'_>, _: &mut Task<'_>) -> Result<(), Condition> {
    let seconds = f64::from_ne_bytes(of.bytes(0));
    let millis = (seconds * 1_000.0).round() as i64;
    let moment = Moment {
        lilian: millis.div_euclid(DAY_MILLIS),
        millis: millis.rem_euclid(DAY_MILLIS),
    };
    let parts = dates::parts_of(moment);
    for (n, part) in parts.unwrap_or_default().into_iter().enumerate() {
        of.store_number(n + 1, part);
    }
    parts.map(|_| ()).ok_or(DateProblem::Seconds.into())
}

/// CEEQCEN: years between the start of the century window and this one.
fn ceeqcen(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    of.store_number(0, i64::from(task.enclave.century_window));
    Ok(())
}

/// CEESCEN: sets them for the rest of the task.
fn ceescen(of: &Arguments<'_>, task: &mut Task<'_>) -> Result<(), Condition> {
    let years = i32::from_be_bytes(of.bytes(0));
    if !(0..=100).contains(&years) {
        return Err(BAD_WINDOW);
    }
    task.enclave.century_window = years;
    Ok(())
}

/// The year from which the usual window would be the one there is.
fn window_year(task: &Task<'_>) -> i64 {
    this_year() + dates::CENTURY_WINDOW - i64::from(task.enclave.century_window)
}

fn now() -> (i64, i64) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default();
    (since.as_secs() as i64, i64::from(since.subsec_millis()))
}

fn this_year() -> i64 {
    let lilian = (now().0 + LILIAN_SECONDS_OF_1970).div_euclid(86_400);
    let year = dates::write(Moment { lilian, millis: 0 }, b"YYYY").unwrap_or_default();
    year.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0'))
}

fn feedback_code(condition: Option<Condition>) -> [u8; FEEDBACK_BYTES] {
    let mut code = [0; FEEDBACK_BYTES];
    if let Some(condition) = condition {
        code[1] = condition.severity;
        code[2..4].copy_from_slice(&condition.message.to_be_bytes());
        code[4] = CASE_CONTROL | condition.severity << 3;
        code[5..8].copy_from_slice(&FACILITY);
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

    struct NoStorage;

    impl Process for NoStorage {
        fn getmain(&mut self, _: usize) -> Option<usize> {
            None
        }

        fn freemain(&mut self, _: usize) -> bool {
            false
        }

        fn message(&mut self, _: &[u8]) {}
    }

    fn text(of: &str) -> Vec<u8> {
        [&(of.len() as u16).to_be_bytes()[..], of.as_bytes()].concat()
    }

    #[test]
    fn ceedays_answers_day_and_feedback() {
        let (mut day, mut feedback) = ([9; 4], [9; 12]);
        let mut picture = text("YYYY-MM-DD");
        let mut run = |date: &str| {
            let mut date = text(date);
            let arguments = [
                date.as_mut_ptr(),
                picture.as_mut_ptr(),
                day.as_mut_ptr(),
                feedback.as_mut_ptr(),
            ];
            // SAFETY: all arguments are as long as the service wants.
            let message = unsafe {
                serve(
                    0,
                    arguments.as_ptr(),
                    &mut Enclave::default(),
                    &mut NoStorage,
                )
            };
            (message, i32::from_be_bytes(day), feedback)
        };
        assert_eq!(run("1988-05-16"), (0, 148_138, [0; 12]));
        let (message, day, feedback) = run("1988-13-16");
        assert_eq!((message, day), (2517, 0));
        assert_eq!(feedback[..8], [0, 3, 0x09, 0xD5, 0x59, 0xC3, 0xC5, 0xC5]);
    }
}
