//! CMAC: the page of a message or an abend code.

use super::panel::{Key, Panel};
use super::prose;
use super::session::Session;
use transom_messages as messages;
use transom_workers::seam::Outcome;

/// Characters in one row.
const ROW_CHARS: usize = 76;
/// Rows for the page.
const ROWS: usize = 18;

/// CMAC.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let reply = session.receive();
    let typed = match session.state.is_some() {
        true if matches!(reply.key, Key::Pf(3 | 15) | Key::Clear) => {
            return session.end(messages::cm::ended());
        }
        true => layout("").read(&reply, "ID").unwrap_or_default(),
        false => reply
            .text
            .split_whitespace()
            .nth(1)
            .unwrap_or("")
            .to_owned(),
    };
    let mut panel = layout(&typed);
    if typed.is_empty() {
        panel.bright(23, 2, messages::cm::type_id());
    } else if let Some(abend) = transom_messages::abend(&typed) {
        let title = format!("{} {}", abend.code, abend.text);
        let parts = [&abend.explanation, abend.system_action, abend.user_response];
        show(&mut panel, &title, parts);
    } else {
        match transom_messages::lookup(&typed) {
            None => near(&mut panel, &typed),
            Some(page) => {
                let title = format!("{} {}", page.id(), page.text);
                let parts = [page.explanation, page.system_action, page.user_response];
                show(&mut panel, &title, parts);
            }
        }
    }
    session.show(&panel);
    session.again(b"M")
}

/// A page: what it means, what the region does, what the reader can do.
fn show(panel: &mut Panel, title: &str, [explanation, action, response]: [&str; 3]) {
    let mut lines = prose::wrapped(title, &[ROW_CHARS]);
    for (title, text) in [
        ("Explanation", explanation),
        ("System action", action),
        ("User response", response),
    ] {
        lines.push(String::new());
        lines.extend(prose::wrapped(&format!("{title}: {text}"), &[ROW_CHARS]));
    }
    for (at, line) in lines.iter().take(ROWS).enumerate() {
        panel.text(4 + at, 2, line);
    }
}

/// The messages that begin so.
fn near(panel: &mut Panel, typed: &str) {
    let stem = typed.trim().to_ascii_uppercase();
    let stem = stem.strip_prefix("TXM").unwrap_or(&stem);
    let pages = transom_messages::all().iter();
    let found = pages.filter(|page| page.id()[3..].starts_with(stem));
    let lines: Vec<String> = found
        .map(|page| format!("{} {}", page.id(), page.text))
        .collect();
    if lines.is_empty() {
        panel.bright(23, 2, messages::cm::no_such_message(typed));
        return;
    }
    for (at, line) in lines.iter().take(ROWS).enumerate() {
        panel.text(
            4 + at,
            2,
            line.chars().take(ROW_CHARS + 2).collect::<String>(),
        );
    }
    if lines.len() > ROWS {
        let text = messages::cm::more_than_one(lines.len(), stem).to_string();
        panel.bright(23, 2, text);
    }
}

fn layout(id: &str) -> Panel {
    let mut panel = Panel::new();
    panel
        .bright(1, 2, "Messages")
        .text(2, 2, "Identifier")
        .input("ID", (2, 14), 10, id)
        .text(24, 2, "ENTER=Show  F3=End");
    panel
}
