//! What system programming commands ask that only the region process knows: units of work, classes,
//! statistics.
//!
//! Not here: the commands (`crate::inquire`), definitions every process sees
//! (`transom_wire::definitions`).

use super::kernel::Kernel;
use super::replier::Replier;
use super::report::Statistics;
use super::resources::Resources;
use super::syncpoint::UnitsOfWork;
use std::sync::Arc;
use transom_messages as messages;
use transom_monitoring::statistics::TRANSACTION_CLASS;
use transom_region_dispatcher::Dispatcher;
use transom_region_monitoring::Gone;
use transom_region_trace::Trace;
use transom_types::{Resp, TransClass, TransId};
use transom_wire::Space;
use transom_wire::definitions::{SystemEntry, TransactionEntry};
use transom_wire::requests::RegionAnswer;
use transom_wire::system::{ClassFacts, MonitorFacts, Request, SystemChange, UnitFacts};

/// The service.
pub(crate) struct System {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) resources: Arc<Resources>,
    pub(crate) uows: Arc<UnitsOfWork>,
    pub(crate) statistics: Arc<Statistics>,
    pub(crate) trace: Arc<Trace>,
}

impl System {
    /// Answers a worker.
    pub(crate) fn answer(&self, replier: Replier, request: &[u8]) {
        let answer = match Request::decode(request) {
            Some(Request::Units) => self.units(),
            Some(Request::Classes) => self.classes(),
            Some(Request::Statistics) => self.write_statistics(),
            Some(Request::SetClass {
                name,
                max_active,
                purge_threshold,
            }) => match self.dispatcher.set_class(name, max_active, purge_threshold) {
                true => RegionAnswer::normal(),
                false => RegionAnswer::refused(Resp::TCIDERR, 1, ""),
            },
            Some(Request::Set(change)) => self.set(change),
            Some(Request::DiscardClass(name)) => self.discard_class(name),
            Some(Request::Monitor) => {
                let (on, performance) = self.statistics.times.monitoring.switches();
                RegionAnswer::with(&MonitorFacts { on, performance })
            }
            Some(Request::SetMonitor(change)) => {
                let monitoring = &self.statistics.times.monitoring;
                let (on, performance) = monitoring.switches();
                monitoring.set(
                    change.on.unwrap_or(on),
                    change.performance.unwrap_or(performance),
                );
                RegionAnswer::normal()
            }
            Some(Request::StatisticsFacts) => RegionAnswer::with(&self.statistics.facts()),
            Some(Request::SetStatistics(change)) => self.statistics.set(&change),
            Some(Request::RecordStatistics { options, reset }) => {
                self.statistics.perform(&options, reset)
            }
            Some(Request::Collect { option, resource }) => {
                self.statistics.collect(&option, resource.as_deref())
            }
            Some(Request::Trace(_)) => RegionAnswer::with(&self.trace.facts()),
            Some(Request::SetTrace(change)) => self.trace.set(&change),
            None => RegionAnswer::damaged(),
        };
        replier.answer(&answer);
    }

    /// Facts that others read lie in shared memory; what this process works by is changed too.
    fn set(&self, change: SystemChange) -> RegionAnswer {
        let shared = self.kernel.shared();
        let mut facts = SystemEntry::find(shared).unwrap_or_else(|| self.kernel.system.clone());
        let before = facts.clone();
        facts.runaway_ms = change.runaway_ms.unwrap_or(facts.runaway_ms);
        let aging = change.priority_aging_ms;
        facts.priority_aging_ms = aging.unwrap_or(facts.priority_aging_ms);
        facts.dump = change.dump.unwrap_or(facts.dump);
        let autoinstall = change.program_autoinstall;
        facts.program_autoinstall = autoinstall.unwrap_or(facts.program_autoinstall);
        facts.gm_text = change.gm_text.unwrap_or(facts.gm_text);
        if facts != before && !facts.install(shared) {
            return RegionAnswer::refused(Resp::NOSTG, 0, messages::sm::shared_full());
        }
        self.kernel.set_runaway_ms(facts.runaway_ms);
        self.dispatcher.set_priority_aging(facts.priority_aging_ms);
        self.resources.set_autoinstall(facts.program_autoinstall);
        RegionAnswer::normal()
    }

    fn units(&self) -> RegionAnswer {
        let units = self.uows.under_way().into_iter();
        let units: Vec<UnitFacts> = units
            .map(|(task, number)| UnitFacts { number, task })
            .collect();
        RegionAnswer::with(&units)
    }

    fn classes(&self) -> RegionAnswer {
        let classes = self.dispatcher.counts().1;
        let classes: Vec<ClassFacts> = classes
            .into_iter()
            .map(|class| ClassFacts {
                name: class.limit.name,
                max_active: class.limit.max_active,
                purge_threshold: class.limit.purge_threshold,
                active: class.active,
                queued: u32::try_from(class.queued).unwrap_or(u32::MAX),
            })
            .collect();
        RegionAnswer::with(&classes)
    }

    fn discard_class(&self, name: TransClass) -> RegionAnswer {
        let classes = self.dispatcher.counts().1;
        if !classes.iter().any(|class| class.limit.name == name) {
            return RegionAnswer::refused(Resp::TCIDERR, 1, "");
        }
        if self.has_transactions(name) {
            return RegionAnswer::refused(Resp::INVREQ, 12, "");
        }
        let counted = self
            .statistics
            .counted(&TRANSACTION_CLASS, Some(name.as_bytes()));
        match self.dispatcher.discard_class(name) {
            true => {
                let told = counted.into_iter().map(Gone::Ended);
                told.for_each(|gone| self.kernel.gone(&gone));
                RegionAnswer::normal()
            }
            false => RegionAnswer::refused(Resp::INVREQ, 2, ""),
        }
    }

    /// Installed transactions belong to the class.
    fn has_transactions(&self, class: TransClass) -> bool {
        let shared = self.kernel.shared();
        let mut names = shared.group_names(Space::Transaction).into_iter();
        names.any(|name| {
            let entry = TransactionEntry::find(shared, TransId::from_field(&name));
            entry.is_some_and(|entry| entry.class == class)
        })
    }

    /// Writes all counters to the log; answers the same text.
    fn write_statistics(&self) -> RegionAnswer {
        let mut text = String::new();
        for group in self.statistics.all() {
            let values: Vec<String> = group
                .values
                .iter()
                .map(|value| format!("{}={}", value.name, value.value))
                .collect();
            let line = messages::st::statistics(group.name, values.join(" "));
            self.kernel.tell(line.clone());
            text.push_str(line.line());
            text.push('\n');
        }
        RegionAnswer::with_data(text.into_bytes())
    }
}
