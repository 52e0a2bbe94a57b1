//! What system programming commands ask that only the region process knows: units of work, classes,
//! statistics.
//!
//! Not here: the commands (`crate::inquire`), definitions every process sees
//! (`transom_wire::definitions`).

use super::services::Replier;
use super::{Inner, report, syncpoint};
use std::sync::Arc;
use transom_types::{Resp, TransClass};
use transom_wire::codec::{Reader, Writer};
use transom_wire::requests::RegionAnswer;
use transom_wire::system::{ClassFacts, Question, UnitFacts};

/// Answers a worker.
pub(super) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let mut from = Reader(request);
    let answer = match from.u8().and_then(Question::of) {
        Some(Question::Units) => units(inner),
        Some(Question::Classes) => classes(inner),
        Some(Question::Statistics) => statistics(inner),
        Some(Question::SetClass) => set_class(inner, &mut from),
        None => RegionAnswer::refused(Resp::INVREQ, 0, "TXMEI0004E the request is damaged"),
    };
    replier.answer(&answer);
}

fn units(inner: &Inner) -> RegionAnswer {
    let mut out = Writer::with_capacity(256);
    for (task, number) in syncpoint::under_way(inner) {
        UnitFacts { number, task }.put(&mut out);
    }
    RegionAnswer::with_data(out.0)
}

fn classes(inner: &Inner) -> RegionAnswer {
    let mut out = Writer::with_capacity(256);
    for class in inner.dispatcher.counts().1 {
        ClassFacts {
            name: class.limit.name,
            max_active: class.limit.max_active,
            purge_threshold: class.limit.purge_threshold,
            active: class.active,
            queued: u32::try_from(class.queued).unwrap_or(u32::MAX),
        }
        .put(&mut out);
    }
    RegionAnswer::with_data(out.0)
}

fn set_class(inner: &Inner, from: &mut Reader<'_>) -> RegionAnswer {
    let changed = (|| {
        let name = TransClass::from_field(from.raw(TransClass::LEN)?);
        let max_active = from.flag()?.then_some(from.u32()?);
        let threshold = from.flag()?.then_some(from.u32()?);
        Some(inner.dispatcher.set_class(name, max_active, threshold))
    })();
    match changed {
        Some(true) => RegionAnswer::normal(),
        _ => RegionAnswer::refused(Resp::TCIDERR, 1, ""),
    }
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
        let line = format!("TXMST0001I {}: {}", group.name, values.join(" "));
        inner.say(&line);
        text.push_str(&line);
        text.push('\n');
    }
    RegionAnswer::with_data(text.into_bytes())
}
