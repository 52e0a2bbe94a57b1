//! Numbers of tables that this process has looked up.
//!
//! What: table names and their numbers, as long as no table is made or deleted. Why: each read of a
//! record looked its table up in the tree of tables first, which is half of the pages it touched;
//! the pages above are new after each commit. Only who changes tables can know that they are the
//! same: the region. Workers look them up. Not here: giving numbers (`apply`).

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{PoisonError, RwLock};

/// Tables kept; who has more looks the others up.
const KEPT_MAX: usize = 65_536;

/// What is known.
#[derive(Default)]
pub(super) struct Numbers {
    /// Odd while tables change.
    turn: AtomicU64,
    known: RwLock<Known>,
}

#[derive(Default)]
struct Known {
    turn: u64,
    numbers: HashMap<String, u32>,
}

/// A time in which no table changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Turn(u64);

/// Tables change until it is dropped.
pub(super) struct Changing<'n>(&'n AtomicU64);

impl Numbers {
    /// Asked before a state is looked at, and [`Numbers::is_still`] after it was: then what is
    /// known holds in that state. None while tables change.
    pub(super) fn turn(&self) -> Option<Turn> {
        let turn = self.turn.load(SeqCst);
        turn.is_multiple_of(2).then_some(Turn(turn))
    }

    /// Whether no table has changed since.
    pub(super) fn is_still(&self, Turn(turn): Turn) -> bool {
        std::sync::atomic::fence(SeqCst);
        self.turn.load(SeqCst) == turn
    }

    /// The number of a table.
    pub(super) fn find(&self, Turn(turn): Turn, table: &str) -> Option<u32> {
        let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
        let found = (known.turn == turn).then(|| known.numbers.get(table));
        found?.copied()
    }

    /// Keeps a number that was found in a state of this turn.
    pub(super) fn keep(&self, Turn(turn): Turn, table: &str, number: u32) {
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        if known.turn < turn {
            *known = Known {
                turn,
                numbers: HashMap::new(),
            };
        }
        if known.turn == turn && known.numbers.len() < KEPT_MAX {
            known.numbers.insert(table.to_owned(), number);
        }
    }

    /// Begins to change tables; there is one who does.
    pub(super) fn change(&self) -> Changing<'_> {
        self.turn.fetch_add(1, SeqCst);
        Changing(&self.turn)
    }
}

impl Drop for Changing<'_> {
    fn drop(&mut self) {
        self.0.fetch_add(1, SeqCst);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_known_ends_when_tables_change() {
        let numbers = Numbers::default();
        let first = numbers.turn().unwrap();
        assert_eq!(numbers.find(first, "file/A"), None);
        numbers.keep(first, "file/A", 7);
        assert_eq!(numbers.find(first, "file/A"), Some(7));
        assert_eq!(numbers.find(first, "file/B"), None);
        let changing = numbers.change();
        assert_eq!((numbers.turn(), numbers.is_still(first)), (None, false));
        drop(changing);
        let second = numbers.turn().unwrap();
        assert!(!numbers.is_still(first) && numbers.is_still(second));
        assert_eq!(numbers.find(second, "file/A"), None);
        numbers.keep(second, "file/A", 8);
        // Who was slow says nothing of the time after.
        numbers.keep(first, "file/A", 7);
        assert_eq!(numbers.find(second, "file/A"), Some(8));
        assert_eq!(numbers.find(first, "file/A"), None);
    }
}
