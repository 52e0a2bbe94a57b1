//! A region for who watches it: the facet `Overview`. Not here: rows of lists (monitoring).

use crate::{LocalRegion, report};
use transom_region_api::{Lists, Overview, Stage, TaskTimes};

impl Overview for LocalRegion {
    fn stage(&self) -> Stage {
        let kernel = &self.services.base.kernel;
        match () {
            () if kernel.is_stopping() || kernel.is_quiescing() => Stage::Ending,
            () if kernel.is_initializing() => Stage::Starting,
            () => Stage::Running,
        }
    }

    fn lists(&self, rows_max: usize) -> Lists {
        let base = &self.services.base;
        let mut lists = transom_region_monitoring::lists(base.kernel.shared(), rows_max);
        let classes = base.dispatcher.counts().1;
        lists.classes = classes.iter().map(report::of_class).collect();
        lists
    }

    fn times(&self) -> TaskTimes {
        self.services.base.tasks.monitoring.times()
    }
}
