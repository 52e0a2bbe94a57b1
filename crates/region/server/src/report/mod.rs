//! Statistics: every bounded thing with its limit, its peak and how often the limit was reached.
//!
//! What: the groups of all services in the order they are shown; the records that CICS has of them
//! ([`records`]), and when those are written ([`recording`]). Not here: figures of a service, which
//! tells them itself.

mod recording;
mod records;
mod times;

pub(crate) use times::Times;

use crate::asynchronous::Children;
use crate::file_control::{Files, Journals};
use crate::interval::Intervals;
use crate::syncpoint::UnitsOfWork;
use crate::temporary_storage::Queues;
use crate::terminal::Terminals;
use crate::transient_data::TransientData;
use crate::workers::Workers;
use std::sync::{Arc, RwLock};
use transom_recovery::guard;
use transom_region_api::{Statistic, StatisticsGroup};
use transom_region_dispatcher::{ClassCounts, Dispatcher};
use transom_region_links::Links;
use transom_region_monitoring::group;
use transom_region_sql::SqlDatabase;
use transom_types::TransClass;
use transom_wire::Space;

/// Whose figures there are.
pub(crate) struct Statistics {
    pub(crate) times: Times,
    pub(crate) workers: Arc<dyn Workers>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) terminals: Arc<Terminals>,
    pub(crate) children: Arc<Children>,
    pub(crate) journals: Arc<Journals>,
    pub(crate) queues: Arc<Queues>,
    pub(crate) intervals: Arc<Intervals>,
    pub(crate) transient: Arc<TransientData>,
    pub(crate) files: Arc<Files>,
    pub(crate) uows: Arc<UnitsOfWork>,
    pub(crate) links: Arc<Links>,
    pub(crate) sql: SqlDatabase,
    /// What doors and the process count.
    pub(crate) others: RwLock<Vec<Reporter>>,
}

/// Tells figures of something the region does not know.
pub type Reporter = Box<dyn Fn() -> Vec<StatisticsGroup> + Send + Sync>;

impl Statistics {
    /// All groups.
    pub(crate) fn all(&self) -> Vec<StatisticsGroup> {
        let mut groups = vec![self.tasks()];
        groups.extend(self.definitions());
        groups.extend(self.workers());
        groups.push(StatisticsGroup {
            name: "terminal control",
            values: self.terminals.statistics(),
        });
        groups.extend([
            self.journals.statistics(),
            self.queues.statistics(),
            self.intervals.statistics(),
            self.transient.statistics(),
            self.children.statistics(),
            self.files.statistics(),
            self.uows.statistics(),
            self.times.monitoring.statistics(),
        ]);
        groups.extend(self.uows.store_statistics());
        groups.extend(self.dispatcher.counts().1.iter().map(class));
        groups.extend(guard::read(&self.others).iter().flat_map(|tell| tell()));
        groups
    }

    fn tasks(&self) -> StatisticsGroup {
        let counts = self.dispatcher.counts().0;
        group(
            "transaction manager",
            &[
                ("max_tasks", u64::from(self.dispatcher.max_tasks())),
                ("active", counts.active as u64),
                ("active_peak", counts.active_peak as u64),
                ("times_at_max", counts.times_at_max),
                ("queued", counts.queued as u64),
                ("queued_peak", counts.queued_peak as u64),
                ("times_queue_full", counts.times_queue_full),
                ("attached_total", counts.admitted),
            ],
        )
    }

    fn definitions(&self) -> [StatisticsGroup; 2] {
        let shared = self.workers.shared();
        let installed = |space| shared.group_names(space).len() as u64;
        [
            group("program", &[("installed", installed(Space::Program))]),
            group(
                "transaction",
                &[("installed", installed(Space::Transaction))],
            ),
        ]
    }

    fn workers(&self) -> [StatisticsGroup; 2] {
        let pool = self.workers.statistics();
        [
            group(
                "COBOL workers",
                &[
                    ("workers", pool.workers as u64),
                    ("workers_peak", pool.workers_peak as u64),
                    ("spawned", pool.spawned),
                    ("ended", pool.ended),
                    ("died_with_task", pool.died),
                    ("zygote_restarts", pool.zygote_restarts),
                    ("tasks_completed", pool.completed),
                    ("tasks_refused", pool.refused),
                ],
            ),
            group(
                "storage manager",
                &[
                    ("shared_used_bytes", pool.shared_used as u64),
                    ("shared_limit_bytes", pool.shared_total as u64),
                ],
            ),
        ]
    }
}

/// Those of a class, with its name.
pub(crate) fn of_class(counts: &ClassCounts) -> (TransClass, Vec<Statistic>) {
    (counts.limit.name, class(counts).values)
}

fn class(class: &ClassCounts) -> StatisticsGroup {
    group(
        "transaction class",
        &[
            ("max_active", u64::from(class.limit.max_active)),
            ("purge_threshold", u64::from(class.limit.purge_threshold)),
            ("active", u64::from(class.active)),
            ("active_peak", u64::from(class.peak)),
            ("queued", class.queued as u64),
            ("times_at_max", class.times_at_max),
            ("purged", class.purged),
        ],
    )
}
