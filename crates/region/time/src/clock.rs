//! Time of day as ABSTIME counts.

use std::cell::Cell;
use std::time::{SystemTime, UNIX_EPOCH};

/// Milliseconds from 1900-01-01 to 1970-01-01.
const EPOCH_MS: i64 = 2_208_988_800_000;
/// Zones change their offset only at quarters of an hour.
const QUARTER_S: i64 = 900;

thread_local! {
    static OFFSET: Cell<(i64, i32)> = const { Cell::new((i64::MIN, 0)) };
}

/// Milliseconds since 1900-01-01T00:00 local time.
pub fn abstime_ms() -> i64 {
    abstime_at(unix_ms())
}

/// The same for a time in milliseconds since 1970 UTC.
pub fn abstime_at(unix: i64) -> i64 {
    unix + EPOCH_MS + i64::from(offset_at(unix / 1000)) * 1000
}

/// Seconds east of UTC now.
pub fn utc_offset_s() -> i32 {
    offset_at(unix_ms() / 1000)
}

fn unix_ms() -> i64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_millis() as i64)
}

/// Nanoseconds since 1970 UTC.
pub(crate) fn unix_ns() -> u64 {
    SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(0, |d| d.as_nanos() as u64)
}

/// Processor time of this thread in nanoseconds.
pub fn cpu_ns() -> u64 {
    ns_of(libc::CLOCK_THREAD_CPUTIME_ID)
}

/// Nanoseconds of a clock that nobody sets.
pub(crate) fn monotonic_ns() -> u64 {
    ns_of(libc::CLOCK_MONOTONIC)
}

fn ns_of(clock: libc::clockid_t) -> u64 {
    let mut time = libc::timespec {
        tv_sec: 0,
        tv_nsec: 0,
    };
    // SAFETY: writes to our own structure.
    unsafe { libc::clock_gettime(clock, &mut time) };
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Seconds east of UTC at a time since 1970.
pub fn offset_at(seconds: i64) -> i32 {
    let quarter = seconds.div_euclid(QUARTER_S);
    let (known, offset) = OFFSET.get();
    if known == quarter {
        return offset;
    }
    // SAFETY: localtime_r writes to our own structure.
    let offset = unsafe {
        let mut parts = std::mem::zeroed::<libc::tm>();
        libc::localtime_r(&seconds, &mut parts);
        parts.tm_gmtoff as i32
    };
    OFFSET.set((quarter, offset));
    offset
}
