//! Dates and times as the services of Language Environment have them: a Lilian day and a time, a
//! text by a picture, seven numbers.
//!
//! What: [`read`] and [`write`] by picture, [`of_parts`] and [`parts_of`] for numbers, and why a
//! date is none ([`DateProblem`]). Begin at `picture`. Not here: the clock, arguments of services
//! and feedback codes (`region/workers`).

#![forbid(unsafe_code)]

mod names;
mod parts;
mod picture;

pub use parts::{of_parts, parts_of};
pub use picture::{CENTURY_WINDOW, DateProblem, Moment, is_in_calendar, read, write};
