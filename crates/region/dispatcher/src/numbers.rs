//! Task numbers: 1 to 9,999,999, then from 1 again, never one that is in use.
//!
//! Why: units of work, enqueues, waits and purges are keyed by the number. Two tasks with one
//! number would end each other's units of work. Not here: what a task is (region/server).

use crate::by_task::ByTask;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// As many as seven digits hold.
const TASK_NUMBER_MAX: u32 = 9_999_999;

/// Hands out numbers.
#[derive(Default)]
pub struct TaskNumbers(Mutex<State>);

#[derive(Default)]
struct State {
    last: u32,
    /// As many as there are tasks: MXT and those that wait for it.
    in_use: ByTask<()>,
}

/// A number that nobody else has before this is dropped.
pub struct TaskNumber {
    number: u32,
    all: Arc<TaskNumbers>,
}

impl TaskNumbers {
    /// The next one that is free.
    #[must_use]
    pub fn take(self: &Arc<Self>) -> TaskNumber {
        let mut state = self.lock();
        let number = loop {
            state.last = state.last % TASK_NUMBER_MAX + 1;
            let next = state.last;
            // Fewer tasks than numbers: MXT and MXTQUEUE are at most 102,000.
            if state.in_use.insert(next, ()).is_none() {
                break next;
            }
        };
        drop(state);
        let all = self.clone();
        TaskNumber { number, all }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl TaskNumber {
    /// The number.
    #[must_use]
    pub fn get(&self) -> u32 {
        self.number
    }
}

impl Drop for TaskNumber {
    fn drop(&mut self) {
        self.all.lock().in_use.remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_that_still_runs_keeps_its_number_to_itself() {
        let numbers = Arc::new(TaskNumbers::default());
        let (first, second) = (numbers.take(), numbers.take());
        assert_eq!((first.get(), second.get()), (1, 2));
        numbers.lock().last = TASK_NUMBER_MAX - 1;
        assert_eq!(numbers.take().get(), TASK_NUMBER_MAX);
        // 1 and 2 are a conversation that goes on.
        assert_eq!(numbers.take().get(), 3);
        drop(first);
        numbers.lock().last = TASK_NUMBER_MAX;
        assert_eq!(numbers.take().get(), 1);
        assert_eq!(numbers.take().get(), 3);
        assert_eq!(numbers.lock().in_use.len(), 1);
    }
}
