//! The time as users and passwords need it.
//!
//! What: the time of day, handed in by who has a clock, else the system's. Nothing else in this
//! room asks the system for the time. Not here: sleeps, what waits.

use std::sync::Arc;
use std::time::SystemTime;

/// Tells the time of day.
pub type TimeOfDay = Arc<dyn Fn() -> SystemTime + Send + Sync>;

/// The system's.
pub(crate) fn of_system() -> TimeOfDay {
    Arc::new(SystemTime::now)
}

/// Where a test begins to count.
#[cfg(test)]
pub(crate) fn begin() -> std::time::Instant {
    std::time::Instant::now()
}
