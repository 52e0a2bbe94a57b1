//! LUs that sessions of a host have.
//!
//! Why: a client that asks for none gets one that is free. Not here: which it may have (`lus`).

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many sessions asked for each LU.
#[derive(Debug, Default)]
pub(crate) struct Seats(Mutex<HashMap<String, u32>>);

impl Seats {
    /// Takes the first that is free.
    pub(crate) fn first(&self, mut lus: impl Iterator<Item = String>) -> Option<String> {
        let mut taken = self.taken();
        let free = lus.find(|lu| !taken.contains_key(lu))?;
        taken.insert(free.clone(), 1);
        Some(free)
    }

    /// Takes one that a client has asked for; whether it is in use is for the host to say.
    pub(crate) fn take(&self, lu: &str) {
        *self.taken().entry(lu.to_owned()).or_default() += 1;
    }

    /// Gives one back.
    pub(crate) fn leave(&self, lu: &str) {
        let mut taken = self.taken();
        if let Some(count) = taken.get_mut(lu) {
            *count -= 1;
            if *count == 0 {
                taken.remove(lu);
            }
        }
    }

    fn taken(&self) -> MutexGuard<'_, HashMap<String, u32>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
