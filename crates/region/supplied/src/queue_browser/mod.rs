//! CEBR: looks through a temporary storage queue, line by line.
//!
//! Commands: QUEUE, SYSID, LINE, COLUMN, FIND, TOP, BOTTOM, GET and PUT (transient data), PURGE,
//! TERMINAL; keys are those of CICS. State between inputs: queue, current line, first column,
//! hexadecimal or not, the last FIND. Not here: how it looks (`screen`).

mod queue;
mod screen;

use super::call::InternalCall;
use super::latin::latin;
use super::panel::{Key, Reply};
use super::session::Session;
use queue::{ITEM_BYTES_MAX, View, longest, of, read};
use screen::{ROWS, layout, show};
use transom_commands::{cmd, opt};
use transom_messages as messages;
use transom_types::Resp;
use transom_workers::seam::Outcome;

/// Records that one GET or PUT moves.
const MOVE_MAX: usize = 32_767;

/// CEBR.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let reply = session.receive();
    let state = session.state.take();
    let Some(mut view) = state.as_deref().and_then(View::decode) else {
        let typed = reply.text.split_whitespace().nth(1).map(str::to_owned);
        let terminal = session.terminal();
        let queue = typed.unwrap_or_else(|| format!("CEBR{terminal}"));
        let view = View {
            queue,
            line: 1,
            column: 1,
            ..View::default()
        };
        return show(session, &view, "");
    };
    // A state made by another program may say anything.
    (view.line, view.column) = (view.line.max(1), view.column.max(1));
    let said = match reply.key {
        Key::Pf(3 | 15) | Key::Clear => return session.end(messages::br::ended()),
        Key::Pf(1 | 13) => {
            screen::help(session);
            return session.again(&view.encode());
        }
        Key::Pf(2 | 14) => {
            view.hex = !view.hex;
            String::new()
        }
        Key::Pf(4 | 16) => top(&mut view),
        Key::Pf(5 | 17) => bottom(session, &mut view),
        Key::Pf(6 | 18) => find(session, &mut view),
        Key::Pf(7 | 19) => scroll(session, &mut view, -(ROWS as i64 / 2)),
        Key::Pf(8 | 20) => scroll(session, &mut view, ROWS as i64 / 2),
        Key::Pf(9 | 21) => right(session, &mut view),
        Key::Pf(10 | 22) => scroll(session, &mut view, -(ROWS as i64)),
        Key::Pf(11 | 23) => scroll(session, &mut view, ROWS as i64),
        _ => command(session, &mut view, &reply),
    };
    show(session, &view, &said)
}

/// No further than the last item.
fn scroll(session: &mut Session<'_>, view: &mut View, lines: i64) -> String {
    let items = read(session, view, 1).0;
    let line = i64::try_from(view.line).unwrap_or(1) + lines;
    view.line = usize::try_from(line.max(1)).unwrap_or(1).min(items.max(1));
    String::new()
}

fn top(view: &mut View) -> String {
    view.line = 1;
    String::new()
}

/// As many as fill the screen, the last one in the last line.
fn bottom(session: &mut Session<'_>, view: &mut View) -> String {
    let items = read(session, view, 1).0;
    view.line = (items + 2).saturating_sub(ROWS).max(1);
    String::new()
}

/// The next columns, where an item has some.
fn right(session: &mut Session<'_>, view: &mut View) -> String {
    let next = view.column + screen::columns(view);
    if next <= longest(session, view) {
        view.column = next;
    }
    String::new()
}

/// Does what was typed; answers the message.
fn command(session: &mut Session<'_>, view: &mut View, reply: &Reply) -> String {
    let typed = layout().read(reply, "COMMAND").unwrap_or_default();
    let typed = typed.trim();
    let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let (word, rest) = (word.to_ascii_uppercase(), rest.trim());
    let needs = |name: &str| messages::br::value_missing(name).to_string();
    let fits = |name: &str| !word.is_empty() && name.starts_with(&word);
    match () {
        () if word.is_empty() => String::new(),
        () if fits("QUEUE") => match rest.is_empty() {
            true => needs("QUEUE"),
            false => view.open(rest.trim_matches('\'').to_owned()),
        },
        () if fits("SYSID") => {
            view.system = rest.to_ascii_uppercase();
            view.open(view.queue.clone())
        }
        () if fits("TERM") => {
            let terminal = if rest.is_empty() {
                session.terminal().to_string()
            } else {
                rest.to_ascii_uppercase()
            };
            view.open(format!("CEBR{terminal}"))
        }
        () if fits("LINE") || fits("COLUMN") => {
            let number = rest.parse().ok();
            let Some(number) = number.filter(|n| (1..=ITEM_BYTES_MAX).contains(n)) else {
                return needs(&word);
            };
            match fits("LINE") {
                true => view.line = number,
                false => view.column = number,
            }
            String::new()
        }
        () if fits("TOP") => top(view),
        () if fits("BOTTOM") => bottom(session, view),
        () if fits("HEX") => {
            view.hex = !view.hex;
            String::new()
        }
        () if fits("FIND") || word.starts_with('/') => {
            let given = if word.starts_with('/') { typed } else { rest };
            if let Some(text) = between(given) {
                view.find = text.to_owned();
            }
            find(session, view)
        }
        () if fits("GET") => get(session, view, rest),
        () if fits("PUT") => put(session, view, rest),
        () if fits("PURGE") => purge(session, view),
        () => messages::br::command_unknown(&word).to_string(),
    }
}

/// The text behind a delimiter, up to the next one or a blank. Any character is one.
fn between(given: &str) -> Option<&str> {
    let delimiter = given.chars().next()?;
    let rest = given.get(delimiter.len_utf8()..)?;
    let text = match rest.split_once(delimiter) {
        Some((text, _)) => text,
        None => rest.split(' ').next().unwrap_or_default(),
    };
    (!text.is_empty()).then_some(text)
}

/// The next item behind the current one that has the text, in either case.
fn find(session: &mut Session<'_>, view: &mut View) -> String {
    let wanted = latin(&view.find).to_ascii_lowercase();
    if wanted.is_empty() {
        return messages::br::value_missing("FIND").to_string();
    }
    let items = read(session, view, 1).0;
    for line in view.line + 1..=items {
        let item = read(session, view, line).1.unwrap_or_default();
        let item = item.to_ascii_lowercase();
        if item.windows(wanted.len()).any(|part| part == wanted) {
            view.line = line;
            return String::new();
        }
    }
    messages::br::text_not_found(&view.find).to_string()
}

/// Moves all records of a transient data queue behind the items.
fn get(session: &mut Session<'_>, view: &View, from: &str) -> String {
    if from.is_empty() {
        return messages::br::value_missing("GET").to_string();
    }
    for moved in 0..MOVE_MAX {
        let record = InternalCall::new(cmd::READQ_TD)
            .text(opt::QUEUE, from.to_ascii_uppercase())
            .out_bytes(opt::INTO, ITEM_BYTES_MAX)
            .number(opt::LENGTH, ITEM_BYTES_MAX as i64);
        let record = session.ran(record);
        match record.response() {
            (Resp::NORMAL, _) => {}
            (Resp::QZERO, _) => return messages::br::records_moved(moved).to_string(),
            (resp, resp2) => return messages::br::command_failed("GET", resp, resp2).to_string(),
        }
        let length = usize::try_from(record.got_number(opt::LENGTH)).unwrap_or(0);
        let into = record.arguments().iter().find(|a| a.option == opt::INTO);
        let bytes = into
            .and_then(|a| a.storage.get(..length))
            .unwrap_or_default();
        let item = InternalCall::new(cmd::WRITEQ_TS).text(opt::FROM, bytes);
        let item = session.ran(of(item, view));
        if !item.is_normal() {
            let (resp, resp2) = item.response();
            return messages::br::command_failed("GET", resp, resp2).to_string();
        }
    }
    messages::br::records_moved(MOVE_MAX).to_string()
}

/// Writes all items to a transient data queue.
fn put(session: &mut Session<'_>, view: &View, to: &str) -> String {
    if to.is_empty() {
        return messages::br::value_missing("PUT").to_string();
    }
    let items = read(session, view, 1).0.min(MOVE_MAX);
    for line in 1..=items {
        let Some(item) = read(session, view, line).1 else {
            break;
        };
        let record = InternalCall::new(cmd::WRITEQ_TD)
            .text(opt::QUEUE, to.to_ascii_uppercase())
            .text(opt::FROM, item);
        let record = session.ran(record);
        if !record.is_normal() {
            let (resp, resp2) = record.response();
            return messages::br::command_failed("PUT", resp, resp2).to_string();
        }
    }
    messages::br::records_moved(items).to_string()
}

fn purge(session: &mut Session<'_>, view: &mut View) -> String {
    let call = of(InternalCall::new(cmd::DELETEQ_TS), view);
    view.line = 1;
    match session.ran(call).response() {
        (Resp::NORMAL, _) => messages::br::queue_deleted().to_string(),
        (resp, resp2) => messages::br::command_failed("PURGE", resp, resp2).to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::between;

    #[test]
    fn a_text_to_find_stands_between_delimiters() {
        assert_eq!(between("/05-02-93"), Some("05-02-93"));
        assert_eq!(between("X05/02/93"), Some("05/02/93"));
        assert_eq!(between("/CLARE JACKSON/"), Some("CLARE JACKSON"));
        assert_eq!(between("/CLARE JACKSON"), Some("CLARE"));
        assert_eq!((between("/"), between("")), (None, None));
    }
}
