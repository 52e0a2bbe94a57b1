//! Targets of a host: which there are, which answer, which one is next.
//!
//! Not here: looking after them (`health`), connecting (`opening`).

use crate::limit::Limit;
use std::fmt::Display;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, PoisonError};

/// Bad looks after which a target counts as down, and good ones after which it is back.
const TURNS: u32 = 2;

/// A target.
#[derive(Debug)]
pub(crate) struct Target {
    /// HOST:PORT.
    pub(crate) name: String,
    down: AtomicBool,
    /// Looks in a row that said the opposite.
    turns: AtomicU32,
    /// Why it is down.
    why: Mutex<String>,
    pub(crate) sessions: Arc<Limit>,
    pub(crate) failed: AtomicU64,
}

/// All of a host.
#[derive(Debug)]
pub(crate) struct Targets {
    list: Vec<Arc<Target>>,
    balance: &'static str,
    next: AtomicUsize,
}

impl Target {
    fn new(name: &str) -> Self {
        Self {
            name: name.to_owned(),
            down: AtomicBool::new(false),
            turns: AtomicU32::new(0),
            why: Mutex::default(),
            sessions: Arc::default(),
            failed: AtomicU64::new(0),
        }
    }

    /// It gets no sessions while others answer.
    pub(crate) fn is_down(&self) -> bool {
        self.down.load(Relaxed)
    }

    /// Why.
    pub(crate) fn why(&self) -> String {
        self.why
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }

    /// Somebody looked; `true`: it changed by that.
    pub(crate) fn looked(&self, found: Result<(), &dyn Display>) -> bool {
        let bad = found.is_err();
        if let Err(why) = found {
            *self.why.lock().unwrap_or_else(PoisonError::into_inner) = why.to_string();
        }
        if bad == self.is_down() {
            self.turns.store(0, Relaxed);
            return false;
        }
        let turned = self.turns.fetch_add(1, Relaxed) + 1 == TURNS;
        if turned {
            self.turns.store(0, Relaxed);
            self.down.store(bad, Relaxed);
        }
        turned
    }
}

impl Targets {
    /// Those of `before` that have the same names stay as they are.
    pub(crate) fn new(names: &[String], balance: &'static str, before: Option<&Self>) -> Self {
        let known = |name: &String| before?.list.iter().find(|t| t.name == *name).cloned();
        let target = |name| known(name).unwrap_or_else(|| Arc::new(Target::new(name)));
        Self {
            list: names.iter().map(target).collect(),
            balance,
            next: AtomicUsize::new(0),
        }
    }

    pub(crate) fn all(&self) -> &[Arc<Target>] {
        &self.list
    }

    /// In the order in which a session tries them: those that are down come last, because what is
    /// known of them may be old.
    pub(crate) fn order(&self) -> Vec<Arc<Target>> {
        let mut order = self.list.clone();
        match self.balance {
            "ROUND" => {
                let first = self.next.fetch_add(1, Relaxed) % order.len().max(1);
                order.rotate_left(first);
            }
            "LEAST" => order.sort_by_key(|target| target.sessions.now()),
            _ => {}
        }
        order.sort_by_key(|target| target.is_down());
        order
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(targets: &Targets) -> Vec<String> {
        targets.order().iter().map(|t| t.name.clone()).collect()
    }

    #[test]
    fn a_target_that_flaps_does_not_change_at_each_look() {
        let target = Target::new("a:23");
        let bad = || Err(&"refused" as &dyn Display);
        assert!(!target.looked(bad()) && !target.looked(Ok(())) && !target.looked(bad()));
        assert!(!target.is_down());
        assert!(target.looked(bad()) && target.is_down() && target.why() == "refused");
        assert!(!target.looked(Ok(())) && !target.looked(bad()) && !target.looked(Ok(())));
        assert!(target.looked(Ok(())) && !target.is_down());
    }

    #[test]
    fn sessions_go_where_the_balance_says() {
        let names = ["a:1".to_owned(), "b:2".to_owned()];
        let round = Targets::new(&names, "ROUND", None);
        assert_eq!(named(&round), ["a:1", "b:2"]);
        assert_eq!(named(&round), ["b:2", "a:1"]);
        let least = Targets::new(&names, "LEAST", None);
        let _session = least.all()[0].sessions.enter(0);
        assert_eq!(named(&least), ["b:2", "a:1"]);
        let first = Targets::new(&names, "FIRST", Some(&least));
        for _ in 0..TURNS {
            first.all()[0].looked(Err(&"gone"));
        }
        assert_eq!(named(&first), ["b:2", "a:1"]);
        assert!(least.all()[0].is_down(), "the same target");
    }
}
