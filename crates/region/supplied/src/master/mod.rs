//! CEMT: the master terminal. INQUIRE, SET, DISCARD and PERFORM on a screen or in one line.
//!
//! Reading order: `line` (what was typed), `resources` (what there is), `list` (finding and
//! changing), `screen` (showing it, what is typed over), `perform`. State between inputs: the line,
//! the first row shown, and what the shown cells said. A task without terminal takes the line from
//! RETRIEVE and answers to the log.

mod detail;
mod line;
mod list;
mod perform;
mod screen;

use super::call::InternalCall;
use super::panel::{Key, Reply};
use super::session::Session;
use line::{Line, Verb};
use list::{Change, Row};
use screen::Shown;
use std::fmt;
use transom_commands::{cmd, opt};
use transom_messages::{self as messages, Message};
use transom_resources::{List, View};
use transom_workers::seam::Outcome;

/// Longest line a START hands over.
const LINE_BYTES_MAX: usize = 256;

/// CEMT.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    if session.terminal().is_blank() {
        let call = InternalCall::new(cmd::RETRIEVE)
            .out_bytes(opt::INTO, LINE_BYTES_MAX)
            .number(opt::LENGTH, LINE_BYTES_MAX as i64);
        let line = session.ran(call).got_text(opt::INTO);
        let line = line.trim().to_owned();
        let line = line.strip_prefix("CEMT ").unwrap_or(&line).to_owned();
        return execute(session, &line, 0);
    }
    let reply = session.receive();
    let Some(shown) = session.state.take().as_deref().and_then(Shown::decode) else {
        let typed = session.typed(&reply);
        return execute(session, &typed, 0);
    };
    let typed = screen::typed_line(&shown, session.screen(), &reply);
    let page = shown.rows.len().max(1);
    let half = page.div_ceil(2);
    let (top, last) = (shown.top, shown.total.saturating_sub(1));
    match reply.key {
        Key::Pf(3 | 15) => session.end(messages::mt::ended()),
        Key::Pf(1 | 13) => screen::page(session, "HELP", &screen::help(), &unlisted(&shown)),
        Key::Pf(9 | 21) => screen::page(session, "MESSAGES", &shown.messages, &unlisted(&shown)),
        Key::Pf(7 | 19) => execute(session, &shown.line, top.saturating_sub(half)),
        Key::Pf(8 | 20) => execute(session, &shown.line, (top + half).min(last)),
        Key::Pf(10 | 22) => execute(session, &shown.line, top.saturating_sub(page)),
        Key::Pf(11 | 23) => execute(session, &shown.line, (top + page).min(last)),
        Key::Enter if typed != shown.line => execute(session, &typed, 0),
        Key::Enter => entered(session, &shown, &reply),
        _ => execute(session, &shown.line, shown.top),
    }
}

/// CEOT: the operator's own terminal.
pub(super) fn own_terminal(session: &mut Session<'_>) -> Outcome {
    let terminal = session.terminal();
    let shown = session.state.as_deref().and_then(Shown::decode);
    let own = format!("INQUIRE TERMINAL({terminal})");
    let Some(shown) = shown else {
        // What was typed is read, so that it is not taken for the next transaction.
        session.receive();
        return execute(session, &own, 0);
    };
    let reply = session.receive();
    match reply.key {
        Key::Pf(3 | 15) => session.end(messages::mt::ceot_ended()),
        // No other line: this transaction is for everybody.
        Key::Enter if shown.line == own => entered(session, &shown, &reply),
        _ => execute(session, &own, 0),
    }
}

/// CETR: there is no trace to control.
pub(super) fn trace(session: &mut Session<'_>) -> Outcome {
    session.end(messages::mt::no_trace())
}

/// The state behind a page of text: the line alone.
fn unlisted(shown: &Shown) -> Shown {
    Shown {
        rows: Vec::new(),
        ..shown.clone()
    }
}

/// Does what a line says and shows what comes of it.
fn execute(session: &mut Session<'_>, text: &str, top: usize) -> Outcome {
    if let Some(before) = text.strip_suffix('?') {
        let kind = before.split_whitespace().nth(1).unwrap_or_default();
        let kind = kind.split('(').next().unwrap_or_default();
        let kind = kind.to_ascii_uppercase();
        let resource = (!kind.is_empty()).then(|| View::of(&kind)).flatten();
        let state = Shown {
            line: before.trim().to_owned(),
            ..Shown::default()
        };
        return screen::page(session, "SYNTAX", &screen::syntax(resource), &state);
    }
    let line = match line::parse(text) {
        Ok(line) => line,
        Err(problem) => return said(session, text, problem),
    };
    match line.verb {
        Verb::Perform => {
            let answer = perform::perform(session, &line);
            said(session, text, answer)
        }
        Verb::Inquire => list(session, text, &line, top, Vec::new()),
        Verb::Set | Verb::Discard => change(session, text, &line),
    }
}

fn said(session: &mut Session<'_>, text: &str, answer: impl Into<String>) -> Outcome {
    let shown = Shown {
        line: text.to_owned(),
        messages: vec![answer.into()],
        ..Shown::default()
    };
    screen::show(session, None, shown)
}

fn list(
    session: &mut Session<'_>,
    text: &str,
    line: &Line,
    top: usize,
    notes: Vec<(String, String)>,
) -> Outcome {
    let rows = match list::rows(session, line) {
        Ok(rows) => rows,
        Err(problem) => return said(session, text, problem),
    };
    with_notes(session, text, line, (top, false), rows, notes)
}

/// Shows rows with what came of the changes.
fn with_notes(
    session: &mut Session<'_>,
    text: &str,
    line: &Line,
    (top, done): (usize, bool),
    mut rows: Vec<Row>,
    notes: Vec<(String, String)>,
) -> Outcome {
    let mut messages = Vec::new();
    for (key, note) in notes {
        if note != "NORMAL" {
            messages.push(messages::mt::not_done(&key, &note).to_string());
        }
        if let Some(row) = rows.iter_mut().find(|row| row.key == key) {
            row.note = note;
        }
    }
    if rows.is_empty() {
        messages.push(messages::mt::not_found().to_string());
    }
    let size = session.screen();
    let page = line.resource.map_or(1, |r| screen::rows_shown(r, size));
    // Without a terminal there is no page.
    let page = if session.terminal().is_blank() {
        rows.len()
    } else {
        page
    };
    let total = rows.len();
    let top = top.min(total.saturating_sub(1));
    let rows: Vec<Row> = rows.drain(..).skip(top).take(page).collect();
    let shown = Shown {
        line: text.to_owned(),
        top,
        total,
        rows,
        messages,
        done,
    };
    screen::show(session, line.resource, shown)
}

/// SET and DISCARD by a line: afterwards the line is the INQUIRE that shows the result.
fn change(session: &mut Session<'_>, text: &str, line: &Line) -> Outcome {
    let Some(resource) = line.resource else {
        return said(session, text, String::new());
    };
    let discards = line.verb == Verb::Discard;
    if line.names.is_empty() && !line.all && resource.list != List::One {
        let text_of = messages::mt::name_or_all(resource.name).to_string();
        return said(session, text, text_of);
    }
    let mut inquire = format!("INQUIRE {}", resource.name);
    if !line.names.is_empty() {
        inquire.push_str(&format!("({})", line.names.join(",")));
    }
    let changes = match discards {
        true => Ok(Vec::new()),
        false => list::changes(line),
    };
    let changes = match changes {
        Ok(changes) => changes,
        Err(problem) => return said(session, &inquire, problem),
    };
    let all = Line {
        verb: Verb::Inquire,
        resource: line.resource,
        names: line.names.clone(),
        all: false,
        words: Vec::new(),
    };
    let mut rows = match list::rows(session, &all) {
        Ok(rows) => rows,
        Err(problem) => return said(session, &inquire, problem),
    };
    if line.all && resource.list == List::Tasks {
        // ALL spares the task that carries it out.
        let own = format!("{:07}", session.executor.task_number());
        rows.retain(|row| row.key != own);
    }
    let mut notes = Vec::new();
    for row in &rows {
        let note = match discards {
            true => list::discard(session, resource, &row.key),
            false => list::set(session, resource, &row.key, &changes),
        };
        notes.push((row.key.clone(), note));
    }
    // What was deleted cannot be listed any more.
    let gone = discards
        || line
            .words
            .iter()
            .any(|(word, _)| "DELETE".starts_with(word.as_str()));
    match gone {
        true => with_notes(session, &inquire, &all, (0, true), rows, notes),
        false => list(session, &inquire, &all, 0, notes),
    }
}

/// ENTER on a list: cells that were typed over, else the resource under the cursor.
fn entered(session: &mut Session<'_>, shown: &Shown, reply: &Reply) -> Outcome {
    let Ok(line) = line::parse(&shown.line) else {
        return execute(session, &shown.line, shown.top);
    };
    let Some(resource) = line.resource.filter(|_| !shown.rows.is_empty()) else {
        return execute(session, &shown.line, shown.top);
    };
    let size = session.screen();
    let changed = screen::overtyped(resource, shown, size, reply);
    if changed.is_empty() {
        return match screen::pointed(resource, shown, size, reply) {
            Some(at) => expanded(session, resource, shown, at),
            None => execute(session, &shown.line, shown.top),
        };
    }
    let mut notes = Vec::new();
    for (at, row) in shown.rows.iter().enumerate() {
        let mine: Vec<_> = changed.iter().filter(|change| change.0 == at).collect();
        if mine.is_empty() {
            continue;
        }
        let note = match change_of(resource, &mine) {
            Ok(changes) => list::set(session, resource, &row.key, &changes),
            Err(unusable) => unusable.to_string(),
        };
        notes.push((row.key.clone(), note));
    }
    list(session, &shown.line, &line, shown.top, notes)
}

/// All about one resource.
fn expanded(
    session: &mut Session<'_>,
    resource: &'static View,
    shown: &Shown,
    at: usize,
) -> Outcome {
    let key = shown.rows.get(at).map_or("", |row| row.key.as_str());
    let told = match detail::detail(session, resource, key) {
        Ok(told) => told,
        Err(problem) => return said(session, &shown.line, problem),
    };
    let mut lines = vec![format!("{}({key})", resource.name)];
    let known = told.iter().filter(|(_, value)| !value.is_empty());
    lines.extend(known.map(|(option, value)| {
        let value: String = value.chars().take(44).collect();
        format!("  {option}({value})")
    }));
    screen::page(session, "RESULT", &lines, &unlisted(shown))
}

/// Why what was typed over a cell changes nothing.
enum Unusable {
    /// No word of that column.
    Word(String),
    /// A number is wanted.
    Number(Message),
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Word(text) => write!(f, "{text} ?"),
            Self::Number(message) => message.fmt(f),
        }
    }
}

fn change_of(
    resource: &'static View,
    cells: &[&(usize, usize, String)],
) -> Result<Vec<Change>, Unusable> {
    let mut changes = Vec::new();
    for (_, column, text) in cells {
        let Some(known) = resource.columns.get(*column) else {
            // The cell behind the last column takes the words that no column shows.
            let word = resource.word(&text.to_ascii_uppercase());
            changes.push(Change::Word(
                word.ok_or_else(|| Unusable::Word(text.clone()))?,
            ));
            continue;
        };
        if known.number {
            changes.push(Change::Number(
                known,
                list::number_of(text).map_err(Unusable::Number)?,
            ));
            continue;
        }
        let upper = text.to_ascii_uppercase();
        let word = known.words.iter().find(|word| word.starts_with(&upper));
        changes.push(Change::Word(
            word.ok_or_else(|| Unusable::Word(text.clone()))?,
        ));
    }
    Ok(changes)
}
