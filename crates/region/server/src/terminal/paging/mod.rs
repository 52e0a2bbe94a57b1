//! Paging sessions: messages of several pages that a user looks at page by page (CSPG).
//!
//! What: what an input means during a session ([`input`]), and the message that comes next
//! ([`next`]). Why here and not in a task: turning a page costs one write, no task and no worker. A
//! message waits in order; the first is shown when the terminal is free, or printed (`paper`).
//! During a session other input than a paging command ends it and goes its usual way, unless the
//! program asked for OPERPURGE. Messages live in memory and end with the region or the session.
//! Reading order: `state` (pages while a task builds them, messages that wait at a terminal and the
//! one that is shown), here, `command`, `session`, `screen`, `deliver`, `paper`. Not here: building
//! of pages (worker side).

mod command;
pub(super) mod deliver;
pub(super) mod paper;
mod screen;
mod session;
pub(super) mod state;

use super::super::paging_config::PagingConfig;
use super::message;
use super::record::Terminal;
use command::Command;
use screen::{begin, end};
use session::{Did, purged};
use state::Message;
use transom_datastream::Aid;
use transom_messages as messages;
use transom_wire::inbound::InboundRecord;

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

/// What a free terminal does next.
pub(super) enum Next {
    /// Nothing: no message waits for it.
    Nothing,
    /// It shows a message.
    Shows,
    /// It is a printer, and prints this one.
    Prints(Message),
}

/// The message that waits longest at a free terminal: it is shown, or to be printed.
pub(super) fn next(terminal: &mut Terminal) -> Next {
    let Some(message) = terminal.paging.waiting.pop_front() else {
        return Next::Nothing;
    };
    if terminal.device.printer {
        return Next::Prints(message);
    }
    begin(terminal, message, None);
    Next::Shows
}

/// An input of a terminal: a paging command, or the end of a session, or nothing of that.
pub(super) fn input(
    config: &PagingConfig,
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

/// What was typed into the first field.
fn typed(terminal: &Terminal, record: &InboundRecord) -> String {
    let text = record.typed().unwrap_or_default();
    let page = terminal.page();
    let text = text.iter().map(|byte| page.to_char[usize::from(*byte)]);
    let text: String = text.filter(|c| *c >= ' ').collect();
    text.trim().to_owned()
}
