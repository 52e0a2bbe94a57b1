//! Statistics of files.

use super::Files;
use crate::replier::lock;
use transom_region_api::StatisticsGroup;
use transom_region_monitoring::group;
use transom_types::FileName;
use transom_wire::definitions::{FileCounts, FileEntry, FileUse};
use transom_wire::{Shared, Space};

impl Files {
    /// All files together.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        let shared = self.kernel.shared();
        let names = shared.group_names(Space::File);
        let mut total = FileCounts::default();
        for name in &names {
            let counts = FileEntry::counts(shared, FileName::from_field(name));
            for (sum, count) in total.iter_mut().zip(counts) {
                *sum = sum.wrapping_add(count);
            }
        }
        let of = |used: FileUse| total.get(used as usize).copied().unwrap_or(0);
        let open = lock(&self.open).len();
        group(
            "file control",
            &[
                ("installed", names.len() as u64),
                ("open", open as u64),
                ("reads", of(FileUse::Read)),
                ("reads_for_update", of(FileUse::ReadUpdate)),
                ("browse_reads", of(FileUse::Browse)),
                ("adds", of(FileUse::Add)),
                ("updates", of(FileUse::Update)),
                ("deletes", of(FileUse::Delete)),
            ],
        )
    }
}
