//! Pages and messages that tasks hand over.
//!
//! Not here: what a terminal shows of them (`super`), building of pages (worker side).

use super::super::super::replier::Replier;
use super::super::{Shared, Terminals, asks, lock};
use super::command::{self, Command, Page};
use super::{DELAYED_MAX, MESSAGES_MAX, Message, begin, paper, session, show_next};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_types::{Resp, TermId};
use transom_wire::bms::{Delivery, PageRequest, When};
use transom_wire::requests::RegionAnswer;

/// Answers a task.
pub(in super::super) fn answer(
    terminals: &Arc<Terminals>,
    replier: Replier,
    own: Option<&Shared>,
    request: PageRequest,
) {
    let task = replier.task_number();
    match request {
        PageRequest::Keep(group, pages) => {
            let bytes_max = terminals.config().paging.bytes_max;
            let mut book = lock(&terminals.paging);
            let kept = book.keep(task, group, pages, bytes_max);
            drop(book);
            replier.answer(&if kept {
                RegionAnswer::normal()
            } else {
                let text = messages::tp::no_room_for_pages();
                RegionAnswer::refused(Resp::TSIOERR, 0, text)
            });
        }
        PageRequest::Purge => {
            super::task_ended(terminals, task);
            replier.answer(&RegionAnswer::normal());
        }
        PageRequest::Deliver(delivery) => deliver(terminals, replier, own, delivery),
        PageRequest::Command(text) => {
            let Some(own) = own else {
                return replier.answer(&RegionAnswer::normal());
            };
            let text: String = text.iter().map(|byte| char::from(*byte)).collect();
            let parsed = command::parse(&terminals.config().paging, &text);
            let parsed = parsed.unwrap_or(Command::Retrieve(Page::Current, None));
            let said = match session::run(&mut lock(own), parsed) {
                session::Did::Shown => String::new(),
                session::Did::Said(text) => text,
                session::Did::Ended => session::purged(),
            };
            replier.answer(&RegionAnswer::with_data(said.into_bytes()));
        }
    }
}

/// A message is complete.
fn deliver(terminals: &Arc<Terminals>, replier: Replier, own: Option<&Shared>, delivery: Delivery) {
    let mut book = lock(&terminals.paging);
    if delivery.delay_ms > 0 && book.delayed >= DELAYED_MAX {
        drop(book);
        let text = messages::tp::too_many_delayed();
        return replier.answer(&RegionAnswer::refused(Resp::TSIOERR, 0, text));
    }
    let groups = book.building.remove(&replier.task_number());
    book.last_id = (book.last_id + 1) & 0xFF_FFFF;
    book.delayed += usize::from(delivery.delay_ms > 0);
    let id = book.last_id;
    drop(book);
    let title: String = delivery.title.iter().map(|b| char::from(*b)).collect();
    let messages: HashMap<u16, Message> = groups
        .unwrap_or_default()
        .into_iter()
        .map(|(group, pages)| {
            let message = Message {
                id,
                pages: Arc::new(pages),
                title: title.trim_end().to_owned(),
                operator_purges: delivery.operator_purges,
            };
            (group, message)
        })
        .collect();
    if delivery.delay_ms > 0 {
        let delay = terminals
            .kernel
            .clock
            .sleep(Duration::from_millis(delivery.delay_ms));
        let terminals = terminals.clone();
        tokio::spawn(async move {
            delay.await;
            lock(&terminals.paging).delayed -= 1;
            hand_out(&terminals, &delivery.targets, &messages);
        });
        return replier.answer(&RegionAnswer::normal());
    }
    let Some(own) = own.filter(|_| delivery.when != When::Free) else {
        hand_out(terminals, &delivery.targets, &messages);
        return replier.answer(&RegionAnswer::normal());
    };
    at_once(terminals, replier, own, &delivery, messages);
}

/// RELEASE and RETAIN: the task's own user sees the first page now.
fn at_once(
    terminals: &Arc<Terminals>,
    replier: Replier,
    own: &Shared,
    delivery: &Delivery,
    mut messages: HashMap<u16, Message>,
) {
    let name = lock(own).definition.terminal;
    let mine = delivery.targets.iter().find(|target| target.1 == name);
    let message = mine.and_then(|target| messages.get(&target.0).cloned());
    let others = delivery.targets.iter().filter(|target| target.1 != name);
    hand_out(terminals, &others.copied().collect::<Vec<_>>(), &messages);
    messages.clear();
    let Some(message) = message else {
        return replier.answer(&RegionAnswer::normal());
    };
    let mut terminal = lock(own);
    if terminal.device.printer {
        drop(terminal);
        let own = own.clone();
        return replier.answer_with(async move {
            match paper::print(&own, &message, false).await {
                true => RegionAnswer::normal(),
                false => asks::gone(),
            }
        });
    }
    let (seen, wait) = oneshot::channel();
    let retained = (delivery.when == When::Retain).then_some(seen);
    begin(&mut terminal, message, retained);
    drop(terminal);
    if delivery.when != When::Retain {
        return replier.answer(&RegionAnswer::normal());
    }
    replier.answer_with(async move {
        match wait.await {
            Ok(Some(record)) => RegionAnswer::with(&record),
            Ok(None) => RegionAnswer::normal(),
            Err(_) => asks::gone(),
        }
    });
}

/// Messages to terminals that may be busy.
fn hand_out(
    terminals: &Arc<Terminals>,
    targets: &[(u16, TermId)],
    messages: &HashMap<u16, Message>,
) {
    for (group, name) in targets {
        let Some(message) = messages.get(group) else {
            continue;
        };
        let Some(found) = terminals.find(*name) else {
            terminals
                .kernel
                .tell(messages::tp::terminal_not_logged_on(name));
            continue;
        };
        let mut terminal = lock(&found);
        if terminal.paging.waiting.len() >= MESSAGES_MAX {
            drop(terminal);
            terminals
                .kernel
                .tell(messages::tp::message_dropped(name, MESSAGES_MAX));
            continue;
        }
        terminal.paging.waiting.push_back(message.clone());
        if terminal.task.is_none() {
            show_next(terminals, &found, &mut terminal);
        }
    }
}
