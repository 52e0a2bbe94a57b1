//! The screen of CEBR: header, command, items between the lines of top and bottom, keys.

use super::queue::{View, longest, read};
use crate::panel::Panel;
use crate::session::Session;
use transom_messages as messages;
use transom_workers::seam::Outcome;

/// Lines for items, with those of top and bottom.
pub(super) const ROWS: usize = 17;
const FIRST_ROW: usize = 3;
/// Characters of an item in one line.
const TEXT_CHARS: usize = 72;
const LINE_CHARS: usize = 59;
const KEYS: [&str; 4] = [
    "PF1 : HELP                PF2 : SWITCH HEX/CHAR     PF3 : TERMINATE BROWSE",
    "PF4 : VIEW TOP            PF5 : VIEW BOTTOM         PF6 : REPEAT LAST FIND",
    "PF7 : SCROLL BACK HALF    PF8 : SCROLL FORWARD HALF PF9 : VIEW RIGHT",
    "PF10: SCROLL BACK FULL    PF11: SCROLL FORWARD FULL PF12: UNDEFINED",
];
const HELP: [&str; 17] = [
    "Commands may be cut short.",
    "",
    "QUEUE name        another queue, at most 16 characters",
    "SYSID name        queues of another system; without a name of this one",
    "TERMINAL name     the queue CEBR followed by the name of that terminal",
    "LINE number       this item becomes the current one",
    "COLUMN number     items begin at this character",
    "TOP, BOTTOM       the first items, the last ones",
    "FIND /text        the next item with the text, in upper or lower case;",
    "                  any character may stand in place of / (FIND /two words/)",
    "GET name          records of a transient data queue behind the items;",
    "                  reading them takes them out of an intrapartition queue",
    "PUT name          all items into a transient data queue",
    "PURGE             deletes the queue",
    "HEX               hexadecimal or characters",
    "",
    "Press ENTER to go back.",
];

/// Characters of an item that one screen shows.
pub(super) fn columns(view: &View) -> usize {
    if view.hex { TEXT_CHARS / 2 } else { TEXT_CHARS }
}

/// What is typed is found by it.
pub(super) fn layout() -> Panel {
    let mut panel = Panel::new();
    panel
        .text(2, 2, "ENTER COMMAND ===>")
        .input("COMMAND", (2, 21), LINE_CHARS, "");
    panel
}

/// Shows items; the next input comes back to CEBR.
pub(super) fn show(session: &mut Session<'_>, view: &View, said: &str) -> Outcome {
    let (items, _) = read(session, view, 1);
    let view = &View {
        line: view.line.min(items.max(1)),
        ..view.clone()
    };
    let mut panel = layout();
    let wide = if items == 0 {
        0
    } else {
        longest(session, view)
    };
    panel.bright(1, 2, header(session, view, items, wide));
    for at in 0..ROWS.min(items + 3 - view.line) {
        body_line(
            session,
            view,
            &mut panel,
            (FIRST_ROW + at, view.line - 1 + at),
            items,
        );
    }
    let said = match (items, said) {
        (0, "") => messages::br::queue_empty().into(),
        (_, said) => said.to_owned(),
    };
    panel.bright(20, 2, said);
    for (at, keys) in KEYS.iter().enumerate() {
        panel.text(21 + at, 2, keys);
    }
    session.show(&panel);
    session.again(&view.encode())
}

/// `CEBR  TSQ NAMES            SYSID S001 REC     1 OF     3    COL     1 OF     5`
fn header(session: &Session<'_>, view: &View, items: usize, wide: usize) -> String {
    let own = session.facts().sysid.to_string();
    let system = if view.system.is_empty() {
        &own
    } else {
        &view.system
    };
    let (line, column) = (view.line.min(items), view.column.min(wide));
    format!(
        "CEBR  TSQ {:16} SYSID {system:4} REC {line:5} OF {items:5}    COL {column:5} OF {wide:5}",
        view.queue
    )
}

/// Line 0 is that of the top; behind the last item is that of the bottom.
fn body_line(
    session: &mut Session<'_>,
    view: &View,
    panel: &mut Panel,
    (row, line): (usize, usize),
    items: usize,
) {
    match line {
        0 => panel.text(row, 7, format!("{:*^70}", "  TOP OF QUEUE  ")),
        line if line > items => panel.text(row, 7, format!("{:*^70}", "  BOTTOM OF QUEUE  ")),
        line => {
            let item = read(session, view, line).1.unwrap_or_default();
            let part = item.iter().skip(view.column - 1).take(columns(view));
            let text: String = match view.hex {
                true => part.map(|b| format!("{b:02X}")).collect(),
                false => part.map(|b| char::from(*b)).collect(),
            };
            let text = format!("{line:05} {text}");
            match line == view.line {
                true => panel.bright(row, 2, text),
                false => panel.text(row, 2, text),
            }
        }
    };
}

/// F1: the commands.
pub(super) fn help(session: &mut Session<'_>) {
    let mut panel = layout();
    panel.bright(1, 2, "CEBR  COMMANDS");
    for (at, line) in HELP.iter().enumerate() {
        panel.text(FIRST_ROW + at, 2, line);
    }
    for (at, keys) in KEYS.iter().enumerate() {
        panel.text(21 + at, 2, keys);
    }
    session.show(&panel);
}
