//! Lines about a build where no bar can be shown: in pipes and logs.

use crate::guard::lock;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use transom_messages::{Message, Pace, si};

/// Between two lines.
const EVERY: Duration = Duration::from_secs(5);

/// Lines about so many sources.
pub struct Lines(Mutex<Pace>, usize);

impl Lines {
    /// The first line comes when a build is not over soon.
    pub fn of(all: usize) -> Self {
        Self(Mutex::new(Pace::of(EVERY, Instant::now())), all)
    }

    /// The line, if it is due: so many are done, the last one is `name`.
    pub fn line(&self, done: usize, name: &str) -> Option<Message> {
        let is_due = done < self.1 && lock(&self.0).is_due(Instant::now());
        is_due.then(|| si::building(done, self.1, name))
    }
}
