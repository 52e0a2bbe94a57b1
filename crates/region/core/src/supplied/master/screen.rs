//! The CEMT screen: command line, rows whose attributes can be typed over, response line.

use super::list::Row;
use super::resources::{Column, Kind, Resource, resource};
use crate::codec::{Reader, Writer};
use crate::supplied::clock;
use crate::supplied::panel::{Panel, Reply};
use crate::supplied::session::Session;
use transom_workers::seam::Outcome;

/// Resources on one screen.
pub(super) const ROWS_SHOWN: usize = 17;
/// First row of the list.
const FIRST_ROW: usize = 4;
/// Messages that are kept for F9.
const MESSAGES_MAX: usize = 17;
/// Length of the command line.
const LINE_CHARS: usize = 76;

/// What a screen showed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Shown {
    pub line: String,
    pub top: usize,
    pub total: usize,
    pub rows: Vec<Row>,
    pub messages: Vec<String>,
}

impl Shown {
    fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(1_024);
        out.bytes(self.line.as_bytes())
            .u32(self.top as u32)
            .u32(self.total as u32);
        out.u32(self.rows.len() as u32);
        for row in &self.rows {
            out.bytes(row.key.as_bytes()).u32(row.cells.len() as u32);
            for cell in &row.cells {
                out.bytes(cell.as_bytes());
            }
        }
        out.u32(self.messages.len() as u32);
        for text in &self.messages {
            out.bytes(text.as_bytes());
        }
        out.0
    }

    pub(super) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let mut shown = Self {
            line: from.text()?,
            top: from.u32()? as usize,
            total: from.u32()? as usize,
            ..Self::default()
        };
        for _ in 0..from.u32()? {
            let key = from.text()?;
            let cells = (0..from.u32()?)
                .map(|_| from.text())
                .collect::<Option<_>>()?;
            let note = String::new();
            shown.rows.push(Row { key, cells, note });
        }
        shown.messages = (0..from.u32()?)
            .map(|_| from.text())
            .collect::<Option<_>>()?;
        Some(shown)
    }
}

/// Shows rows and the response; the next input comes back to CEMT.
pub(super) fn show(
    session: &mut Session<'_>,
    resource: Option<&Resource>,
    mut shown: Shown,
) -> Outcome {
    shown.messages.truncate(MESSAGES_MAX);
    let mut panel = Panel::new();
    layout(&mut panel, resource, &shown);
    let status = match (shown.rows.is_empty(), shown.top + shown.rows.len()) {
        (true, _) => "STATUS:  type a command".to_owned(),
        (false, last) => format!(
            "STATUS:  RESULTS {} to {last} of {} - type over what is to change",
            shown.top + 1,
            shown.total
        ),
    };
    panel.bright(2, 2, status);
    let response = match shown.messages.len() {
        0 => "RESPONSE: NORMAL".to_owned(),
        1 => shown.messages.concat(),
        count => format!("RESPONSE: {count} ERRORS (F9)"),
    };
    footer(session, &mut panel, &response);
    session.show(&panel);
    session.again(&shown.encode())
}

fn footer(session: &mut Session<'_>, panel: &mut Panel, response: &str) {
    let facts = session.facts();
    let (date, time) = clock::now(session.host);
    panel
        .text(
            22,
            50,
            format!("SYSID={} APPLID={}", facts.sysid, facts.applid),
        )
        .bright(
            FIRST_ROW + ROWS_SHOWN + 1,
            2,
            response.chars().take(47).collect::<String>(),
        )
        .text(
            23,
            2,
            response.chars().skip(47).take(46).collect::<String>(),
        )
        .text(23, 50, format!("TIME: {time} DATE: {date}"))
        .text(24, 2, "F1=Help F3=End F7=Up F8=Down F9=Messages ENTER=Do");
}

/// Command line and rows; also where typed cells are found again.
fn layout(panel: &mut Panel, resource: Option<&Resource>, shown: &Shown) {
    panel.input("LINE", (1, 2), LINE_CHARS, &shown.line);
    let Some(resource) = resource else { return };
    let label: String = super::list::shown(resource.name);
    for (at, row) in shown.rows.iter().enumerate() {
        let line = FIRST_ROW + at;
        let head = format!("{label}({:width$})", row.key, width = resource.key_chars);
        let mut column = 2;
        panel.text(line, column, &head);
        column += head.len() + 1;
        for (number, (known, cell)) in resource.columns.iter().zip(&row.cells).enumerate() {
            column = attribute(panel, (line, column), known, cell, (at, number));
        }
        if !resource.actions.is_empty() && column + 8 < 80 {
            panel.input(&name(at, resource.columns.len()), (line, column), 4, "");
            column += 6;
        }
        if !row.note.is_empty() && column < 78 {
            panel.bright(line, column, &row.note);
        }
    }
}

/// Shows one attribute; answers the column behind it.
fn attribute(
    panel: &mut Panel,
    (line, column): (usize, usize),
    known: &Column,
    cell: &str,
    (row, number): (usize, usize),
) -> usize {
    let open = known.number || !known.words.is_empty();
    let chars = match known.kind {
        Kind::Text(chars) | Kind::Number(chars) => chars,
        Kind::Value => 5,
    };
    let label = if known.label.is_empty() {
        String::new()
    } else {
        format!("{}(", known.label)
    };
    let close = if label.is_empty() { "" } else { ")" };
    let width = label.len() + chars + 3;
    if column + width > 80 {
        return column;
    }
    if !open {
        let text = format!("{label}{cell:chars$}{close}");
        panel.text(line, column, &text);
        return column + text.len() + 1;
    }
    let mut at = column;
    if !label.is_empty() {
        panel.text(line, at, &label);
        at += label.len() + 1;
    }
    panel.input(&name(row, number), (line, at), chars, cell);
    at += chars + 1;
    if !close.is_empty() {
        panel.text(line, at, close);
        at += 2;
    }
    at
}

fn name(row: usize, column: usize) -> String {
    format!("{row}.{column}")
}

/// The command line as it is now.
pub(super) fn typed_line(shown: &Shown, reply: &Reply) -> String {
    let mut panel = Panel::new();
    layout(&mut panel, None, shown);
    panel
        .read(reply, "LINE")
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// Cells that say something else than before: row, column, text.
pub(super) fn overtyped(shown: &Shown, reply: &Reply) -> Vec<(usize, usize, String)> {
    let kind = shown.line.split_whitespace().nth(1).unwrap_or_default();
    let kind = kind
        .split('(')
        .next()
        .unwrap_or_default()
        .to_ascii_uppercase();
    let Some(resource) = resource(&kind) else {
        return Vec::new();
    };
    let mut panel = Panel::new();
    layout(&mut panel, Some(resource), shown);
    let mut changed = Vec::new();
    for (at, row) in shown.rows.iter().enumerate() {
        for number in 0..=resource.columns.len() {
            let before = row.cells.get(number).map_or("", String::as_str);
            let Some(now) = panel.read(reply, &name(at, number)) else {
                continue;
            };
            let now = now.trim();
            if !now.is_empty() && !now.eq_ignore_ascii_case(before) {
                changed.push((at, number, now.to_owned()));
            }
        }
    }
    changed
}

/// F9: all messages.
pub(super) fn messages(session: &mut Session<'_>, shown: &Shown) -> Outcome {
    let mut panel = Panel::new();
    panel
        .input("LINE", (1, 2), LINE_CHARS, &shown.line)
        .bright(2, 2, "MESSAGES");
    for (at, text) in shown.messages.iter().enumerate() {
        panel.text(FIRST_ROW + at, 2, text);
    }
    footer(session, &mut panel, "Press ENTER to go back.");
    session.show(&panel);
    let state = Shown {
        rows: Vec::new(),
        ..shown.clone()
    };
    session.again(&state.encode())
}

/// F1: what can be typed.
pub(super) fn help(session: &mut Session<'_>, shown: &Shown) -> Outcome {
    const TEXT: [&str; 12] = [
        "INQUIRE kind(names) words     shows resources; I TASK, I PROG(PAY*) DIS",
        "SET kind(names) words         changes them; S PROG(PAY) NEW, S TASK(123) PURGE",
        "PERFORM SHUTDOWN IMMEDIATE    ends the region; P STAT, P DUMP",
        "",
        "Kinds: TASK TRANSACTION PROGRAM FILE TERMINAL TSQUEUE TDQUEUE SYSTEM",
        "Names: * stands for any characters, + for one. Several are separated by commas.",
        "Words may be cut short. In a list type over what stands intensified: Ena -> dis.",
        "The field behind a task takes PURGE or FORCE, behind a program NEW.",
        "",
        "The same commands work in one line: CEMT I TASK",
        "",
        "Press ENTER to go back.",
    ];
    let mut panel = Panel::new();
    panel
        .input("LINE", (1, 2), LINE_CHARS, &shown.line)
        .bright(2, 2, "HELP");
    for (at, text) in TEXT.iter().enumerate() {
        panel.text(FIRST_ROW + at, 2, text);
    }
    footer(session, &mut panel, "");
    session.show(&panel);
    let state = Shown {
        rows: Vec::new(),
        ..shown.clone()
    };
    session.again(&state.encode())
}
