//! CEBR: looks through a temporary storage queue, line by line.
//!
//! Commands: QUEUE, LINE, COLUMN, FIND, TOP, BOTTOM, GET and PUT (transient data), PURGE, HEX,
//! TERM. State between inputs: queue, first line, first column, hexadecimal or not, the last FIND.

use super::call::InternalCall;
use super::latin::latin;
use super::panel::{Key, Panel, Reply};
use super::session::Session;
use transom_commands::{cmd, opt};
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::language;
use transom_workers::seam::Outcome;

/// Items on one screen.
const ROWS: usize = 18;
const FIRST_ROW: usize = 4;
/// Characters of an item on one screen.
const TEXT_CHARS: usize = 72;
/// Longest item that is shown.
const ITEM_BYTES_MAX: usize = 32_763;
/// Records that one GET or PUT moves.
const MOVE_MAX: usize = 32_767;
const LINE_CHARS: usize = 60;

language! {
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    struct View {
        queue: String,
        /// First item, from 1.
        line: usize,
        /// First column, from 1.
        column: usize,
        hex: bool,
        find: String,
    }
}

impl View {
    /// Another queue, from its begin.
    fn open(&mut self, queue: String) -> String {
        self.queue = queue;
        (self.line, self.column) = (1, 1);
        String::new()
    }
}

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
        Key::Pf(2 | 14) => {
            view.hex = !view.hex;
            String::new()
        }
        Key::Pf(5 | 17) => find(session, &mut view),
        Key::Pf(7 | 19) => scroll(&mut view, -(ROWS as i64)),
        Key::Pf(8 | 20) => scroll(&mut view, ROWS as i64),
        Key::Pf(10 | 22) => scroll(&mut view, -(ROWS as i64 / 2)),
        Key::Pf(11 | 23) => scroll(&mut view, ROWS as i64 / 2),
        _ => command(session, &mut view, &reply),
    };
    show(session, &view, &said)
}

fn scroll(view: &mut View, lines: i64) -> String {
    let line = i64::try_from(view.line).unwrap_or(1) + lines;
    view.line = usize::try_from(line.max(1)).unwrap_or(1);
    String::new()
}

/// Does what was typed; answers the message.
fn command(session: &mut Session<'_>, view: &mut View, reply: &Reply) -> String {
    let typed = layout(view).read(reply, "COMMAND").unwrap_or_default();
    let typed = typed.trim();
    let (word, rest) = typed.split_once(' ').unwrap_or((typed, ""));
    let (word, rest) = (word.to_ascii_uppercase(), rest.trim());
    let needs = |name: &str| messages::br::value_missing(name).to_string();
    let fits = |name: &str| !word.is_empty() && name.starts_with(&word);
    match () {
        () if word.is_empty() => String::new(),
        () if fits("QUEUE") || fits("SYSID") => {
            if rest.is_empty() {
                return needs("QUEUE");
            }
            view.open(rest.trim_matches('\'').to_owned())
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
        () if fits("TOP") => {
            view.line = 1;
            String::new()
        }
        () if fits("BOTTOM") => {
            let items = read(session, &view.queue, 1).0;
            view.line = items.saturating_sub(ROWS - 1).max(1);
            String::new()
        }
        () if fits("HEX") => {
            view.hex = !view.hex;
            String::new()
        }
        () if fits("FIND") || word.starts_with('/') => {
            let text = typed.strip_prefix('/').unwrap_or(rest).trim_matches('/');
            if !text.is_empty() {
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

fn find(session: &mut Session<'_>, view: &mut View) -> String {
    let wanted = latin(&view.find);
    if wanted.is_empty() {
        return messages::br::value_missing("FIND").to_string();
    }
    let items = read(session, &view.queue, 1).0;
    for line in view.line + 1..=items {
        let (_, item) = read(session, &view.queue, line);
        if item.is_some_and(|item| item.windows(wanted.len()).any(|w| w == wanted)) {
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
        let item = InternalCall::new(cmd::WRITEQ_TS)
            .text(opt::QNAME, queue_name(&view.queue))
            .text(opt::FROM, bytes);
        let item = session.ran(item);
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
    let items = read(session, &view.queue, 1).0.min(MOVE_MAX);
    for line in 1..=items {
        let Some(item) = read(session, &view.queue, line).1 else {
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
    let call = InternalCall::new(cmd::DELETEQ_TS).text(opt::QNAME, queue_name(&view.queue));
    view.line = 1;
    match session.ran(call).response() {
        (Resp::NORMAL, _) => messages::br::queue_deleted().to_string(),
        (resp, resp2) => messages::br::command_failed("PURGE", resp, resp2).to_string(),
    }
}

/// `X'00C1...'` names a queue by its bytes.
fn queue_name(name: &str) -> Vec<u8> {
    latin(name)
}

/// Number of items and one of them.
fn read(session: &mut Session<'_>, queue: &str, item: usize) -> (usize, Option<Vec<u8>>) {
    let call = InternalCall::new(cmd::READQ_TS)
        .text(opt::QNAME, queue_name(queue))
        .number(opt::ITEM, i64::try_from(item).unwrap_or(0))
        .out_bytes(opt::INTO, ITEM_BYTES_MAX)
        .number(opt::LENGTH, ITEM_BYTES_MAX as i64)
        .out(opt::NUMITEMS);
    let call = session.ran(call);
    let items = usize::try_from(call.got_number(opt::NUMITEMS)).unwrap_or(0);
    if !call.is_normal() {
        return (items, None);
    }
    let length = usize::try_from(call.got_number(opt::LENGTH)).unwrap_or(0);
    let into = call.arguments().iter().find(|a| a.option == opt::INTO);
    (
        items,
        into.and_then(|a| a.storage.get(..length))
            .map(<[u8]>::to_vec),
    )
}

fn layout(view: &View) -> Panel {
    let mut panel = Panel::new();
    panel
        .bright(1, 2, format!("CEBR  TS QUEUE {:16}", view.queue))
        .text(2, 2, "===>")
        .input("COMMAND", (2, 7), LINE_CHARS, "");
    panel
}

fn show(session: &mut Session<'_>, view: &View, said: &str) -> Outcome {
    let mut panel = layout(view);
    let (items, _) = read(session, &view.queue, 1);
    let place = format!(
        "RECORD {} OF {items}  COL {}",
        view.line.min(items),
        view.column
    );
    panel.text(1, 45, place);
    let per_row = if view.hex { TEXT_CHARS / 2 } else { TEXT_CHARS };
    for at in 0..ROWS.min((items + 1).saturating_sub(view.line)) {
        let Some(item) = read(session, &view.queue, view.line + at).1 else {
            break;
        };
        let part = item.iter().skip(view.column - 1).take(per_row);
        let text: String = match view.hex {
            true => part.map(|b| format!("{b:02X}")).collect(),
            false => part.map(|b| char::from(*b)).collect(),
        };
        panel.text(FIRST_ROW + at, 2, format!("{:5}", view.line + at));
        panel.text(FIRST_ROW + at, 8, text);
    }
    let said = match (items, said) {
        (0, "") => messages::br::queue_empty().into(),
        (_, said) => said.to_owned(),
    };
    panel.bright(23, 2, said).text(
        24,
        2,
        "F2=Hex F3=End F5=Find again F7=Up F8=Down F10=Half up F11=Half down",
    );
    session.show(&panel);
    session.again(&view.encode())
}
