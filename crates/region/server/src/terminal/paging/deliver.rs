//! Pages and messages that tasks hand over.
//!
//! Not here: what a terminal shows of them (`super`), building of pages (worker side).

use super::super::super::kernel::Kernel;
use super::super::super::replier::{Replier, lock};
use super::super::answers::gone;
use super::super::directory::Directory;
use super::super::record::Shared;
use super::super::run::TerminalTasks;
use super::command::{self, Command, Page};
use super::screen::begin;
use super::state::{Book, DELAYED_MAX, MESSAGES_MAX, Message};
use super::{paper, session};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::oneshot;
use transom_messages as messages;
use transom_region_api::Statistic;
use transom_types::{Resp, TermId};
use transom_wire::bms::{Delivery, PageRequest, When};
use transom_wire::requests::RegionAnswer;

/// Messages of tasks on their way to terminals.
pub(crate) struct Deliveries {
    kernel: Arc<Kernel>,
    directory: Arc<Directory>,
    tasks: Arc<TerminalTasks>,
    book: Mutex<Book>,
}

impl Deliveries {
    pub(crate) fn new(
        kernel: Arc<Kernel>,
        directory: Arc<Directory>,
        tasks: Arc<TerminalTasks>,
    ) -> Self {
        Self {
            kernel,
            directory,
            tasks,
            book: Mutex::default(),
        }
    }

    /// Limits and counts.
    pub(crate) fn statistics(&self) -> [Statistic; 3] {
        let bytes_max = self.directory.config().paging.bytes_max;
        lock(&self.book).statistics(bytes_max)
    }

    /// The task is over: pages of a message it did not complete go.
    pub(crate) fn task_ended(&self, task: u32) {
        let mut book = lock(&self.book);
        if !book.building.is_empty() {
            book.building.remove(&task);
        }
    }

    /// Answers a task.
    pub(crate) fn answer(
        self: &Arc<Self>,
        replier: Replier,
        own: Option<&Shared>,
        request: PageRequest,
    ) {
        let task = replier.task_number();
        match request {
            PageRequest::Keep(group, pages) => {
                let bytes_max = self.directory.config().paging.bytes_max;
                let mut book = lock(&self.book);
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
                self.task_ended(task);
                replier.answer(&RegionAnswer::normal());
            }
            PageRequest::Deliver(delivery) => self.deliver(replier, own, delivery),
            PageRequest::Command(text) => {
                let Some(own) = own else {
                    return replier.answer(&RegionAnswer::normal());
                };
                let text: String = text.iter().map(|byte| char::from(*byte)).collect();
                let parsed = command::parse(&self.directory.config().paging, &text);
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
    fn deliver(self: &Arc<Self>, replier: Replier, own: Option<&Shared>, delivery: Delivery) {
        let mut book = lock(&self.book);
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
            let delay = self
                .kernel
                .clock
                .sleep(Duration::from_millis(delivery.delay_ms));
            let service = self.clone();
            tokio::spawn(async move {
                delay.await;
                lock(&service.book).delayed -= 1;
                service.hand_out(&delivery.targets, &messages);
            });
            return replier.answer(&RegionAnswer::normal());
        }
        let Some(own) = own.filter(|_| delivery.when != When::Free) else {
            self.hand_out(&delivery.targets, &messages);
            return replier.answer(&RegionAnswer::normal());
        };
        self.at_once(replier, own, &delivery, messages);
    }

    /// RELEASE and RETAIN: the task's own user sees the first page now.
    fn at_once(
        &self,
        replier: Replier,
        own: &Shared,
        delivery: &Delivery,
        mut messages: HashMap<u16, Message>,
    ) {
        let name = lock(own).definition.terminal;
        let mine = delivery.targets.iter().find(|target| target.1 == name);
        let message = mine.and_then(|target| messages.get(&target.0).cloned());
        let others = delivery.targets.iter().filter(|target| target.1 != name);
        self.hand_out(&others.copied().collect::<Vec<_>>(), &messages);
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
                    false => gone(),
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
                Err(_) => gone(),
            }
        });
    }

    /// Messages to terminals that may be busy.
    fn hand_out(&self, targets: &[(u16, TermId)], messages: &HashMap<u16, Message>) {
        for (group, name) in targets {
            let Some(message) = messages.get(group) else {
                continue;
            };
            let Some(found) = self.directory.find(*name) else {
                self.kernel
                    .tell_few(messages::tp::terminal_not_logged_on(name));
                continue;
            };
            let mut terminal = lock(&found);
            if terminal.paging.waiting.len() >= MESSAGES_MAX {
                drop(terminal);
                self.kernel
                    .tell_few(messages::tp::message_dropped(name, MESSAGES_MAX));
                continue;
            }
            terminal.paging.waiting.push_back(message.clone());
            if terminal.task.is_none() {
                self.tasks.show_next(&found, &mut terminal);
            }
        }
    }
}
