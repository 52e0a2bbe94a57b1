//! Language Environment services that COBOL programs CALL: dates, the clock, abend.
//!
//! What: [`entry`] answers the address behind a name when no program of the system has it; the
//! functions take what COBOL passes BY REFERENCE. Binary numbers are big-endian, COMP-2 is the
//! machine's. Source: the public descriptions of the callable services. Not here: CEE3ABD
//! (`edge/runtime.c` ends the program, which no Rust frame may see).

mod picture;

use picture::DateProblem;
use std::ffi::{c_int, c_void};
use std::time::{SystemTime, UNIX_EPOCH};

/// Bytes of a feedback code.
const FEEDBACK_BYTES: usize = 12;
/// `CEE` as condition tokens have it, also where programs compare with hexadecimal literals.
const FACILITY: [u8; 3] = [0xC3, 0xC5, 0xC5];
/// Severity 3, kind 1, as in every condition of these services.
const CASE_SEVERITY: u8 = 0x59;
/// Longest VSTRING.
const TEXT_MAX: usize = 255;
/// Characters of an output date.
const DATE_BYTES: usize = 80;
/// Seconds from 14 October 1582 to 1970-01-01.
const LILIAN_SECONDS_OF_1970: i64 = 141_428 * 86_400;

unsafe extern "C" {
    fn txm_cee3abd(code: *const u8, clean_up: *const u8) -> c_int;
}

/// The entry of a service.
pub(crate) fn entry(name: &str) -> Option<*mut c_void> {
    let entry: *mut c_void = match name {
        "CEEDAYS" => ceedays as *mut c_void,
        "CEEDATE" => ceedate as *mut c_void,
        "CEELOCT" => ceeloct as *mut c_void,
        "CEEGMT" => ceegmt as *mut c_void,
        "CEE3ABD" => txm_cee3abd as *mut c_void,
        _ => return None,
    };
    Some(entry)
}

/// CEEDAYS: text and picture as VSTRINGs to a Lilian day.
///
/// # Safety
/// Called by COBOL with four arguments or fewer; a null one was omitted.
unsafe extern "C" fn ceedays(
    text: *const u8,
    picture: *const u8,
    lilian: *mut u8,
    feedback: *mut u8,
) -> c_int {
    // SAFETY: by the caller; a VSTRING is a length and as many bytes.
    let (text, picture) = unsafe { (vstring(text), vstring(picture)) };
    let day = match (text, picture) {
        (Some(text), Some(picture)) => picture::to_lilian(text, picture, this_year()),
        _ => Err(DateProblem::Insufficient),
    };
    // SAFETY: by the caller.
    unsafe {
        store(lilian, &(day.unwrap_or(0) as i32).to_be_bytes());
        tell(feedback, day.err());
    }
    0
}

/// CEEDATE: Lilian day and picture (VSTRING) to 80 characters.
///
/// # Safety
/// As [`ceedays`].
unsafe extern "C" fn ceedate(
    lilian: *const u8,
    picture: *const u8,
    text: *mut u8,
    feedback: *mut u8,
) -> c_int {
    // SAFETY: by the caller.
    let (day, picture) = unsafe { (load(lilian), vstring(picture)) };
    let made = match (day, picture) {
        (Some(day), Some(picture)) => picture::from_lilian(day.into(), picture),
        _ => Err(DateProblem::Insufficient),
    };
    let problem = made.as_ref().err().copied();
    let mut field = [b' '; DATE_BYTES];
    for (to, from) in field.iter_mut().zip(made.unwrap_or_default()) {
        *to = from;
    }
    // SAFETY: by the caller.
    unsafe {
        store(text, &field);
        tell(feedback, problem);
    }
    0
}

/// CEELOCT: local Lilian day, seconds since 14 October 1582, `YYYYMMDDHHMISS999`.
///
/// # Safety
/// As [`ceedays`].
unsafe extern "C" fn ceeloct(
    lilian: *mut u8,
    seconds: *mut u8,
    text: *mut u8,
    feedback: *mut u8,
) -> c_int {
    let (since_1970, millis) = now();
    let local = since_1970 + i64::from(crate::worker::clock::offset_at(since_1970));
    let total = local + LILIAN_SECONDS_OF_1970;
    let day = total.div_euclid(86_400);
    let of_day = total.rem_euclid(86_400);
    let date = picture::from_lilian(day, b"YYYYMMDD").unwrap_or_default();
    let (h, m, s) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    let clock = format!("{h:02}{m:02}{s:02}{millis:03}");
    // SAFETY: by the caller.
    unsafe {
        store(lilian, &(day as i32).to_be_bytes());
        store(seconds, &(total as f64 + millis as f64 / 1e3).to_ne_bytes());
        store(text, &[&date[..], clock.as_bytes()].concat());
        tell(feedback, None);
    }
    0
}

/// CEEGMT: Lilian day and seconds of Greenwich.
///
/// # Safety
/// As [`ceedays`].
unsafe extern "C" fn ceegmt(lilian: *mut u8, seconds: *mut u8, feedback: *mut u8) -> c_int {
    let (since_1970, millis) = now();
    let total = since_1970 + LILIAN_SECONDS_OF_1970;
    // SAFETY: by the caller.
    unsafe {
        store(lilian, &(total.div_euclid(86_400) as i32).to_be_bytes());
        store(seconds, &(total as f64 + millis as f64 / 1e3).to_ne_bytes());
        tell(feedback, None);
    }
    0
}

fn now() -> (i64, i64) {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let since = since.unwrap_or_default();
    (since.as_secs() as i64, i64::from(since.subsec_millis()))
}

fn this_year() -> i64 {
    let day = (now().0 + LILIAN_SECONDS_OF_1970).div_euclid(86_400);
    let year = picture::from_lilian(day, b"YYYY").unwrap_or_default();
    year.iter().fold(0, |n, b| n * 10 + i64::from(b - b'0'))
}

/// # Safety
/// Null, or a halfword length followed by as many bytes.
unsafe fn vstring<'a>(at: *const u8) -> Option<&'a [u8]> {
    if at.is_null() {
        return None;
    }
    // SAFETY: by the caller.
    unsafe {
        let length = u16::from_be_bytes([*at, *at.add(1)]);
        let length = usize::from(length).min(TEXT_MAX);
        Some(std::slice::from_raw_parts(at.add(2), length))
    }
}

/// # Safety
/// Null, or four readable bytes.
unsafe fn load(at: *const u8) -> Option<i32> {
    // SAFETY: by the caller.
    (!at.is_null()).then(|| unsafe { i32::from_be_bytes(*at.cast::<[u8; 4]>()) })
}

/// # Safety
/// Null, or as many writable bytes.
unsafe fn store(at: *mut u8, bytes: &[u8]) {
    if !at.is_null() {
        // SAFETY: by the caller.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), at, bytes.len()) };
    }
}

/// # Safety
/// Null, or twelve writable bytes.
unsafe fn tell(feedback: *mut u8, problem: Option<DateProblem>) {
    let mut code = [0; FEEDBACK_BYTES];
    if let Some(problem) = problem {
        code[1] = 3;
        code[2..4].copy_from_slice(&(problem as u16).to_be_bytes());
        code[4] = CASE_SEVERITY;
        code[5..8].copy_from_slice(&FACILITY);
    }
    // SAFETY: by the caller.
    unsafe { store(feedback, &code) };
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
        let picture = text("YYYY-MM-DD");
        let date = text("1988-05-16");
        // SAFETY: all arguments are as long as the service wants.
        unsafe {
            ceedays(
                date.as_ptr(),
                picture.as_ptr(),
                day.as_mut_ptr(),
                feedback.as_mut_ptr(),
            )
        };
        assert_eq!((i32::from_be_bytes(day), feedback), (148_138, [0; 12]));
        let date = text("1988-13-16");
        // SAFETY: as above.
        unsafe {
            ceedays(
                date.as_ptr(),
                picture.as_ptr(),
                day.as_mut_ptr(),
                feedback.as_mut_ptr(),
            )
        };
        assert_eq!(feedback[..8], [0, 3, 0x09, 0xD5, 0x59, 0xC3, 0xC5, 0xC5]);
    }

    #[test]
    fn names_lead_to_services() {
        assert!(entry("CEEDAYS").is_some() && entry("CEE3ABD").is_some());
        assert_eq!(entry("CEEXYZ"), None);
    }
}
