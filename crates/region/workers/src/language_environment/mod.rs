//! Language Environment services that COBOL programs CALL: dates, the clock, abend.
//!
//! What: [`entry`] answers the address behind a name when no program of the system has it; it is an
//! entry of the edge (`edge/services.c`), which reaches the arguments before [`txm_service`] runs,
//! because a fault must not jump over frames of Rust. Binary numbers are big-endian, COMP-2 is the
//! machine's. Source: the public descriptions of the callable services. Not here: CEE3ABD
//! (`edge/runtime.c` ends the program, which no Rust frame may see).

mod picture;

use picture::{DateProblem, Moment};
use std::ffi::{c_char, c_int, c_void};
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes of a feedback code.
const FEEDBACK_BYTES: usize = 12;
/// `CEE` as condition tokens have it, also where programs compare with hexadecimal literals.
const FACILITY: [u8; 3] = [0xC3, 0xC5, 0xC5];
/// Severity 3, kind 1, as in every condition of these services.
const CASE_SEVERITY: u8 = 0x59;
/// Milliseconds of a day.
const DAY_MILLIS: i64 = 86_400_000;
/// Longest VSTRING.
const TEXT_MAX: usize = 255;
/// Characters of an output date.
const DATE_BYTES: usize = 80;
/// Seconds from 14 October 1582 to 1970-01-01.
const LILIAN_SECONDS_OF_1970: i64 = 141_428 * 86_400;

unsafe extern "C" {
    fn txm_cee3abd(code: *const u8, clean_up: *const u8) -> c_int;
    fn txm_service_entry(name: *const c_char, length: usize) -> *mut c_void;
}

/// The entry of a service.
pub(crate) fn entry(name: &str) -> Option<*mut c_void> {
    if name == "CEE3ABD" {
        return Some(txm_cee3abd as *mut c_void);
    }
    // CEEUTC is CEEGMT by another name.
    let name = if name == "CEEUTC" { "CEEGMT" } else { name };
    // SAFETY: looks the name up; nothing is kept.
    let entry = unsafe { txm_service_entry(name.as_ptr().cast(), name.len()) };
    (!entry.is_null()).then_some(entry)
}

/// Services in the order of `edge/services.c`.
const SERVICES: [Service; 8] = [
    ceedays, ceedate, ceedatm, ceesecs, ceeloct, ceegmt, ceegmto, ceedywk,
];

/// Arguments of a service; the edge has reached as many bytes as each has.
type Service = fn(&Arguments) -> Result<(), DateProblem>;

/// Runs a service; answers the number of its message, 0 when it did what it should.
///
/// # Safety
/// The edge calls it with an index it got the entry for, and addresses of the lengths that belong
/// to that service; the feedback code alone may be null.
#[unsafe(no_mangle)]
unsafe extern "C" fn txm_service(number: c_int, arguments: *const *mut u8) -> c_int {
    let Some(service) = SERVICES.get(number as usize) else {
        return 0;
    };
    // SAFETY: by the caller, four addresses.
    let arguments = Arguments(unsafe { *arguments.cast::<[*mut u8; 4]>() });
    let end = service(&arguments);
    let feedback = FEEDBACK_PLACE[number as usize];
    arguments.store(feedback, &feedback_code(end.err()));
    end.err().map_or(0, |problem| problem as c_int)
}

/// Place of the feedback code among the arguments of each service.
const FEEDBACK_PLACE: [usize; 8] = [3, 3, 3, 3, 3, 2, 3, 2];

struct Arguments([*mut u8; 4]);

impl Arguments {
    /// The text of a VSTRING.
    fn text(&self, n: usize) -> Vec<u8> {
        let at = self.0[n];
        // SAFETY: the edge has reached the halfword and as many bytes as it says.
        unsafe {
            let length = usize::from(u16::from_be_bytes([*at, *at.add(1)]));
            std::slice::from_raw_parts(at.add(2), length.min(TEXT_MAX)).to_vec()
        }
    }

    fn bytes<const N: usize>(&self, n: usize) -> [u8; N] {
        // SAFETY: the edge has reached as many bytes as this argument has.
        unsafe { *self.0[n].cast::<[u8; N]>() }
    }

    fn store(&self, n: usize, bytes: &[u8]) {
        let at = self.0[n];
        if !at.is_null() {
            // SAFETY: as above, for writing.
            unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
        }
    }

    fn store_number(&self, n: usize, number: i64) {
        self.store(n, &(number as i32).to_be_bytes());
    }

    fn store_seconds(&self, n: usize, seconds: f64) {
        self.store(n, &seconds.to_ne_bytes());
    }
}

/// CEEDAYS: text and picture to a Lilian day.
fn ceedays(of: &Arguments) -> Result<(), DateProblem> {
    let read = picture::read(&of.text(0), &of.text(1), this_year());
    of.store_number(2, read.map_or(0, |moment| moment.lilian));
    read.map(|_| ())
}

/// CEEDATE: Lilian day and picture to 80 characters.
fn ceedate(of: &Arguments) -> Result<(), DateProblem> {
    let lilian = i64::from(i32::from_be_bytes(of.bytes(0)));
    written(
        of,
        picture::write(Moment { lilian, millis: 0 }, &of.text(1)),
    )
}

/// CEEDATM: seconds since 14 October 1582 and picture to 80 characters.
fn ceedatm(of: &Arguments) -> Result<(), DateProblem> {
    let seconds = f64::from_ne_bytes(of.bytes(0));
    // What is no number becomes 0, infinity the largest number: neither lies in the calendar.
    let millis = (seconds * 1_000.0).round() as i64;
    let moment = Moment {
        lilian: millis.div_euclid(DAY_MILLIS),
        millis: millis.rem_euclid(DAY_MILLIS),
    };
    let made = picture::write(moment, &of.text(1)).map_err(|problem| match problem {
        DateProblem::Lilian => DateProblem::Seconds,
        other => other,
    });
    written(of, made)
}

fn written(of: &Arguments, made: Result<Vec<u8>, DateProblem>) -> Result<(), DateProblem> {
    let end = made.as_ref().map(|_| ()).map_err(|problem| *problem);
    let mut field = [b' '; DATE_BYTES];
    for (to, from) in field.iter_mut().zip(made.unwrap_or_default()) {
        *to = from;
    }
    of.store(2, &field);
    end
}

/// CEESECS: text and picture to seconds since 14 October 1582.
fn ceesecs(of: &Arguments) -> Result<(), DateProblem> {
    let read = picture::read(&of.text(0), &of.text(1), this_year());
    let millis = read.map_or(0, |m| m.lilian * DAY_MILLIS + m.millis);
    of.store_seconds(2, millis as f64 / 1e3);
    read.map(|_| ())
}

/// CEELOCT: local Lilian day, seconds since 14 October 1582, `YYYYMMDDHHMISS999`.
fn ceeloct(of: &Arguments) -> Result<(), DateProblem> {
    let (since_1970, millis) = now();
    let local = since_1970 + i64::from(crate::worker::clock::offset_at(since_1970));
    let total = local + LILIAN_SECONDS_OF_1970;
    let moment = Moment {
        lilian: total.div_euclid(86_400),
        millis: total.rem_euclid(86_400) * 1_000 + millis,
    };
    of.store_number(0, moment.lilian);
    of.store_seconds(1, total as f64 + millis as f64 / 1e3);
    of.store(2, &picture::write(moment, b"YYYYMMDDHHMISS999")?);
    Ok(())
}

/// CEEGMT: Lilian day and seconds of Greenwich.
fn ceegmt(of: &Arguments) -> Result<(), DateProblem> {
    let (since_1970, millis) = now();
    let total = since_1970 + LILIAN_SECONDS_OF_1970;
    of.store_number(0, total.div_euclid(86_400));
    of.store_seconds(1, total as f64 + millis as f64 / 1e3);
    Ok(())
}

/// CEEGMTO: hours, minutes and all seconds from Greenwich to local time.
fn ceegmto(of: &Arguments) -> Result<(), DateProblem> {
    let offset = i64::from(crate::worker::clock::offset_at(now().0));
    of.store_number(0, offset / 3_600);
    of.store_number(1, offset % 3_600 / 60);
    of.store_seconds(2, offset as f64);
    Ok(())
}

/// CEEDYWK: day of the week of a Lilian day, Sunday is 1.
fn ceedywk(of: &Arguments) -> Result<(), DateProblem> {
    let lilian = i64::from(i32::from_be_bytes(of.bytes(0)));
    if !picture::is_in_calendar(lilian) {
        of.store_number(1, 0);
        return Err(DateProblem::Lilian);
    }
    // Day 1 was a Friday.
    of.store_number(1, (lilian + 4) % 7 + 1);
    Ok(())
}

fn now() -> (i64, i64) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default();
    (since.as_secs() as i64, i64::from(since.subsec_millis()))
}

fn this_year() -> i64 {
    let lilian = (now().0 + LILIAN_SECONDS_OF_1970).div_euclid(86_400);
    let year = picture::write(Moment { lilian, millis: 0 }, b"YYYY").unwrap_or_default();
    year.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0'))
}

fn feedback_code(problem: Option<DateProblem>) -> [u8; FEEDBACK_BYTES] {
    let mut code = [0; FEEDBACK_BYTES];
    if let Some(problem) = problem {
        code[1] = 3;
        code[2..4].copy_from_slice(&(problem as u16).to_be_bytes());
        code[4] = CASE_SEVERITY;
        code[5..8].copy_from_slice(&FACILITY);
    }
    code
}

#[cfg(test)]
mod tests {
    use super::*;

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
            let message = unsafe { txm_service(0, arguments.as_ptr()) };
            (message, i32::from_be_bytes(day), feedback)
        };
        assert_eq!(run("1988-05-16"), (0, 148_138, [0; 12]));
        let (message, day, feedback) = run("1988-13-16");
        assert_eq!((message, day), (2517, 0));
        assert_eq!(feedback[..8], [0, 3, 0x09, 0xD5, 0x59, 0xC3, 0xC5, 0xC5]);
    }

    #[test]
    fn names_lead_to_services() {
        for name in ["CEEDAYS", "CEEDYWK", "CEEUTC", "CEE3ABD"] {
            assert!(entry(name).is_some(), "{name}");
        }
        assert_eq!(entry("CEEXYZ"), None);
    }
}
