//! Interval control: time of day, waiting.
//!
//! Not here: START, RETRIEVE and POST (not implemented yet, see the command table).

pub(crate) mod asktime;
pub(crate) mod calendar;
pub(crate) mod cancel;
pub(crate) mod converttime;
pub(crate) mod delay;
pub(crate) mod formattime;
