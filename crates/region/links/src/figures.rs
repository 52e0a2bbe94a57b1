//! What is counted of a link.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use transom_types::{Applid, SysId};

/// Figures of a link.
#[derive(Debug, Clone)]
pub struct LinkReading {
    /// CONNECTION.
    pub name: SysId,
    /// The other region.
    pub applid: Applid,
    /// It answers.
    pub acquired: bool,
    /// Names and values.
    pub figures: Vec<(&'static str, u64)>,
}

impl LinkReading {
    /// The value of a figure; 0 where there is none of this name.
    pub fn figure(&self, name: &str) -> u64 {
        let mut figures = self.figures.iter();
        figures
            .find(|(figure, _)| *figure == name)
            .map_or(0, |(_, value)| *value)
    }
}

/// Figures of a link.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) conversations: AtomicU64,
    pub(crate) commands: AtomicU64,
    pub(crate) queued: AtomicU64,
    /// Sessions that were wanted.
    pub(crate) wanted: AtomicU64,
    /// Of them: not got, as the other region is not reached or the link is not to be used.
    pub(crate) no_link: AtomicU64,
    /// Of them: not got, as all are in use.
    pub(crate) in_use: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
}

impl Counts {
    /// A session was wanted, and the link is not to be used.
    pub(crate) fn not_usable(&self) {
        self.wanted.fetch_add(1, Relaxed);
        self.no_link.fetch_add(1, Relaxed);
    }
}
