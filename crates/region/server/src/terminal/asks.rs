//! What tasks ask of terminals while they run. A request begins with the name of the task's own
//! terminal.

use super::super::kernel::Kernel;
use super::super::replier::{Replier, lock};
use super::super::starter::Starter;
use super::answers::{gone, not_found};
use super::directory::Directory;
use super::events::Announcer;
use super::paging::deliver::Deliveries;
use super::print::Screens;
use super::record::{Delivered, Next, Shared, Terminal};
use super::table::Named;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_region_api::Outcome;
use transom_types::{AbendCode, Resp, TermId};
use transom_wire::definitions::{TaskEntry, TerminalDefinition};
use transom_wire::requests::RegionAnswer;
use transom_wire::terminal::{Asked, Change, Request};

/// Answers what tasks ask of terminals.
pub(super) struct Asks {
    pub(super) kernel: Arc<Kernel>,
    pub(super) starter: Arc<dyn Starter>,
    pub(super) directory: Arc<Directory>,
    pub(super) announcer: Arc<Announcer>,
    pub(super) deliveries: Arc<Deliveries>,
    pub(super) screens: Screens,
}

impl Asks {
    /// Answers a worker.
    pub(super) fn answer(&self, replier: Replier, request: &[u8]) {
        let Some(Asked { own, request }) = Asked::decode(request) else {
            return replier.answer(&RegionAnswer::damaged());
        };
        let task = replier.task_number();
        let own = self.directory.find(own);
        let own = own.filter(|own| lock(own).is_of(task));
        match (request, own) {
            (Request::List, _) => {
                replier.answer(&RegionAnswer::with(&self.directory.table().all()));
            }
            (Request::Sessions, _) => replier.answer(&self.sessions()),
            (Request::Inquire(name), _) => {
                replier.answer(&self.entry(self.directory.find(name), Named::Name(name)));
            }
            (Request::InquireNetname(name), _) => {
                replier
                    .answer(&self.entry(self.directory.by_netname(&name), Named::Netname(&name)));
            }
            (Request::Set(name, change), _) => replier.answer(&self.set(name, change)),
            (Request::Page(request), own) => self.deliveries.answer(replier, own.as_ref(), request),
            (_, None) => replier.answer(&gone()),
            (Request::Write(records), Some(own)) => {
                let confirm = lock(&own).device.printer;
                write(replier, &own, records, confirm);
            }
            (Request::Confirm(records), Some(own)) => write(replier, &own, records, true),
            (Request::Signal, Some(own)) => signal(replier, &own),
            (Request::Copy(from, records), Some(own)) => {
                self.screens.copy(replier, &own, from, records);
            }
            (Request::Print(records), Some(own)) => self.screens.print(replier, &own, records),
            (Request::KeepArea(bytes), Some(own)) => {
                lock(&own).user_area = bytes;
                replier.answer(&RegionAnswer::normal());
            }
            (Request::Disconnect(records), Some(own)) => {
                let mut own = lock(&own);
                records.into_iter().for_each(|record| own.write(record));
                own.disconnect();
                replier.answer(&RegionAnswer::normal());
            }
            (Request::Read(records, limit), Some(own)) => {
                self.read(replier, &own, records, Some(limit));
            }
            (Request::Fetch(records), Some(own)) => self.read(replier, &own, records, None),
        }
    }

    /// Answers the next record of the terminal. `limit` in milliseconds, 0: none; `None`: the
    /// terminal itself was asked and the keyboard stays as it is.
    fn read(&self, replier: Replier, own: &Shared, records: Vec<Vec<u8>>, limit: Option<u64>) {
        let mut terminal = lock(own);
        let typed = limit.and_then(|_| terminal.ahead.take());
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
            return replier.answer(&RegionAnswer::with(&record));
        }
        let (reader, arrived) = oneshot::channel();
        if let Some(running) = &mut terminal.task {
            running.waiting = Some(reader);
        }
        drop(terminal);
        let clock = self.kernel.clock.clone();
        replier.answer_with(async move {
            let record = match limit.filter(|ms| *ms > 0) {
                None => arrived.await,
                Some(ms) => match clock.timeout(Duration::from_millis(ms), arrived).await {
                    Ok(record) => record,
                    Err(_) => {
                        let text = messages::zc::no_input_in_time(ms);
                        return RegionAnswer::abend(AbendCode::from_field(b"AKCT"), text);
                    }
                },
            };
            record.map_or_else(|_| gone(), |record| RegionAnswer::with(&record))
        });
    }

    /// All terminals with a session.
    fn sessions(&self) -> RegionAnswer {
        let all = self.directory.sessions();
        let entries: Vec<Vec<u8>> = all.iter().map(|t| lock(t).entry().encode()).collect();
        RegionAnswer::with(&entries)
    }

    fn entry(&self, terminal: Option<Shared>, name: Named<'_>) -> RegionAnswer {
        if let Some(terminal) = terminal {
            return RegionAnswer::with_data(lock(&terminal).entry().encode());
        }
        let idle = self.directory.table().idle_entry(name);
        idle.map_or_else(not_found, |entry| RegionAnswer::with_data(entry.encode()))
    }

    fn set(&self, name: TermId, change: Change) -> RegionAnswer {
        let Some(terminal) = self.directory.find(name) else {
            let mut table = self.directory.table();
            return match table.idle(name) {
                // A session begins at the client's end only.
                Some(_) if change.acquire => {
                    let text = messages::zc::no_session();
                    RegionAnswer::refused(Resp::INVREQ, 0, text)
                }
                Some(definition) => {
                    alter(definition, &change);
                    RegionAnswer::normal()
                }
                None => not_found(),
            };
        };
        let mut terminal = lock(&terminal);
        alter(&mut terminal.definition, &change);
        if let Some(transid) = change.next {
            let payload = transom_region_api::Payload::Commarea(Vec::new());
            terminal.next = (!transid.is_blank()).then_some(Next { transid, payload });
        }
        if change.release || change.in_service == Some(false) {
            terminal.disconnect();
        }
        let running = terminal.task.as_ref().map_or(0, |task| task.number);
        let name = terminal.definition.terminal;
        drop(terminal);
        if change.ati == Some(true) {
            self.announcer.announce(|e| e.terminal_arrived(name));
        }
        // SPURGE(NO): only FORCEPURGE ends it.
        let purgeable = |force: &bool| {
            let task = TaskEntry::find(self.kernel.shared(), running);
            *force || task.is_none_or(|task| task.purgeable)
        };
        if let Some(force) = change.purge.filter(|_| running != 0).filter(purgeable) {
            self.starter.purge(running, AbendCode::AKC3, force);
        }
        RegionAnswer::normal()
    }
}

/// Sends records. A printer, or a program that asks for it, waits until the device has confirmed
/// them: a job goes at the pace of its printer.
fn write(replier: Replier, own: &Shared, records: Vec<Vec<u8>>, confirm: bool) {
    let mut terminal = lock(own);
    if !confirm {
        records
            .into_iter()
            .for_each(|record| terminal.write(record));
        return replier.answer(&state(&terminal));
    }
    let (tell, told) = oneshot::channel();
    let done = Box::new(move |outcome| {
        let _gone = tell.send(outcome);
    });
    if terminal.deliver(records, false, done) == Delivered::AtOnce {
        return replier.answer(&state(&terminal));
    }
    drop(terminal);
    replier.answer_with(async move {
        match told.await {
            Ok(Outcome::Taken) => RegionAnswer::normal(),
            Ok(Outcome::Refused) => {
                let text = messages::zc::refused();
                RegionAnswer::refused(Resp::TERMERR, 0, text)
            }
            Err(_) => gone(),
        }
    });
}

/// Waits for the Attn key; one that came before counts.
fn signal(replier: Replier, own: &Shared) {
    let mut terminal = lock(own);
    if terminal.gone {
        return replier.answer(&gone());
    }
    if std::mem::take(&mut terminal.signal) {
        return replier.answer(&RegionAnswer::normal());
    }
    let (tell, told) = oneshot::channel();
    if let Some(running) = &mut terminal.task {
        running.signalled = Some(tell);
    }
    terminal.unlock();
    drop(terminal);
    replier.answer_with(async move {
        let pressed = told.await;
        pressed.map_or_else(|_| gone(), |()| RegionAnswer::normal())
    });
}

/// What changes whether there is a session or not.
fn alter(definition: &mut TerminalDefinition, change: &Change) {
    definition.upper_case = change.upper_case.unwrap_or(definition.upper_case);
    definition.ati = change.ati.unwrap_or(definition.ati);
    definition.tti = change.tti.unwrap_or(definition.tti);
    definition.in_service = change.in_service.unwrap_or(definition.in_service);
    definition.create_session = change.create_session.unwrap_or(definition.create_session);
    definition.priority = change.priority.unwrap_or(definition.priority);
    for (own, new) in definition.printers.iter_mut().zip(change.printers) {
        if let Some(new) = new {
            *own = Some(new).filter(|name| !name.is_blank());
        }
    }
}

fn state(terminal: &Terminal) -> RegionAnswer {
    if terminal.gone {
        gone()
    } else {
        RegionAnswer::normal()
    }
}
