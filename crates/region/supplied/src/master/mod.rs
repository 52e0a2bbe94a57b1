//! CEMT: the master terminal. INQUIRE, SET, DISCARD and PERFORM on a screen or in one line.
//!
//! Reading order: `line` (what was typed), `walk` (finding what it means), `list` (one resource and
//! its changes), `screen` (showing it, what is typed over), `perform`. State between inputs: the
//! line, the page shown with marks of those before, and what the shown cells said. A task without
//! terminal takes the line from RETRIEVE and answers to the log.

mod choices;
mod detail;
mod line;
mod list;
mod overtyped;
mod perform;
mod screen;
mod walk;

use super::call::InternalCall;
use super::interpreter;
use super::panel::{Key, Reply};
use super::prose;
use super::session::Session;
use line::{Line, Verb};
use list::Change;
use screen::Shown;
use std::collections::HashMap;
use transom_commands::{cmd, opt};
use transom_messages as messages;
use transom_resources::{List, View};
use transom_workers::seam::Outcome;
use walk::{Mark, Page};

/// Above what can be typed next.
const CHOOSE: &str = "STATUS:  ENTER ONE OF THE FOLLOWING";
/// Longest line a START hands over.
const LINE_BYTES_MAX: usize = 256;
/// Most resources that are listed in the log, without a terminal to page on.
const LOG_ROWS_MAX: usize = 10_000;

/// Number of the first row that is wanted, and what is known of those before it.
#[derive(Default)]
struct From {
    top: usize,
    marks: Vec<Mark>,
}

/// CEMT.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    if session.terminal().is_blank() {
        let call = InternalCall::new(cmd::RETRIEVE)
            .out_bytes(opt::INTO, LINE_BYTES_MAX)
            .number(opt::LENGTH, LINE_BYTES_MAX as i64);
        let line = session.ran(call).got_text(opt::INTO);
        let line = line.trim().to_owned();
        let line = line.strip_prefix("CEMT ").unwrap_or(&line).to_owned();
        return execute(session, &line, From::default());
    }
    let reply = session.receive();
    let Some(shown) = session.state.take().as_deref().and_then(Shown::decode) else {
        let typed = session.typed(&reply);
        return execute(session, &typed, From::default());
    };
    session.variables = shown.variables.iter().cloned().collect();
    let typed = screen::typed_line(&shown, session.screen(), &reply);
    let page = shown.page.rows.len().max(1);
    let (half, top) = (page.div_ceil(2), shown.page.top);
    // Behind the rows shown is one more, or nothing.
    let down = |rows: usize| match shown.page.more {
        true => top + rows,
        false => top + rows.min(page - 1),
    };
    match reply.key {
        Key::Pf(3 | 15) => session.end(messages::mt::ended()),
        Key::Pf(1 | 13) => screen::page(session, "HELP", &screen::help(), &unlisted(&shown)),
        Key::Pf(5 | 17) => {
            let mut variables = std::mem::take(&mut session.variables);
            interpreter::screen::variables(session, &mut variables);
            session.variables = variables;
            execute(session, &shown.line, shown.from(top))
        }
        Key::Pf(9 | 21) => {
            let room = session.screen().columns() - 4;
            let lines = shown.messages.iter();
            let lines: Vec<String> = lines
                .flat_map(|text| prose::wrapped(text, &[room]))
                .collect();
            screen::page(session, "MESSAGES", &lines, &unlisted(&shown))
        }
        Key::Pf(7 | 19) => execute(session, &shown.line, shown.from(top.saturating_sub(half))),
        Key::Pf(8 | 20) => execute(session, &shown.line, shown.from(down(half))),
        Key::Pf(10 | 22) => execute(session, &shown.line, shown.from(top.saturating_sub(page))),
        Key::Pf(11 | 23) => execute(session, &shown.line, shown.from(down(page))),
        Key::Enter if typed != shown.line => execute(session, &typed, From::default()),
        Key::Enter if shown.page.rows.is_empty() => {
            let line = taken(session, &shown, &reply);
            execute(session, &line, From::default())
        }
        Key::Enter => entered(session, &shown, &reply),
        _ => execute(session, &shown.line, shown.from(top)),
    }
}

impl Shown {
    /// The same list from another row on.
    fn from(&self, top: usize) -> From {
        From {
            top,
            marks: self.page.marks.clone(),
        }
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
        return execute(session, &own, From::default());
    };
    let reply = session.receive();
    match reply.key {
        Key::Pf(3 | 15) => session.end(messages::mt::ceot_ended()),
        // No other line: this transaction is for everybody.
        Key::Enter if shown.line == own => entered(session, &shown, &reply),
        _ => execute(session, &own, From::default()),
    }
}

/// The line with the choice under the cursor.
fn taken(session: &Session<'_>, shown: &Shown, reply: &Reply) -> String {
    let Some((line, choices)) = choices::of(&shown.line) else {
        return shown.line.clone();
    };
    match screen::chosen(&choices, session.screen(), reply) {
        Some(choice) => format!("{line} {}", choice.to_ascii_uppercase())
            .trim()
            .to_owned(),
        None => line,
    }
}

/// The state behind a page of text: the line alone.
fn unlisted(shown: &Shown) -> Shown {
    let mut unlisted = shown.clone();
    unlisted.page.rows.clear();
    unlisted
}

/// Does what a line says and shows what comes of it.
fn execute(session: &mut Session<'_>, text: &str, from: From) -> Outcome {
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
    if let Some((line, choices)) = choices::of(text).filter(|_| !session.terminal().is_blank()) {
        let state = Shown {
            line,
            ..Shown::default()
        };
        return screen::page(session, CHOOSE, &choices, &state);
    }
    let line = match line::parse(text, &session.variables) {
        Ok(line) => line,
        Err(problem) => return said(session, text, problem),
    };
    match line.verb {
        Verb::Perform => {
            let answer = perform::perform(session, &line);
            said(session, text, answer)
        }
        Verb::Inquire => list(session, text, &line, from, Vec::new()),
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
    from: From,
    notes: Vec<(String, String)>,
) -> Outcome {
    let room = room(session, line);
    match walk::page(session, line, (from.top, room), from.marks) {
        Ok(page) => with_notes(session, (text, line), false, page, notes),
        Err(problem) => said(session, text, problem),
    }
}

/// Rows of a page; without a terminal what the log takes.
fn room(session: &mut Session<'_>, line: &Line) -> usize {
    let size = session.screen();
    match session.terminal().is_blank() {
        true => LOG_ROWS_MAX,
        false => line.resource.map_or(1, |r| screen::rows_shown(r, size)),
    }
}

/// Shows rows with what came of the changes.
fn with_notes(
    session: &mut Session<'_>,
    (text, line): (&str, &Line),
    done: bool,
    mut page: Page,
    notes: Vec<(String, String)>,
) -> Outcome {
    let missing = page.rows.iter().filter(|row| row.note == list::MISSING);
    let missing = missing.filter(|row| !notes.iter().any(|(key, _)| *key == row.key));
    let missing = missing.map(|row| (row.key.clone(), row.note.clone()));
    let mut messages: Vec<String> = notes
        .iter()
        .cloned()
        .chain(missing)
        .filter(|(_, note)| note != "NORMAL")
        .take(screen::MESSAGES_MAX)
        .map(|(key, note)| messages::mt::not_done(key, note).to_string())
        .collect();
    let mut notes: HashMap<String, String> = notes.into_iter().collect();
    for row in &mut page.rows {
        if let Some(note) = notes.remove(&row.key) {
            row.note = note;
        }
    }
    if page.rows.is_empty() {
        messages.push(messages::mt::not_found().to_string());
    }
    if page.more && session.terminal().is_blank() {
        messages.push(messages::mt::more_than_listed(LOG_ROWS_MAX).to_string());
    }
    let shown = Shown {
        line: text.to_owned(),
        page,
        messages,
        done,
        ..Shown::default()
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
    let inquire = match line.names.is_empty() {
        true => format!("INQUIRE {}", resource.name),
        false => format!("INQUIRE {}({})", resource.name, line.names.join(",")),
    };
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
    // What is deleted cannot be listed any more.
    let gone = discards
        || line
            .words
            .iter()
            .any(|(word, _)| "DELETE".starts_with(word.as_str()));
    let room = room(session, &all);
    let page = match gone {
        true => walk::page(session, &all, (0, room), Vec::new()),
        false => Ok(Page::default()),
    };
    let found = page.and_then(|page| Ok((page, walk::names(session, &all)?)));
    let (mut page, mut names) = match found {
        Ok(found) => found,
        Err(problem) => return said(session, &inquire, problem),
    };
    if line.all && resource.list == List::Tasks {
        // ALL spares the task that carries it out.
        let own = format!("{:07}", session.executor.task_number());
        names.retain(|name| *name != own);
        page.rows.retain(|row| row.key != own);
    }
    let notes = change_all(session, resource, names, &changes, discards);
    match gone {
        true => with_notes(session, (&inquire, &all), true, page, notes),
        false => list(session, &inquire, &all, From::default(), notes),
    }
}

/// Changes or discards resources; answers NORMAL or the condition for each.
fn change_all(
    session: &mut Session<'_>,
    resource: &View,
    names: Vec<String>,
    changes: &[Change],
    discards: bool,
) -> Vec<(String, String)> {
    let changed = names.into_iter().map(|name| {
        let note = match discards {
            true => list::discard(session, resource, &name),
            false => list::set(session, resource, &name, changes),
        };
        (name, note)
    });
    changed.collect()
}

/// ENTER on a list: cells that were typed over, else the resource under the cursor.
fn entered(session: &mut Session<'_>, shown: &Shown, reply: &Reply) -> Outcome {
    let Ok(line) = line::parse(&shown.line, &session.variables) else {
        return execute(session, &shown.line, shown.from(shown.page.top));
    };
    let Some(resource) = line.resource.filter(|_| !shown.page.rows.is_empty()) else {
        return execute(session, &shown.line, shown.from(shown.page.top));
    };
    let size = session.screen();
    let changed = screen::overtyped(resource, shown, size, reply);
    if changed.is_empty() {
        return match screen::pointed(resource, shown, size, reply) {
            Some(at) => expanded(session, resource, shown, at),
            None => execute(session, &shown.line, shown.from(shown.page.top)),
        };
    }
    let mut notes = Vec::new();
    for (at, row) in shown.page.rows.iter().enumerate() {
        let mine: Vec<_> = changed.iter().filter(|change| change.0 == at).collect();
        if mine.is_empty() {
            continue;
        }
        let note = match overtyped::change_of(resource, &mine) {
            Ok(changes) => list::set(session, resource, &row.key, &changes),
            Err(unusable) => unusable.to_string(),
        };
        notes.push((row.key.clone(), note));
    }
    let from = shown.from(shown.page.top);
    list(session, &shown.line, &line, from, notes)
}

/// All about one resource.
fn expanded(
    session: &mut Session<'_>,
    resource: &'static View,
    shown: &Shown,
    at: usize,
) -> Outcome {
    let key = shown.page.rows.get(at).map_or("", |row| row.key.as_str());
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
