//! CSGM: the first screen of a session, with GMTEXT, and room for the first transaction.

use super::session::Session;
use super::{clock, panel::Panel};
use transom_region_commands::ask_region;
use transom_wire::security::Request;
use transom_workers::seam::Outcome;

/// Characters of GMTEXT that are shown.
const GREETING_CHARS_MAX: usize = 246;
/// Characters in one row.
const ROW_CHARS: usize = 76;
/// Rows a greeting may take.
const GREETING_ROWS: usize = 4;

/// CSGM.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let mut panel = Panel::new();
    let facts = session.facts();
    let (date, time) = clock::now(session.host);
    let terminal = session.terminal();
    panel
        .bright(1, 2, "Transom")
        .text(1, 60, format!("APPLID {}", facts.applid))
        .text(2, 60, format!("SYSID  {}", facts.sysid))
        .text(3, 60, format!("TERM   {terminal}"))
        .text(4, 60, format!("{date} {time}"));
    greeting(session, &mut panel, 8);
    panel
        .text(14, 4, "Type a transaction and press ENTER.")
        .bright(16, 4, "===>")
        .input("TRANSACTION", (16, 9), 70, "")
        .text(20, 4, "CESN signs you on, CESF LOGOFF ends the session.");
    session.show(&panel);
    Outcome::Return
}

/// GMTEXT from this row on.
pub(super) fn greeting(session: &mut Session<'_>, panel: &mut Panel, row: usize) {
    let answer = ask_region(session.host, &Request::Greeting);
    let text = String::from_utf8_lossy(&answer.data);
    let text: Vec<char> = text.chars().take(GREETING_CHARS_MAX).collect();
    for (at, line) in text.chunks(ROW_CHARS).take(GREETING_ROWS).enumerate() {
        panel.bright(row + at, 4, line.iter().collect::<String>().trim());
    }
}
