//! Time as tasks are told it, and a cheap one for entries of the trace.
//!
//! What: ABSTIME of now and of a moment, the offset of local time, processor time of a thread;
//! [`Ticks`] counts on from a reading of the clock. Why a room: workers, the region and its reports
//! tell one time, and it has `unsafe` of its own, the calls of the clock and the processor's
//! counter. Not here: a clock that tests set (`region/dispatcher`), dates of functions and services
//! (`formats/dates`).

#![expect(
    unsafe_code,
    reason = "calls of the clock, and the processor's counter"
)]

mod clock;
mod ticks;

pub use clock::{abstime_at, abstime_ms, cpu_ns, offset_at, utc_offset_s};
pub use ticks::Ticks;
