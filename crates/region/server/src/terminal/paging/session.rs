//! What paging commands do at a terminal.
//!
//! Not here: their syntax (`command`), which input is one (`super`).

use super::super::record::Terminal;
use super::command::{Command, Page, Purge};
use super::screen::{begin, end, redisplay};
use transom_messages as messages;

/// A purge command has ended a session.
pub(super) fn purged() -> String {
    messages::tp::purged().into()
}

/// Nothing waits.
fn none() -> String {
    messages::tp::no_pages().into()
}

/// What a paging command led to.
pub(super) enum Did {
    Shown,
    Said(String),
    Ended,
}

/// A paging command.
pub(super) fn run(terminal: &mut Terminal, command: Command) -> Did {
    match command {
        Command::Unknown(text) => Did::Said(messages::tp::command_not_supported(&text).to_string()),
        Command::Query => Did::Said(query(terminal)),
        Command::Purge(what, id) => purge(terminal, what, id),
        Command::Retrieve(page, id) => retrieve(terminal, page, id),
    }
}

fn retrieve(terminal: &mut Terminal, page: Page, id: Option<u32>) -> Did {
    if terminal.device.printer {
        // It prints what waits when it is free.
        return Did::Shown;
    }
    let shown = terminal.paging.is_shown();
    let waiting = &mut terminal.paging.waiting;
    if let Some(id) = id {
        let at = waiting.iter().position(|message| message.id == id);
        let Some(message) = at.and_then(|at| waiting.remove(at)) else {
            return Did::Said(
                messages::tp::no_message_to_show(format_args!("{id:06X}")).to_string(),
            );
        };
        end(terminal, None);
        begin(terminal, message, None);
    } else if !shown {
        let Some(message) = waiting.pop_front() else {
            return Did::Said(none());
        };
        begin(terminal, message, None);
    }
    let Some(shown) = &mut terminal.paging.shown else {
        return Did::Said(none());
    };
    let count = shown.message.pages.records.len();
    let wanted = match page {
        Page::Current => Some(shown.at),
        Page::Last => count.checked_sub(1),
        Page::Number(n) => n.checked_sub(1),
        Page::Forward(n) => shown.at.checked_add(n),
        Page::Back(n) => shown.at.checked_sub(n),
    };
    match wanted.filter(|at| *at < count) {
        Some(at) => {
            shown.at = at;
            redisplay(terminal);
            Did::Shown
        }
        None => Did::Said(messages::tp::no_such_page(shown.at + 1, count).to_string()),
    }
}

fn purge(terminal: &mut Terminal, what: Purge, id: Option<u32>) -> Did {
    let was_shown = terminal.paging.is_shown();
    let waiting = &mut terminal.paging.waiting;
    let had = waiting.len();
    if let Some(id) = id {
        waiting.retain(|message| message.id != id);
        if waiting.len() == had {
            return Did::Said(
                messages::tp::no_message_waiting(format_args!("{id:06X}")).to_string(),
            );
        }
    } else {
        match what {
            Purge::Waiting => waiting.clear(),
            Purge::Shown => drop(end(terminal, None)),
            Purge::Everything => {
                waiting.clear();
                end(terminal, None);
            }
            Purge::Chained => {}
        }
    }
    if terminal.paging.is_shown() {
        redisplay(terminal);
        return Did::Shown;
    }
    if !was_shown && had == 0 {
        return Did::Said(none());
    }
    Did::Ended
}

/// The messages that wait.
fn query(terminal: &Terminal) -> String {
    let waiting = &terminal.paging.waiting;
    let count = waiting.len();
    let mut text = String::new();
    for message in waiting {
        text += &format!(" {:06X}", message.id);
        if !message.title.is_empty() {
            text += &format!(" {}", message.title);
        }
    }
    messages::tp::messages_queued(count, text).into()
}
