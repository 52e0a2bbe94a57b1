//! What tasks ask of terminals while they run. A request begins with the name of the task's own
//! terminal.

use super::super::services::Replier;
use super::paging;
use super::record::Terminal;
use super::{Inner, Shared, lock};
use crate::requests::RegionAnswer;
use crate::terminal::wire::{Change, Request};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_types::{AbendCode, Resp, TermId};

/// Answers a worker.
pub(crate) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let Some((own, request)) = request.split_at_checked(TermId::LEN) else {
        return damaged(replier);
    };
    let Some(request) = Request::decode(request) else {
        return damaged(replier);
    };
    let service = &inner.services.terminals;
    let own = service.find(TermId::from_field(own));
    match (request, own) {
        (Request::List, _) => {
            let names = service.all();
            let bytes = names.iter().flat_map(|name| *name.as_bytes()).collect();
            replier.answer(&RegionAnswer::with_data(bytes));
        }
        (Request::Inquire(name), _) => replier.answer(&entry(service.find(name))),
        (Request::InquireNetname(name), _) => replier.answer(&entry(service.by_netname(&name))),
        (Request::Set(name, change), _) => {
            let answer = match service.find(name) {
                Some(terminal) => set(inner, &terminal, change),
                None => not_found(),
            };
            replier.answer(&answer);
        }
        (Request::Page(request), own) => paging::answer(inner, replier, own.as_ref(), request),
        (_, None) => replier.answer(&gone()),
        (Request::Write(records), Some(own)) => {
            let mut own = lock(&own);
            records.into_iter().for_each(|record| own.write(record));
            replier.answer(&state(&own));
        }
        (Request::Disconnect(records), Some(own)) => {
            let mut own = lock(&own);
            records.into_iter().for_each(|record| own.write(record));
            own.disconnect();
            replier.answer(&RegionAnswer::normal());
        }
        (Request::Read(records, limit), Some(own)) => {
            read(inner, replier, &own, records, Some(limit));
        }
        (Request::Fetch(records), Some(own)) => read(inner, replier, &own, records, None),
    }
}

/// Answers the next record of the terminal. `limit` in milliseconds, 0: none; `None`: the terminal
/// itself was asked and the keyboard stays as it is.
fn read(
    inner: &Arc<Inner>,
    replier: Replier,
    own: &Shared,
    records: Vec<Vec<u8>>,
    limit: Option<u64>,
) {
    let mut terminal = lock(own);
    let typed = terminal.ahead.take().filter(|_| limit.is_some());
    if limit.is_some() && typed.is_none() {
        terminal.write_and_unlock(records);
    } else {
        records
            .into_iter()
            .for_each(|record| terminal.write(record));
    }
    if terminal.gone {
        drop(terminal);
        return replier.answer(&gone());
    }
    if let Some(record) = typed {
        drop(terminal);
        return replier.answer(&RegionAnswer::with_data(record));
    }
    let (reader, arrived) = oneshot::channel();
    if let Some(running) = &mut terminal.task {
        running.waiting = Some(reader);
    }
    drop(terminal);
    replier.answer_with(inner, async move {
        let record = match limit.filter(|ms| *ms > 0) {
            None => arrived.await,
            Some(ms) => match tokio::time::timeout(Duration::from_millis(ms), arrived).await {
                Ok(record) => record,
                Err(_) => {
                    let text = format!("TXMZC0116E no input within {ms} ms (RTIMOUT)");
                    return RegionAnswer::abend(AbendCode::from_field(b"AKCT"), text);
                }
            },
        };
        record.map_or_else(|_| gone(), RegionAnswer::with_data)
    });
}

fn entry(terminal: Option<Shared>) -> RegionAnswer {
    match terminal {
        Some(terminal) => RegionAnswer::with_data(lock(&terminal).entry().encode()),
        None => not_found(),
    }
}

fn set(inner: &Arc<Inner>, terminal: &Shared, change: Change) -> RegionAnswer {
    let mut terminal = lock(terminal);
    let definition = &mut terminal.definition;
    definition.upper_case = change.upper_case.unwrap_or(definition.upper_case);
    definition.ati = change.ati.unwrap_or(definition.ati);
    definition.tti = change.tti.unwrap_or(definition.tti);
    definition.in_service = change.in_service.unwrap_or(definition.in_service);
    if let Some(next) = change.next {
        let payload = transom_region_api::Payload::Commarea(Vec::new());
        let transid = next;
        terminal.next = (!next.is_blank()).then_some(super::record::Next { transid, payload });
    }
    if change.release || change.in_service == Some(false) {
        terminal.disconnect();
    }
    let running = terminal.task.as_ref().map_or(0, |task| task.number);
    let name = terminal.definition.terminal;
    drop(terminal);
    if change.ati == Some(true) {
        super::intervals::terminal_arrived(inner, name);
        super::transient::terminal_arrived(inner, name);
    }
    if let Some(force) = change.purge.filter(|_| running != 0) {
        inner.purge(running, AbendCode::AKC3, force);
    }
    RegionAnswer::normal()
}

fn state(terminal: &Terminal) -> RegionAnswer {
    if terminal.gone {
        gone()
    } else {
        RegionAnswer::normal()
    }
}

pub(super) fn gone() -> RegionAnswer {
    RegionAnswer::refused(Resp::TERMERR, 0, "TXMZC0117E the terminal is gone")
}

fn not_found() -> RegionAnswer {
    RegionAnswer::refused(Resp::TERMIDERR, 1, "TXMZC0118E there is no such terminal")
}

fn damaged(replier: Replier) {
    replier.answer(&RegionAnswer::refused(
        Resp::INVREQ,
        0,
        "TXMEI0004E the request is damaged",
    ));
}
