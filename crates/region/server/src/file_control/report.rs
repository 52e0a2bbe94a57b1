//! Statistics of files.

use super::Files;
use crate::replier::lock;
use transom_region_api::StatisticsGroup;
use transom_region_monitoring::file_statistics;

impl Files {
    /// All files together.
    pub(crate) fn statistics(&self) -> StatisticsGroup {
        let open = lock(&self.open).len() as u64;
        file_statistics(self.kernel.shared(), open)
    }
}
