//! Screens printed in a frame, for `--once --show`.

use super::session::Session;
use std::io::Write;
use std::time::Duration;
use transom_copybook::codepage::CodePage;
use transom_datastream::Screen;

/// Prints the screen with a line about it.
pub(crate) fn screen(session: &Session, page: &CodePage, label: &str, time: Option<Duration>) {
    let mut out = std::io::stdout().lock();
    // A closed pipe ends the output, not the run.
    let _printed = out.write_all(framed(session, page, label, time).as_bytes());
}

/// The rows, without trailing blanks.
pub(crate) fn text(screen: &Screen, page: &CodePage) -> String {
    let text = screen.text(&page.to_char);
    let mut rows: Vec<String> = text
        .lines()
        .map(|row| row.chars().map(printable).collect())
        .collect();
    rows.push(String::new());
    rows.join("\n")
}

fn framed(session: &Session, page: &CodePage, label: &str, time: Option<Duration>) -> String {
    let screen = &session.screen;
    let (rows, columns) = (screen.size().rows(), screen.size().columns());
    let took = time.map_or(String::new(), |t| {
        format!(" {:.1} ms", t.as_secs_f64() * 1e3)
    });
    let head = format!("- {label}{took} ");
    let mut text = format!("+{head:-<columns$}+\n");
    for row in 1..=rows {
        let shown: String = screen
            .row(row, &page.to_char)
            .chars()
            .map(printable)
            .collect();
        text += &format!("|{shown}|\n");
    }
    let cursor = usize::from(screen.cursor());
    let (row, column) = (cursor / columns + 1, cursor % columns + 1);
    let foot = format!("- {} cursor {row},{column} ", session.lu);
    text += &format!("+{foot:-<columns$}+\n");
    text
}

/// No byte of a host may steer the user's terminal.
fn printable(c: char) -> char {
    if c.is_control() { ' ' } else { c }
}
