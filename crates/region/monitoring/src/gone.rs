//! A resource that goes, with what was counted for it.
//!
//! Why a word of its own: who lets go of a resource knows nothing of statistics, and statistics
//! know no service. Not here: what is written of it.

use std::sync::OnceLock;
use transom_monitoring::statistics::{Counted, Layout};

/// What goes.
pub enum Gone<'a> {
    /// A file was closed: it stays, and counts anew.
    Closed(&'static Layout, &'a [u8]),
    /// A definition is about to be discarded.
    Discarded(&'static Layout, &'a [u8]),
    /// What counted itself is over.
    Ended(Counted),
}

type Hears = Box<dyn Fn(&Gone<'_>) + Send + Sync>;

/// Who hears of what goes: nobody, until somebody says so.
#[derive(Default)]
pub struct Departures(OnceLock<Hears>);

impl Departures {
    /// From now on this hears of it; the first to say so does.
    pub fn heard_by(&self, hears: Hears) {
        let _first = self.0.set(hears);
    }

    /// Something goes.
    pub fn tell(&self, gone: &Gone<'_>) {
        if let Some(hears) = self.0.get() {
            hears(gone);
        }
    }
}
