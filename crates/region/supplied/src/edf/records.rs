//! Records of a program as areas of storage: those of its source, and those the translator added.
//!
//! Not here: which ones these are (`region/commands`), showing them (`storage`).

use transom_region_commands::records_of;
use transom_types::ProgramName;
use transom_workers::seam::{Area, Host};

/// Records of the program's source, and those the translator added: constants and the like.
pub(super) fn records(host: &mut dyn Host, program: ProgramName) -> (Vec<Area>, Vec<Area>) {
    let areas = |all: Vec<(u32, Area)>| all.into_iter().map(|(_, area)| area).collect();
    let found = records_of(host, program, false);
    (areas(found.own), areas(found.added))
}
