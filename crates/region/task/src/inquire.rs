//! INQUIRE browses a task has in progress.

use std::collections::{BTreeMap, VecDeque};
use transom_commands::OptionId;
use transom_types::TermId;
use transom_wire::partner::UnitLink;
use transom_wire::syncpoint::UnitId;
use transom_wire::task::Lifetime;
use transom_workers::seam::Address;

/// Browses in progress.
#[derive(Default)]
pub struct Browses {
    /// By the option that names the kind.
    pub named: BTreeMap<OptionId, VecDeque<Vec<u8>>>,
    pub enqueues: Option<VecDeque<Enqueue>>,
    pub terminals: Option<VecDeque<TermId>>,
    /// Identifiers of units of work that come next.
    pub uows: Option<VecDeque<UnitId>>,
    /// UOW links that come next.
    pub unit_links: Option<VecDeque<UnitLink>>,
    /// Browses of EXEC CICS CSD.
    pub definitions: Definitions,
}

/// Browses of resource definitions: the last name of each.
#[derive(Default)]
pub struct Definitions {
    pub lists: Option<String>,
    pub groups: Option<String>,
    pub groups_of_list: Option<GroupsOfList>,
    pub resources: Option<Resources>,
    /// What the last SET answered.
    pub area: Address,
}

/// A browse of the groups of a list.
pub struct GroupsOfList {
    pub list: String,
    /// Groups it has had.
    pub place: u32,
}

/// A browse of the definitions of a group.
pub struct Resources {
    pub group: String,
    /// Kind and name of the last one.
    pub last: Option<(String, String)>,
}

impl Definitions {
    /// Ends all browses; what SET answered stays until the task ends.
    pub fn end_all(&mut self) {
        *self = Self {
            area: self.area,
            ..Self::default()
        };
    }
}

/// An owner of a resource or one that waits for it.
pub struct Enqueue {
    pub key: Vec<u8>,
    pub task: u32,
    pub owns: bool,
    pub lifetime: Lifetime,
}
