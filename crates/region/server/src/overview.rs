//! A region for who watches it: the facet `Overview`; and what it takes from outside without a
//! restart. Not here: rows of lists (monitoring), reading files again (`tools/reload`).

use crate::{LocalRegion, report};
use transom_messages::Message;
use transom_region_api::{Lists, Overview, Stage, TaskTimes};
use transom_security::Rules;

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

impl LocalRegion {
    /// Rules and users as they are now count from now on; answers what is odd about them.
    ///
    /// # Errors
    /// The registry cannot be read: nothing has changed.
    pub async fn renew_authority(&self, rules: Rules) -> Result<Option<Message>, Message> {
        self.services.security.renew(rules).await
    }
}
