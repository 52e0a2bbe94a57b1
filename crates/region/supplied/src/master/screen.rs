//! The CEMT screen: command line, rows whose attributes can be typed over, response line.
//!
//! A row takes as many lines as its attributes need; they flow as words do. Larger screens show
//! more rows.

use super::list::Row;
use super::walk::Page;
use crate::clock;
use crate::panel::{Panel, Reply};
use crate::prose;
use crate::session::Session;
use transom_datastream::ScreenSize;
use transom_messages as messages;
use transom_resources::{Column, List, View, none_of, views};
use transom_wire::language;
use transom_workers::seam::Outcome;

/// First line of the list.
const FIRST_LINE: usize = 3;
/// Lines above and below the list.
const FRAME_LINES: usize = 6;
/// Where a row's further lines begin.
const INDENT: usize = 6;
/// Messages that are kept for F9.
pub(super) const MESSAGES_MAX: usize = 50;
const KEYS: &str = "PF 1 HELP       3 END       5 VAR       7 SBH 8 SFH 9 MSG 10 SB 11 SF";

language! {
    /// What a screen showed.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub(super) struct Shown {
        pub line: String,
        pub page: Page,
        pub messages: Vec<String>,
        /// SET, DISCARD or PERFORM was done: nothing to type over.
        pub done: bool,
        /// What F5 shows.
        pub variables: Vec<(String, Vec<u8>)>,
    }
}

impl Shown {
    /// What is kept for the next input: notes were seen.
    fn kept(&self) -> Self {
        let mut kept = self.clone();
        let seen = kept
            .page
            .rows
            .iter_mut()
            .filter(|row| row.note != super::list::MISSING);
        seen.for_each(|row| row.note.clear());
        kept
    }
}

/// Where the next attribute stands.
struct Flow {
    line: usize,
    column: usize,
    width: usize,
}

impl Flow {
    /// A place for so many characters and the attribute bytes around them.
    fn place(&mut self, chars: usize) -> (usize, usize) {
        if self.column + chars > self.width - 1 {
            self.line += 1;
            self.column = INDENT;
        }
        let at = (self.line, self.column);
        self.column += chars + 1;
        at
    }
}

/// Lines that every row of a kind takes.
fn lines_of(resource: &View, size: ScreenSize) -> usize {
    let mut panel = Panel::sized(size);
    let row = Row::default();
    row_at(&mut panel, resource, &row, (0, 1))
}

/// Rows of a kind on one screen.
pub(super) fn rows_shown(resource: &View, size: ScreenSize) -> usize {
    ((size.rows() - FRAME_LINES) / lines_of(resource, size)).max(1)
}

/// Shows rows and the response; the next input comes back to CEMT.
pub(super) fn show(
    session: &mut Session<'_>,
    resource: Option<&View>,
    mut shown: Shown,
) -> Outcome {
    shown.messages.truncate(MESSAGES_MAX);
    if session.terminal().is_blank() {
        return tell(session, resource, &shown);
    }
    let size = session.screen();
    let mut panel = Panel::sized(size);
    layout(&mut panel, resource, &shown);
    let settable = resource.is_some_and(|r| r.set.is_some()) && !shown.done;
    let status = match (shown.page.rows.is_empty(), settable) {
        (true, _) => "STATUS:  ENTER ONE OF INQUIRE SET DISCARD PERFORM, OR ? FOR HELP",
        (false, true) => "STATUS:  RESULTS - OVERTYPE TO MODIFY",
        (false, false) => "STATUS:  RESULTS",
    };
    panel.bright(2, 2, status);
    if shown.page.top > 0 {
        panel.text(2, size.columns() - 1, "+");
    }
    if shown.page.more {
        panel.text(size.rows() - 3, 2, "+");
    }
    let response = match shown.messages.len() {
        0 => "RESPONSE: NORMAL".to_owned(),
        1 => shown.messages.concat(),
        count => format!("RESPONSE: {count} ERRORS (PF 9)"),
    };
    footer(session, &mut panel, &response);
    session.show(&panel);
    keep(session, &shown)
}

/// Without a terminal what would be shown goes to the log.
fn tell(session: &Session<'_>, resource: Option<&View>, shown: &Shown) -> Outcome {
    let say = |text: &str| {
        session
            .host
            .log(messages::mt::answer(&shown.line, text).line())
    };
    let kind = resource.map_or("", |resource| resource.name);
    for row in &shown.page.rows {
        let cells = row.cells.join(" ");
        say(&format!("{kind}({}) {cells} {}", row.key, row.note));
    }
    shown.messages.iter().for_each(|text| say(text));
    if shown.messages.is_empty() {
        say("RESPONSE: NORMAL");
    }
    Outcome::Return
}

fn footer(session: &mut Session<'_>, panel: &mut Panel, response: &str) {
    let facts = session.facts();
    let (rows, columns) = (panel.size().rows(), panel.size().columns());
    let names = format!("SYSID={} APPLID={}", facts.sysid, facts.applid);
    let time = clock::in_words(session.host);
    let (names_at, time_at) = (columns - 2 - names.len(), columns - 1 - time.len());
    // What is longer than the response line begins above it and goes on downwards.
    let rooms = [columns - 5, names_at - 5, time_at - 5];
    let response = prose::from_below(response, &rooms);
    panel
        .text(rows - 2, names_at, names)
        .text(rows - 1, time_at, time)
        .text(rows, 2, KEYS);
    let lines = (rows - response.len()..rows).zip(&response);
    for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
        panel.bright(line, 4, text);
    }
}

/// Command line and rows; also where typed cells are found again.
fn layout(panel: &mut Panel, resource: Option<&View>, shown: &Shown) {
    let size = panel.size();
    panel.input("LINE", (1, 2), size.columns() - 4, &shown.line);
    let Some(resource) = resource else { return };
    let lines = lines_of(resource, size);
    for (at, row) in shown.page.rows.iter().enumerate() {
        let line = FIRST_LINE + at * lines;
        if line + lines <= size.rows() - 2 {
            row_at(panel, resource, row, (at, line));
        }
    }
}

/// One row; answers how many lines it took.
fn row_at(panel: &mut Panel, resource: &View, row: &Row, (at, line): (usize, usize)) -> usize {
    let width = panel.size().columns();
    let mut flow = Flow {
        line,
        column: 3,
        width,
    };
    let chars = match resource.list {
        List::Hex => super::list::HEX_DIGITS.min(2 * resource.key_chars),
        _ => resource.key_chars.min(width - 12),
    };
    let label = super::list::shown(resource.name);
    let key: String = row.key.chars().take(chars).collect();
    let head = format!("{label}({key:chars$})");
    let (line_at, column) = flow.place(head.chars().count());
    panel.text(line_at, column, head);
    if row.note == super::list::MISSING {
        let (line, column) = flow.place(row.note.len());
        panel.bright(line, column, &row.note);
        return flow.line + 1 - line_at;
    }
    for (number, known) in resource.columns.iter().enumerate() {
        let cell = row.cells.get(number).map_or("", String::as_str);
        attribute(panel, &mut flow, known, cell, &name(at, number));
    }
    if !resource.actions.is_empty() {
        let place = flow.place(6);
        panel.input(&name(at, resource.columns.len()), place, 5, "");
    }
    if !row.note.is_empty() && flow.column + 2 < width {
        panel.bright(flow.line, flow.column + 1, &row.note);
    }
    flow.line - line + 1
}

/// Shows one attribute.
fn attribute(panel: &mut Panel, flow: &mut Flow, known: &Column, cell: &str, name: &str) {
    let open = known.number || !known.words.is_empty();
    let chars = known.chars();
    let (label, close) = match known.label {
        "" => (String::new(), ""),
        label => (format!("{label}("), ")"),
    };
    if !open {
        let text = format!("{label}{cell:chars$}{close}");
        let (line, column) = flow.place(text.chars().count());
        panel.text(line, column, text);
        return;
    }
    // An open field needs its attribute byte behind the label, another one before the bracket.
    let labelled = if label.is_empty() { 0 } else { label.len() + 1 };
    let (line, column) = flow.place(labelled + chars + 2 * close.len() + 1);
    if labelled > 0 {
        panel.text(line, column, &label);
    }
    panel.input(name, (line, column + labelled), chars, cell);
    if labelled > 0 {
        panel.text(line, column + labelled + chars + 1, close);
    }
}

fn name(row: usize, column: usize) -> String {
    format!("{row}.{column}")
}

/// The command line as it is now.
pub(super) fn typed_line(shown: &Shown, size: ScreenSize, reply: &Reply) -> String {
    let mut panel = Panel::sized(size);
    layout(&mut panel, None, shown);
    panel
        .read(reply, "LINE")
        .unwrap_or_default()
        .trim()
        .to_owned()
}

/// Cells that say something else than before: row, column, text.
pub(super) fn overtyped(
    resource: &View,
    shown: &Shown,
    size: ScreenSize,
    reply: &Reply,
) -> Vec<(usize, usize, String)> {
    let mut panel = Panel::sized(size);
    layout(&mut panel, Some(resource), shown);
    let mut changed = Vec::new();
    for (at, row) in shown.page.rows.iter().enumerate() {
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

/// The row in whose lines the cursor stands.
pub(super) fn pointed(
    resource: &View,
    shown: &Shown,
    size: ScreenSize,
    reply: &Reply,
) -> Option<usize> {
    let line = reply.cursor / size.columns() + 1;
    let at = line.checked_sub(FIRST_LINE)? / lines_of(resource, size);
    (at < shown.page.rows.len()).then_some(at)
}

/// Where lines of text stand: below each other, in as many columns as they need and are narrow
/// enough for.
fn places(lines: &[String], size: ScreenSize) -> Vec<(usize, usize)> {
    let room = size.rows() - FRAME_LINES;
    let longest = lines.iter().map(|line| line.chars().count()).max();
    let width = longest.unwrap_or(0) + 2;
    let most = ((size.columns() - 3) / width).max(1);
    let columns = lines.len().div_ceil(room).clamp(1, most);
    let apart = (size.columns() - 3) / columns;
    let place = |at| (FIRST_LINE + at % room, 3 + at / room * apart);
    (0..lines.len().min(room * columns)).map(place).collect()
}

/// The line of text under the cursor.
pub(super) fn chosen<'a>(
    lines: &'a [String],
    size: ScreenSize,
    reply: &Reply,
) -> Option<&'a String> {
    let (row, column) = (
        reply.cursor / size.columns() + 1,
        reply.cursor % size.columns() + 1,
    );
    let covers = |(text, (line, from)): &(&String, (usize, usize))| {
        *line == row && (*from..from + text.chars().count()).contains(&column)
    };
    let mut shown = lines.iter().zip(places(lines, size));
    shown.find(covers).map(|(text, _)| text)
}

/// Lines of text in place of the list; the state stays.
pub(super) fn page(
    session: &mut Session<'_>,
    title: &str,
    lines: &[String],
    state: &Shown,
) -> Outcome {
    let size = session.screen();
    let mut panel = Panel::sized(size);
    panel
        .input("LINE", (1, 2), size.columns() - 4, &state.line)
        .bright(2, 2, title);
    let places = places(lines, size);
    for (text, (line, column)) in lines.iter().zip(&places) {
        panel.text(*line, *column, text);
    }
    if lines.len() > places.len() {
        panel.text(size.rows() - 3, 2, "+");
    }
    footer(session, &mut panel, "");
    session.show(&panel);
    keep(session, state)
}

/// The next input comes back to CEMT with this state and the variables of the session.
fn keep(session: &mut Session<'_>, shown: &Shown) -> Outcome {
    let mut kept = shown.kept();
    kept.variables = session.variables.clone().into_iter().collect();
    session.again(&kept.encode())
}

/// F1: what can be typed.
pub(super) fn help() -> Vec<String> {
    const TEXT: [&str; 13] = [
        "INQUIRE kind(names) words     I TASK, I PROG(PAY*) DIS, I TASK TRANID(PAY1)",
        "SET kind(names) words         S PROG(PAY) NEW, S FI(X) CLO, S TASK(123) PURGE",
        "DISCARD kind(names)           DISC TRAN(PAY1)",
        "PERFORM SHUTDOWN IMMEDIATE PLT(..), STATISTICS, DUMP, SECURITY REBUILD, RESETTIME",
        "",
        "Names: * stands for any characters, + for one; several stand with commas.",
        "SET and DISCARD want names or ALL. Words may be cut short.",
        "In a list type over what stands intensified: Ena -> dis. The field at the end",
        "takes PURGE or FORCE for a task, NEW for a program, DELETE for a queue.",
        "ENTER with the cursor on a resource shows all about it.",
        "A ? behind a kind lists its words, behind INQUIRE the kinds.",
        "The same commands work in one line: CEMT I TASK",
        "",
    ];
    TEXT.iter().map(|text| (*text).to_owned()).collect()
}

/// `?`: the words of a kind, or all kinds.
pub(super) fn syntax(resource: Option<&View>) -> Vec<String> {
    let Some(resource) = resource else {
        let known = views().iter().map(|resource| resource.name.to_owned());
        let none = none_of().iter().map(|name| format!("{name} (none here)"));
        return known.chain(none).collect();
    };
    let mut lines = vec![format!("{}( name ... ) | ALL", resource.name)];
    for column in resource.columns {
        let option = transom_commands::option_name(column.option);
        lines.push(match (column.words, column.number) {
            ([], false) => format!("< {option} >"),
            ([], true) => format!("< {option}( number ) >   SET"),
            (words, _) => format!("< {} >   SET", words.join(" | ")),
        });
    }
    if !resource.actions.is_empty() {
        lines.push(format!("< {} >   SET", resource.actions.join(" | ")));
    }
    lines
}
