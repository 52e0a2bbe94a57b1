//! What system programming commands ask that only the region process knows: units of work, classes,
//! statistics.
//!
//! Not here: the commands (`crate::inquire`), definitions every process sees
//! (`transom_wire::definitions`).

use super::replier::Replier;
use super::{Inner, report, syncpoint};
use std::sync::Arc;
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::requests::RegionAnswer;
use transom_wire::system::{ClassFacts, Request, UnitFacts};

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let answer = match Request::decode(request) {
        Some(Request::Units) => units(inner),
        Some(Request::Classes) => classes(inner),
        Some(Request::Statistics) => statistics(inner),
        Some(Request::SetClass {
            name,
            max_active,
            purge_threshold,
        }) => match inner
            .dispatcher
            .set_class(name, max_active, purge_threshold)
        {
            true => RegionAnswer::normal(),
            false => RegionAnswer::refused(Resp::TCIDERR, 1, ""),
        },
        None => RegionAnswer::damaged(),
    };
    replier.answer(&answer);
}

fn units(inner: &Inner) -> RegionAnswer {
    let units: Vec<UnitFacts> = syncpoint::under_way(inner)
        .into_iter()
        .map(|(task, number)| UnitFacts { number, task })
        .collect();
    RegionAnswer::with(&units)
}

fn classes(inner: &Inner) -> RegionAnswer {
    let classes = inner.dispatcher.counts().1;
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
fn statistics(inner: &Inner) -> RegionAnswer {
    let mut text = String::new();
    for group in report::statistics(inner) {
        let values: Vec<String> = group
            .values
            .iter()
            .map(|value| format!("{}={}", value.name, value.value))
            .collect();
        let line = messages::st::statistics(group.name, values.join(" "));
        inner.tell(line.clone());
        text.push_str(line.line());
        text.push('\n');
    }
    RegionAnswer::with_data(text.into_bytes())
}
