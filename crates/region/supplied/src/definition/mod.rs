//! CEDA, CEDB and CEDC: resource definitions from a terminal.
//!
//! What changes definitions becomes a statement of the region's own deck; DISPLAY, VIEW, CHECK and
//! INSTALL read all decks. CEDB cannot install, CEDC only look. Reading order: here, `request`
//! (what a line means), `screen`. State between inputs: what the screen shows.

mod request;
mod screen;

use super::panel::{Key, Reply};
use super::session::Session;
use request::{Action, Power};
use screen::{Body, Entry, Shown};
use std::fmt;
use transom_messages::{self as messages, Message};
use transom_region_commands::ask_region;
use transom_types::Resp;
use transom_wire::definitions::request::{Request, Wanted};
use transom_workers::seam::Outcome;

/// Definitions of a list that are asked for at once.
const ROWS: usize = screen::KEPT_MAX - 100;

/// CEDA.
pub(super) fn all(session: &mut Session<'_>) -> Outcome {
    run(session, Power::Install)
}

/// CEDB.
pub(super) fn without_install(session: &mut Session<'_>) -> Outcome {
    run(session, Power::Change)
}

/// CEDC.
pub(super) fn view_only(session: &mut Session<'_>) -> Outcome {
    run(session, Power::View)
}

fn run(session: &mut Session<'_>, power: Power) -> Outcome {
    let reply = session.receive();
    let Some(mut shown) = session.state.take().as_deref().and_then(Shown::decode) else {
        let typed = session.typed(&reply);
        return execute(session, power, typed);
    };
    let size = session.screen();
    let page = screen::body_lines(size);
    let last = shown.count().saturating_sub(1);
    match reply.key {
        Key::Pf(3 | 15) | Key::Clear => return session.end(messages::am::ended()),
        Key::Pf(1 | 13) => shown = text(&shown.line, help()),
        Key::Pf(9 | 21) => shown = text(&shown.line, shown.messages),
        Key::Pf(7 | 19) => shown.top = shown.top.saturating_sub(page / 2),
        Key::Pf(8 | 20) => shown.top = (shown.top + page / 2).min(last),
        Key::Pf(10 | 22) => shown.top = shown.top.saturating_sub(page),
        Key::Pf(11 | 23) => shown.top = (shown.top + page).min(last),
        Key::Pf(12 | 24) => return execute(session, power, shown.line),
        _ => return enter(session, power, shown, &reply),
    }
    if !shown.covers(page) {
        turn(session, power, &mut shown);
    }
    screen::show(session, &shown)
}

/// Reads the part of the list that the screen wants.
fn turn(session: &mut Session<'_>, power: Power, shown: &mut Shown) {
    let Ok(Action::Rows(wanted)) = request::parse(&shown.line, power) else {
        return;
    };
    // As much before it as behind it: keys go both ways.
    let from = shown.top.saturating_sub(ROWS / 2);
    match entries(session, wanted, from) {
        Ok(body) => shown.body = body,
        Err(problem) => shown.messages = problem.lines(),
    }
    shown.top = shown.top.min(shown.count().saturating_sub(1));
}

/// ENTER: a new line, commands in a list, attributes typed over.
fn enter(session: &mut Session<'_>, power: Power, shown: Shown, reply: &Reply) -> Outcome {
    let size = session.screen();
    let typed = screen::typed_line(size, &shown, reply);
    if typed != shown.line {
        return execute(session, power, typed);
    }
    match &shown.body {
        Body::Rows { .. } => {
            let commands = screen::commands(size, &shown, reply);
            match commands.is_empty() {
                true => execute(session, power, shown.line),
                false => carry_out(session, power, shown, commands),
            }
        }
        Body::Sheet { open: true, .. } => {
            let changed = screen::overtyped(size, &shown, reply);
            alter(session, shown, &changed)
        }
        Body::Sheet { .. } => screen::show(session, &shown),
        Body::Lines(_) => execute(session, power, shown.line),
    }
}

fn text(line: &str, lines: Vec<String>) -> Shown {
    Shown {
        line: line.to_owned(),
        top: 0,
        body: Body::Lines(lines),
        messages: Vec::new(),
    }
}

/// Why nothing was done; several lines when several things are wrong with a definition.
enum Refusal {
    /// The line cannot be used.
    Line(Message),
    /// What the region says.
    Region(String),
}

impl From<Message> for Refusal {
    fn from(message: Message) -> Self {
        Self::Line(message)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Line(message) => message.fmt(f),
            Self::Region(text) => f.write_str(text),
        }
    }
}

impl Refusal {
    fn lines(&self) -> Vec<String> {
        self.to_string().lines().map(str::to_owned).collect()
    }
}

/// Asks the region; the error is what it says.
fn ask(session: &mut Session<'_>, request: &Request) -> Result<Vec<String>, Refusal> {
    let answer = ask_region(session.host, request);
    match answer.resp {
        Resp::NORMAL => {
            let text = String::from_utf8_lossy(&answer.data).into_owned();
            Ok(text.lines().map(str::to_owned).collect())
        }
        _ => Err(Refusal::Region(answer.text)),
    }
}

fn change(session: &mut Session<'_>, statement: String, verb: &str) -> Result<String, Refusal> {
    let user = session.executor.user().as_str().to_owned();
    ask(session, &Request::Change(statement, user))?;
    Ok(messages::am::successful(verb).to_string())
}

fn execute(session: &mut Session<'_>, power: Power, line: String) -> Outcome {
    let mut shown = text(&line, Vec::new());
    if line.trim().is_empty() {
        let choices = request::verbs(power);
        shown.body = Body::Lines(
            [screen::CHOOSE.to_owned()]
                .into_iter()
                .chain(choices)
                .collect(),
        );
        return screen::show(session, &shown);
    }
    match perform(session, &line, power) {
        Ok((body, message)) => {
            shown.body = body;
            shown.messages.extend(message);
        }
        Err(problem) => {
            let lines = problem.lines();
            match lines.len() {
                0 | 1 => shown.messages = lines,
                _ => shown.body = Body::Lines(lines),
            }
        }
    }
    screen::show(session, &shown)
}

/// Understands a line and does what it asks for; answers the body and a message.
fn perform(
    session: &mut Session<'_>,
    line: &str,
    power: Power,
) -> Result<(Body, Option<String>), Refusal> {
    act(session, request::parse(line, power)?)
}

fn act(session: &mut Session<'_>, action: Action) -> Result<(Body, Option<String>), Refusal> {
    match action {
        Action::Change(statement, verb) => {
            let message = change(session, statement, verb)?;
            Ok((Body::Lines(Vec::new()), Some(message)))
        }
        Action::Say(request) => Ok((Body::Lines(ask(session, &request)?), None)),
        Action::Rows(wanted) => Ok((entries(session, wanted, 0)?, None)),
        Action::Sheet {
            wanted,
            open,
            first,
        } => {
            let message = match first {
                Some((statement, verb)) => Some(change(session, statement, verb)?),
                None => None,
            };
            Ok((sheet(session, wanted, open)?, message))
        }
    }
}

/// A part of a list.
fn entries(session: &mut Session<'_>, wanted: Wanted, from: usize) -> Result<Body, Refusal> {
    let show = Request::Show {
        wanted,
        from,
        count: ROWS,
    };
    let lines = ask(session, &show)?;
    let (head, lines) = lines.split_first().map_or(("", &[][..]), |(h, l)| (h, l));
    let mut numbers = head.split(' ').map(|word| word.parse().unwrap_or(0));
    let (first, all) = (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0));
    let entry = |line: &String| {
        let mut words = line.split_whitespace();
        let mut next = || words.next().unwrap_or_default().to_owned();
        let (name, kind, group) = (next(), next(), next());
        let text = line.get(31..).unwrap_or_default().trim().to_owned();
        Entry {
            name,
            kind,
            group,
            text,
        }
    };
    let rows = lines.iter().map(entry).collect();
    Ok(Body::Rows { rows, first, all })
}

fn sheet(session: &mut Session<'_>, wanted: Wanted, open: bool) -> Result<Body, Refusal> {
    let mut entry = Entry {
        name: wanted.name.clone(),
        kind: wanted.kind.clone(),
        group: wanted.group.clone(),
        text: String::new(),
    };
    let mut values = Vec::new();
    for line in ask(session, &Request::Values(wanted))? {
        match line.split_once('=') {
            Some(("", name)) => name.clone_into(&mut entry.name),
            Some((keyword, value)) => values.push((keyword.to_owned(), value.to_owned())),
            None => {}
        }
    }
    Ok(Body::Sheet {
        entry,
        open,
        values,
    })
}

/// Attributes that were typed over become an ALTER.
fn alter(session: &mut Session<'_>, mut shown: Shown, changed: &[(&str, String)]) -> Outcome {
    shown.messages.clear();
    let Body::Sheet { entry, .. } = &shown.body else {
        return screen::show(session, &shown);
    };
    if changed.is_empty() {
        return screen::show(session, &shown);
    }
    let head = [
        format!("{}({})", entry.kind, entry.name),
        format!("GROUP({})", entry.group),
    ];
    let values = changed
        .iter()
        .map(|(keyword, value)| format!("{keyword}({value})"));
    let statement = request::rows("ALTER", head.into_iter().chain(values));
    let wanted = of(entry);
    let done = change(session, statement, "ALTER");
    match done.and_then(|message| Ok((message, sheet(session, wanted, true)?))) {
        Ok((message, body)) => {
            shown.messages.push(message);
            shown.body = body;
        }
        Err(problem) => shown.messages = problem.lines(),
    }
    screen::show(session, &shown)
}

fn of(entry: &Entry) -> Wanted {
    Wanted {
        kind: entry.kind.clone(),
        name: entry.name.clone(),
        group: entry.group.clone(),
        list: String::new(),
    }
}

/// Commands typed behind entries, from the top; one that shows a definition ends them.
fn carry_out(
    session: &mut Session<'_>,
    power: Power,
    mut shown: Shown,
    commands: Vec<(usize, String)>,
) -> Outcome {
    shown.messages.clear();
    for (at, command) in commands {
        let Body::Rows { rows, first, .. } = &shown.body else {
            break;
        };
        let Some(at) = at.checked_sub(*first) else {
            continue;
        };
        let Some(entry) = rows.get(at).cloned() else {
            continue;
        };
        let (verb, rest) = command.split_once(' ').unwrap_or((&command, ""));
        let line = format!(
            "{verb} {}({}) GROUP({}) {rest}",
            entry.kind, entry.name, entry.group
        );
        let done = perform(session, line.trim(), power);
        let note = match done {
            Ok((body @ Body::Sheet { .. }, message)) => {
                shown.body = body;
                shown.top = 0;
                shown.messages.extend(message);
                break;
            }
            Ok((Body::Lines(lines), message)) => message.or(lines.into_iter().next()),
            Ok((Body::Rows { .. }, _)) => None,
            Err(problem) => {
                shown.messages.push(problem.to_string());
                Some(problem.to_string())
            }
        };
        if let (Body::Rows { rows, .. }, Some(note)) = (&mut shown.body, note)
            && let Some(entry) = rows.get_mut(at)
        {
            let (_, words) = note.split_once("TXMAM").unwrap_or(("", &note));
            let words = words.split_once(' ').map_or(words, |(_, words)| words);
            entry.text = format!("* {words}");
        }
    }
    screen::show(session, &shown)
}

fn help() -> Vec<String> {
    [
        "DEFINE kind(name) GROUP(g) ...  then type over the attributes",
        "ALTER, VIEW kind(name) GROUP(g) the attributes of a definition",
        "DISPLAY GROUP(g*)               a list; type ALTER, VIEW, DELETE, INSTALL, COPY AS(..)",
        "                                MOVE TO(..) or CHECK behind a definition",
        "COPY, RENAME AS(..), MOVE TO(..), DELETE, CHECK kind(name) GROUP(g)",
        "INSTALL kind(name) GROUP(g), INSTALL GROUP(g), INSTALL LIST(l)",
        "ADD, REMOVE GROUP(g) LIST(l); APPEND LIST(a) TO(b); DISPLAY LIST(l*)",
        "LOCK, UNLOCK GROUP(g)           nobody else changes it in between",
        "",
        "PF12 goes back to the list. What is changed stands in csd/local.csd.",
    ]
    .map(str::to_owned)
    .into()
}
