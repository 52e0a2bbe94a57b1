//! Interval control: time of day, waiting, and starting tasks at a time.
//!
//! Worker side. Not here: the clock that requests wait for and the tasks they start (region side).

pub(crate) mod asktime;
pub(crate) mod cancel;
pub(crate) mod converttime;
pub(crate) mod delay;
pub(crate) mod formattime;
pub(crate) mod post;
pub(crate) mod reqid;
pub(crate) mod retrieve;
pub(crate) mod start;
pub(crate) mod wait_event;
pub(crate) mod when;

pub(crate) use transom_region_task::interval as state;
