//! INQUIRE browses a task has in progress.

use std::collections::{BTreeMap, VecDeque};
use transom_commands::OptionId;
use transom_types::TermId;
use transom_wire::syncpoint::UnitId;
use transom_wire::task::Lifetime;

/// Browses in progress.
#[derive(Default)]
pub struct Browses {
    /// By the option that names the kind.
    pub named: BTreeMap<OptionId, VecDeque<Vec<u8>>>,
    pub enqueues: Option<VecDeque<Enqueue>>,
    pub terminals: Option<VecDeque<TermId>>,
    /// Identifiers of units of work that come next.
    pub uows: Option<VecDeque<UnitId>>,
}

/// An owner of a resource or one that waits for it.
pub struct Enqueue {
    pub key: Vec<u8>,
    pub task: u32,
    pub owns: bool,
    pub lifetime: Lifetime,
}
