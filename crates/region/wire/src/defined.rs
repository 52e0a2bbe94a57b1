//! Which items of shared memory say what is defined.
//!
//! Why: the region alone writes them, and they lie where no program can store. Not here: where that
//! is (`transom_workers`).

use crate::definitions::{DEFINITION, SYSTEM_GROUP};
use crate::monitoring::CONTROL_TABLE;
use crate::shared::Space;

/// The item says what is defined. What is counted beside it, and what tasks share, is every
/// worker's.
pub fn is_defined(space: Space, group: &[u8], item: u32) -> bool {
    match space {
        _ if space.is_of_tasks() => false,
        Space::System => item == DEFINITION && [SYSTEM_GROUP, CONTROL_TABLE].contains(&group),
        Space::TsModel => true,
        _ => item == DEFINITION,
    }
}
