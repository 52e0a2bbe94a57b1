//! CEMT: the master terminal. INQUIRE, SET and PERFORM on a screen or in one line.
//!
//! Reading order: `line` (what was typed), `resources` (what there is), `list` (finding and changing),
//! `screen` (showing it, what is typed over). State between inputs: the line, the first row shown, and
//! what the shown cells said.

mod line;
mod list;
mod resources;
mod screen;

use super::call::InternalCall;
use super::panel::Key;
use super::session::Session;
use line::{Line, Verb};
use list::{Change, Row};
use screen::Shown;
use transom_commands::{cmd, opt};
use transom_types::Resp;
use transom_workers::seam::Outcome;

/// CEMT.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let reply = session.receive();
    let Some(shown) = session.state.take().as_deref().and_then(Shown::decode) else {
        let name = session.transid();
        let typed = reply.text.trim_start();
        let typed = typed
            .get(name.as_str().len()..)
            .unwrap_or("")
            .trim()
            .to_owned();
        return execute(session, &typed, 0);
    };
    let typed = screen::typed_line(&shown, &reply);
    let page = screen::ROWS_SHOWN;
    match reply.key {
        Key::Pf(3 | 15) => session.end("TXMMT0010I CEMT has ended."),
        Key::Pf(1 | 13) => screen::help(session, &shown),
        Key::Pf(9 | 21) => screen::messages(session, &shown),
        Key::Pf(7 | 19 | 10 | 22) => execute(session, &shown.line, shown.top.saturating_sub(page)),
        Key::Pf(8 | 20 | 11 | 23) => execute(session, &shown.line, shown.top + page),
        Key::Enter if typed != shown.line => execute(session, &typed, 0),
        Key::Enter => overtyped(session, &shown, &screen::overtyped(&shown, &reply)),
        _ => execute(session, &shown.line, shown.top),
    }
}

/// Does what a line says and shows what comes of it.
fn execute(session: &mut Session<'_>, text: &str, top: usize) -> Outcome {
    let line = match line::parse(text) {
        Ok(line) => line,
        Err(problem) => return refused(session, text, problem),
    };
    match line.verb {
        Verb::Perform => {
            let said = perform(session, &line);
            refused(session, text, said)
        }
        Verb::Inquire => list(session, text, &line, top, Vec::new()),
        Verb::Set => set(session, &line),
    }
}

fn refused(session: &mut Session<'_>, text: &str, problem: String) -> Outcome {
    let shown = Shown {
        line: text.to_owned(),
        messages: vec![problem],
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
    let mut rows = match list::rows(session, line) {
        Ok(rows) => rows,
        Err(problem) => return refused(session, text, problem),
    };
    let mut messages = Vec::new();
    for (key, note) in notes {
        if note != "NORMAL" {
            messages.push(format!("TXMMT0011E {key}: {note}"));
        }
        if let Some(row) = rows.iter_mut().find(|row| row.key == key) {
            row.note = note;
        }
    }
    if rows.is_empty() {
        messages.push("TXMMT0012I nothing was found".into());
    }
    let last = rows.len().saturating_sub(1);
    let top = top.min(last / screen::ROWS_SHOWN * screen::ROWS_SHOWN);
    let total = rows.len();
    let rows: Vec<Row> = rows.drain(..).skip(top).take(screen::ROWS_SHOWN).collect();
    let shown = Shown {
        line: text.to_owned(),
        top,
        total,
        rows,
        messages,
    };
    screen::show(session, line.resource, shown)
}

/// SET by a line: afterwards the line is the INQUIRE that shows the result.
fn set(session: &mut Session<'_>, line: &Line) -> Outcome {
    let Some(resource) = line.resource else {
        return refused(session, "", String::new());
    };
    let mut inquire = format!("INQUIRE {}", resource.name);
    if !line.names.is_empty() {
        inquire.push_str(&format!("({})", line.names.join(",")));
    }
    let changes = match list::changes(line) {
        Ok(changes) => changes,
        Err(problem) => return refused(session, &inquire, problem),
    };
    let all = Line {
        verb: Verb::Inquire,
        resource: line.resource,
        names: line.names.clone(),
        words: Vec::new(),
    };
    let rows = match list::rows(session, &all) {
        Ok(rows) => rows,
        Err(problem) => return refused(session, &inquire, problem),
    };
    let mut notes = Vec::new();
    for row in rows {
        let note = list::set(session, resource, &row.key, &changes);
        notes.push((row.key, note));
    }
    list(session, &inquire, &all, 0, notes)
}

/// What was typed over cells, resource by resource.
fn overtyped(
    session: &mut Session<'_>,
    shown: &Shown,
    changed: &[(usize, usize, String)],
) -> Outcome {
    let Ok(line) = line::parse(&shown.line) else {
        return execute(session, &shown.line, shown.top);
    };
    let mut notes = Vec::new();
    if let Some(resource) = line.resource {
        for (at, row) in shown.rows.iter().enumerate() {
            let mine: Vec<_> = changed.iter().filter(|change| change.0 == at).collect();
            if mine.is_empty() {
                continue;
            }
            let note = match change_of(resource, &mine) {
                Ok(changes) => list::set(session, resource, &row.key, &changes),
                Err(problem) => problem,
            };
            notes.push((row.key.clone(), note));
        }
    }
    list(session, &shown.line, &line, shown.top, notes)
}

fn change_of(
    resource: &'static resources::Resource,
    cells: &[&(usize, usize, String)],
) -> Result<Vec<Change>, String> {
    let mut changes = Vec::new();
    for (_, column, text) in cells {
        let Some(known) = resource.columns.get(*column) else {
            // The cell behind the last column takes the words that no column shows.
            let word = resource.word(&text.to_ascii_uppercase());
            changes.push(Change::Word(word.ok_or_else(|| format!("{text} ?"))?));
            continue;
        };
        if known.number {
            changes.push(Change::Number(known, list::number_of(text)?));
            continue;
        }
        let upper = text.to_ascii_uppercase();
        let word = known.words.iter().find(|word| word.starts_with(&upper));
        changes.push(Change::Word(word.ok_or_else(|| format!("{text} ?"))?));
    }
    Ok(changes)
}

/// PERFORM: SHUTDOWN, STATISTICS, DUMP and so on, as far as the region has the commands.
fn perform(session: &mut Session<'_>, line: &Line) -> String {
    const COMMANDS: [(&str, transom_commands::CommandId); 4] = [
        ("SHUTDOWN", cmd::PERFORM_SHUTDOWN),
        ("STATISTICS", cmd::PERFORM_STATISTICS),
        ("DUMP", cmd::PERFORM_DUMP),
        ("SNAP", cmd::PERFORM_DUMP),
    ];
    let Some((what, _)) = line.words.first() else {
        return "TXMMT0013I Type SHUTDOWN, STATISTICS or DUMP behind PERFORM.".into();
    };
    let Some((name, command)) = COMMANDS
        .iter()
        .find(|(name, _)| name.starts_with(what.as_str()))
    else {
        return format!("TXMMT0014E PERFORM {what} is not known");
    };
    let immediate = line
        .words
        .iter()
        .skip(1)
        .any(|(word, _)| "IMMEDIATE".starts_with(word.as_str()));
    let mut call = InternalCall::new(*command);
    if immediate && *name == "SHUTDOWN" {
        call = call.flag(opt::IMMEDIATE);
    }
    let call = session.ran(call);
    match call.response() {
        (Resp::NORMAL, _) => format!("TXMMT0015I PERFORM {name}: NORMAL"),
        (Resp::INVREQ, 0) => format!("TXMMT0005E PERFORM {name} is not available in this region"),
        (Resp::NOTAUTH, _) => format!("TXMMT0016E PERFORM {name}: NOT AUTHORIZED"),
        (resp, resp2) => format!("TXMMT0006E PERFORM {name}: {resp} {resp2}"),
    }
}
