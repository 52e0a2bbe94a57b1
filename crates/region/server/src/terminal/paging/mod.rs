//! Paging sessions: messages of several pages that a user looks at page by page (CSPG).
//!
//! What: pages while a task builds them ([`Book`]), complete messages that wait at a terminal and
//! the one that is shown ([`Session`]), and what an input means during a session ([`input`]). Why
//! here and not in a task: turning a page costs one write, no task and no worker. A message waits
//! in order; the first is shown when the terminal is free, or printed (`paper`). During a session
//! other input than a paging command ends it and goes its usual way, unless the program asked for
//! OPERPURGE. Messages live in memory and end with the region or the session. Reading order: here,
//! `deliver`, `command`, `session`, `paper`. Not here: building of pages (worker side).

mod command;
mod deliver;
mod paper;
mod session;

pub(super) use deliver::answer;
use transom_messages as messages;

use super::record::Terminal;
use super::{Shared, Terminals, lock, message};
use command::Command;
use session::{Did, purged};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use tokio::sync::oneshot;
use transom_datastream::Aid;
use transom_region_api::Statistic;
use transom_wire::inbound::InboundRecord;

/// Messages that may wait at one terminal; more are dropped.
pub(crate) const MESSAGES_MAX: usize = 100;
/// Bytes a page takes besides its data.
const PAGE_BYTES: usize = 64;
/// Messages that may wait for their time; more raise TSIOERR.
pub(crate) const DELAYED_MAX: usize = 1_000;

/// Pages that tasks are building, and what all pages take.
#[derive(Default)]
pub(super) struct Book {
    building: HashMap<u32, HashMap<u16, Pages>>,
    used: Arc<AtomicUsize>,
    delayed: usize,
    last_id: u32,
}

/// The messages of a terminal.
#[derive(Default)]
pub(super) struct Session {
    waiting: VecDeque<Message>,
    shown: Option<Shown>,
}

/// Pages, counted as long as anybody has them.
struct Pages {
    records: Vec<Vec<u8>>,
    bytes: usize,
    used: Arc<AtomicUsize>,
}

/// A complete message.
#[derive(Clone)]
struct Message {
    id: u32,
    pages: Arc<Pages>,
    title: String,
    operator_purges: bool,
}

type Retained = oneshot::Sender<Option<InboundRecord>>;

struct Shown {
    message: Message,
    /// Page on the screen, from 0.
    at: usize,
    /// The task that goes on when the user has seen the message (RETAIN); it gets the input that
    /// ended the session, if one did.
    retained: Option<Retained>,
}

/// What became of an input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Taken {
    /// It is no affair of a paging session, or has just ended one.
    No(InboundRecord),
    /// It was a paging command.
    Yes,
    /// It was one, and the terminal is free now.
    Ended,
}

impl Drop for Pages {
    fn drop(&mut self) {
        self.used.fetch_sub(self.bytes, Relaxed);
    }
}

impl Book {
    /// Limits and counts.
    pub(super) fn statistics(&self, bytes_max: usize) -> [Statistic; 3] {
        [
            ("paging_bytes", self.used.load(Relaxed)),
            ("paging_bytes_max", bytes_max),
            ("paging_delayed", self.delayed),
        ]
        .map(|(name, value)| Statistic {
            name,
            value: value as u64,
        })
    }

    fn keep(&mut self, task: u32, group: u16, pages: Vec<Vec<u8>>, bytes_max: usize) -> bool {
        let bytes: usize = pages.iter().map(|page| page.len() + PAGE_BYTES).sum();
        if self.used.load(Relaxed) + bytes > bytes_max {
            return false;
        }
        self.used.fetch_add(bytes, Relaxed);
        let groups = self.building.entry(task).or_default();
        let kept = groups.entry(group).or_insert_with(|| Pages {
            records: Vec::new(),
            bytes: 0,
            used: self.used.clone(),
        });
        kept.bytes += bytes;
        kept.records.extend(pages);
        true
    }
}

impl Session {
    /// A message is on the screen.
    pub(super) fn is_shown(&self) -> bool {
        self.shown.is_some()
    }

    /// A task waits until the user has seen the message (RETAIN).
    pub(super) fn retains(&self) -> bool {
        let shown = self.shown.as_ref();
        shown.is_some_and(|shown| shown.retained.is_some())
    }

    /// The task at the terminal is over: no input is for it any more, even if it was killed while
    /// it waited for one.
    pub(super) fn task_ended(&mut self) {
        if let Some(shown) = &mut self.shown {
            shown.retained = None;
        }
    }

    /// The user is signed off: nobody else sees what was on the screen.
    pub(super) fn forget_shown(&mut self) {
        self.shown = None;
    }

    /// The session with the terminal is over.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
        self.shown = None;
    }
}

/// The task is over: pages of a message it did not complete go.
pub(super) fn task_ended(terminals: &Terminals, task: u32) {
    let mut book = lock(&terminals.paging);
    if !book.building.is_empty() {
        book.building.remove(&task);
    }
}

/// A free terminal shows the next message, a free printer begins to print it. `true`: that keeps
/// the terminal from anything else.
pub(super) fn show_next(
    terminals: &Arc<Terminals>,
    shared: &Shared,
    terminal: &mut Terminal,
) -> bool {
    if terminal.paging.is_shown() || terminal.printing {
        return true;
    }
    if !terminal.definition.ati || terminal.gone {
        return false;
    }
    if terminal.device.printer {
        return paper::next(terminals, shared, terminal);
    }
    let Some(message) = terminal.paging.waiting.pop_front() else {
        return false;
    };
    begin(terminal, message, None);
    true
}

/// Shows the first page of a message.
fn begin(terminal: &mut Terminal, message: Message, retained: Option<Retained>) {
    terminal.paging.shown = Some(Shown {
        message,
        at: 0,
        retained,
    });
    redisplay(terminal);
}

fn redisplay(terminal: &mut Terminal) {
    let shown = terminal.paging.shown.as_ref();
    let page = shown.and_then(|shown| shown.message.pages.records.get(shown.at).cloned());
    terminal.write_and_unlock(page.into_iter().collect());
}

/// An input of a terminal: a paging command, or the end of a session, or nothing of that.
pub(super) fn input(
    terminals: &Terminals,
    terminal: &mut Terminal,
    record: InboundRecord,
) -> Taken {
    let in_session = terminal.paging.is_shown();
    // With nothing to show, what looks like a command ("C/O SMITH") is data of the
    // pseudo-conversation.
    let answers_program = terminal.next.is_some() && terminal.paging.waiting.is_empty();
    if !in_session && (terminal.task.is_some() || answers_program) {
        return Taken::No(record);
    }
    let Some(aid) = record.aid().filter(|_| record.is_read()) else {
        return Taken::No(record);
    };
    let config = &terminals.config().paging;
    let text = typed(terminal, &record);
    let key = config.keys.iter().find(|(key, _)| *key == aid.0);
    let key = key.filter(|_| in_session).map(|(_, text)| text.as_str());
    let command = match key {
        Some(key) => command::parse_key(config, key),
        None => command::parse(config, &text),
    };
    if let Some(command) = command {
        return take(terminal, command);
    }
    let Some(shown) = &terminal.paging.shown else {
        return Taken::No(record);
    };
    if aid == Aid::CLEAR {
        // An empty screen to type a paging command on.
        terminal.unlock();
        return Taken::Yes;
    }
    if aid.is_short_read() || aid.pf_number().is_some() {
        let text = messages::tp::key_not_defined(aid.name()).to_string();
        message::show(terminal, &text);
        return Taken::Yes;
    }
    if shown.message.operator_purges {
        let text = messages::tp::must_be_purged();
        message::show(terminal, text.line());
        return Taken::Yes;
    }
    match end(terminal, Some(record)) {
        Some(record) => Taken::No(record),
        None => Taken::Yes,
    }
}

fn take(terminal: &mut Terminal, command: Command) -> Taken {
    match session::run(terminal, command) {
        Did::Shown => Taken::Yes,
        Did::Said(text) => {
            message::show(terminal, &text);
            terminal.unlock();
            Taken::Yes
        }
        Did::Ended => {
            terminal.clear();
            message::show(terminal, &purged());
            Taken::Ended
        }
    }
}

/// The message on the screen is over. A task that waited for that goes on with this input;
/// without one the input comes back.
fn end(terminal: &mut Terminal, record: Option<InboundRecord>) -> Option<InboundRecord> {
    let shown = terminal.paging.shown.take();
    match shown.and_then(|shown| shown.retained) {
        Some(task) => task.send(record).err().flatten(),
        None => record,
    }
}

/// What was typed into the first field.
fn typed(terminal: &Terminal, record: &InboundRecord) -> String {
    let text = record.typed().unwrap_or_default();
    let page = terminal.page();
    let text = text.iter().map(|byte| page.to_char[usize::from(*byte)]);
    let text: String = text.filter(|c| *c >= ' ').collect();
    text.trim().to_owned()
}
