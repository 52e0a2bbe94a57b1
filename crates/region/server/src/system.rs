//! What system programming commands ask that only the region process knows: units of work, classes,
//! statistics.
//!
//! Not here: the commands (`crate::inquire`), definitions every process sees
//! (`transom_wire::definitions`).

use super::dispatcher::Dispatcher;
use super::kernel::Kernel;
use super::replier::Replier;
use super::report::Statistics;
use super::syncpoint::UnitsOfWork;
use std::sync::Arc;
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_wire::system::{ClassFacts, Request, UnitFacts};

/// The service.
pub(crate) struct System {
    pub(crate) kernel: Arc<Kernel>,
    pub(crate) dispatcher: Arc<Dispatcher>,
    pub(crate) uows: Arc<UnitsOfWork>,
    pub(crate) statistics: Arc<Statistics>,
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
            None => RegionAnswer::damaged(),
        };
        replier.answer(&answer);
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
