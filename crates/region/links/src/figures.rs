//! What is counted of a link.

use std::sync::atomic::AtomicU64;
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

/// Figures of a link.
#[derive(Debug, Default)]
pub(crate) struct Counts {
    pub(crate) conversations: AtomicU64,
    pub(crate) commands: AtomicU64,
    pub(crate) queued: AtomicU64,
    pub(crate) failed: AtomicU64,
    pub(crate) sent: AtomicU64,
    pub(crate) received: AtomicU64,
}
