//! Statistics records: what the domains counted since the region started.
//!
//! Not here: what stands in shared memory (`region/monitoring`), what counts since a reset, when
//! records are written (`recording`).

use super::Statistics;
use transom_monitoring::statistics::{self as table, Counted, Layout, Value};
use transom_region_dispatcher::ClassCounts;
use transom_region_monitoring::{
    connections, counted, db2_entries, ip_connections, named, of_services,
};
use transom_types::{SysId, TdQueueName};
use transom_wire::definitions::TdQueueEntry;
use transom_wire::{Shared, Space};

impl Statistics {
    /// The records of a layout: of all resources there are, or of the one with this name, padded or
    /// not.
    pub(crate) fn counted(&self, layout: &'static Layout, of: Option<&[u8]>) -> Vec<Counted> {
        match layout.name {
            "DFHXMGDS" => vec![self.manager()],
            "DFHXMCDS" => self.classes(of),
            "DFHTQRDS" => named(self.shared(), Space::TransientData, of)
                .iter()
                .filter_map(|name| self.transient_data(name))
                .collect(),
            "DFHA06DS" => self.terminals.directory.counted(of),
            "DFHMNGDS" => vec![self.own()],
            "DFHDSGDS" => vec![self.workers_and_tasks()],
            "DFHSMSDS" => vec![self.storage()],
            "DFHLGRDS" => self.journals.counted(of),
            "DFHD2RDS" => db2_entries(self.shared(), of, &|name| {
                let threads = self.sql.entry_threads(name);
                [threads.now, threads.peak, threads.passed]
            }),
            "DFHA14DS" => connections(self.shared(), of, &self.link_figures()),
            "DFHISRDS" => ip_connections(self.shared(), of, &self.link_figures()),
            "DFHRMGDS" | "DFHD2GDS" => of_services(self.shared(), layout, &self.all()),
            _ => counted(self.shared(), layout, of),
        }
    }

    fn shared(&self) -> &dyn Shared {
        self.times.kernel.shared()
    }

    /// A figure of the link to a system; 0 of one that there is no link to.
    fn link_figures(&self) -> impl Fn(SysId, &str) -> u64 + use<> {
        let all = self.links.read();
        move |system, name| {
            let link = all.iter().find(|link| link.name == system);
            link.map_or(0, |link| link.figure(name))
        }
    }

    fn manager(&self) -> Counted {
        let counts = self.dispatcher.counts().0;
        let numbers = [
            counts.admitted,
            self.dispatcher.max_tasks().into(),
            counts.active as u64,
            counts.waiting as u64,
            counts.reached_max,
            counts.active_peak as u64,
            counts.waiting_peak as u64,
            counts.admitted,
            counts.waited,
            0,
        ];
        Counted::new(
            &table::TRANSACTION_MANAGER,
            numbers.map(Value::Number).to_vec(),
        )
    }

    fn classes(&self, of: Option<&[u8]>) -> Vec<Counted> {
        let mut classes = self.dispatcher.counts().1;
        classes.sort_by_key(|class| class.limit.name);
        let named = |name: &[u8]| of.is_none_or(|of| of.trim_ascii_end() == name.trim_ascii_end());
        classes.retain(|class| named(class.limit.name.as_bytes()));
        let counted = |class: &ClassCounts| {
            let numbers = [
                class.attached,
                class.purged,
                class.accepted_later,
                class.accepted,
                class.accepted_later,
                class.limit.max_active.into(),
                class.limit.purge_threshold.into(),
                class.peak.into(),
                class.queued_peak as u64,
                class.reached_max,
                class.reached_threshold,
                class.active.into(),
                class.queued as u64,
            ];
            let name = Value::Text(class.limit.name.as_bytes().to_vec());
            let numbers = numbers.map(Value::Number);
            let values = [name].into_iter().chain(numbers).collect();
            Counted::new(&table::TRANSACTION_CLASS, values)
        };
        classes.iter().map(counted).collect()
    }

    fn transient_data(&self, name: &[u8]) -> Option<Counted> {
        let queue = TdQueueName::from_field(name);
        let entry = TdQueueEntry::find(self.shared(), queue)?;
        let counts = self.transient.counts(queue);
        let level = entry.transid.map_or(0, |_| entry.trigger_level.into());
        let transid = entry.transid.map(|transid| transid.as_bytes().to_vec());
        let values = vec![
            Value::Text(name.to_vec()),
            Value::Number(counts.written),
            Value::Number(counts.read),
            Value::Number(counts.deleted),
            Value::Number(level),
            Value::Text(transid.unwrap_or_default()),
            Value::Number(counts.triggered),
            Value::Number(counts.records),
        ];
        Some(Counted::new(&table::TRANSIENT_DATA, values))
    }

    /// The pool is that of the workers: an open TCB is what comes nearest to a process of one.
    fn workers_and_tasks(&self) -> Counted {
        let counts = self.dispatcher.counts().0;
        let pool = self.workers.statistics();
        let tasks = [counts.active as u64, counts.active_peak as u64, 1];
        let workers = [
            self.dispatcher.max_tasks().into(),
            pool.workers as u64,
            pool.workers_peak as u64,
            pool.active as u64,
            pool.active_peak as u64,
        ];
        let name = Value::Text(b"OPEN".to_vec());
        let tasks = tasks.map(Value::Number).into_iter();
        let values = tasks.chain([name]).chain(workers.map(Value::Number));
        Counted::new(&table::DISPATCHER, values.collect())
    }

    fn storage(&self) -> Counted {
        let pool = self.workers.statistics();
        let numbers = [pool.shared_total as u64, pool.shared_used as u64];
        Counted::new(&table::STORAGE, numbers.map(Value::Number).to_vec())
    }

    fn own(&self) -> Counted {
        let figures = self.times.monitoring.figures();
        let numbers = [figures.scheduled, figures.lost];
        Counted::new(&table::MONITORING, numbers.map(Value::Number).to_vec())
    }
}
