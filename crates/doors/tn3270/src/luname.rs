//! LU names: which are taken, and new ones for clients that name none.

use std::collections::HashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Names a door gives itself: `TN` and six digits.
const GENERATED_MAX: u32 = 999_999;

/// The LU names of a door's sessions.
#[derive(Debug, Default)]
pub(crate) struct LuNames(Mutex<State>);

#[derive(Debug, Default)]
struct State {
    taken: HashSet<String>,
    last: u32,
}

/// A taken name; dropping it gives it back.
#[derive(Debug)]
pub(crate) struct LuName {
    name: String,
    names: Arc<LuNames>,
}

impl LuName {
    pub(crate) fn as_str(&self) -> &str {
        &self.name
    }
}

impl Drop for LuName {
    fn drop(&mut self) {
        self.names.lock().taken.remove(&self.name);
    }
}

impl LuNames {
    /// Takes the name; `None`: another session has it.
    pub(crate) fn take(self: &Arc<Self>, name: &str) -> Option<LuName> {
        let name = name.to_ascii_uppercase();
        let new = self.lock().taken.insert(name.clone());
        new.then(|| self.lu(name))
    }

    /// Takes any free name.
    pub(crate) fn any(self: &Arc<Self>) -> Option<LuName> {
        let mut state = self.lock();
        for _ in 0..GENERATED_MAX {
            state.last = state.last % GENERATED_MAX + 1;
            let name = format!("TN{:06}", state.last);
            if state.taken.insert(name.clone()) {
                drop(state);
                return Some(self.lu(name));
            }
        }
        None
    }

    fn lu(self: &Arc<Self>, name: String) -> LuName {
        LuName {
            name,
            names: self.clone(),
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_taken_once_and_given_back() {
        let names = Arc::new(LuNames::default());
        let first = names.take("lu000001").unwrap();
        assert_eq!(first.as_str(), "LU000001");
        assert!(names.take("LU000001").is_none());
        drop(first);
        assert!(names.take("LU000001").is_some());
        let (one, two) = (names.any().unwrap(), names.any().unwrap());
        assert_eq!((one.as_str(), two.as_str()), ("TN000001", "TN000002"));
    }
}
