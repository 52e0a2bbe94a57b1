//! A stopped task and who debugs it: displays and keys until the task goes on.
//!
//! Not here: where tasks stop (`mod`), panels (`page`), terminals (`screen`).

use super::keys::{self, Function, Functions};
use super::lost::Lost;
use super::page::{BODY_ROWS, Kind, MESSAGE_ROW, Page, eib_rows, header};
use super::statement::Change;
use super::storage;
use super::task::Task;
use crate::panel::{Panel, Reply};
use transom_messages::{Message, ed};
use transom_region_commands::{Statement, Stopped};
use transom_types::{AbendCode, Resp};

/// How the task goes on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Step {
    GoOn,
    Skip,
    Respond(Resp),
    Abend(AbendCode),
    /// EDF is over for the terminal or transaction.
    End,
}

/// What has been typed over at a display, as it stands now.
struct Typed {
    /// NOOP.
    skipped: bool,
    resp: Option<Resp>,
}

/// Shows a display until the task shall go on.
pub(super) fn converse(
    task: &mut Task,
    at: &mut Stopped<'_>,
    page: &mut Page,
    mut statement: Option<&mut Statement<'_>>,
) -> Result<Step, Lost> {
    let mut typed = Typed {
        skipped: false,
        resp: page.resp,
    };
    loop {
        page.resp = typed.resp;
        let panel = page.panel((task.hex, !task.session.read_only), at, typed.skipped);
        let reply = task.screen.show(at, &panel)?;
        page.message.clear();
        let input = (&panel, &reply);
        let changed = match typed_over(task, at, page, statement.as_deref_mut(), input, &mut typed)
        {
            Ok(changed) => changed,
            Err(message) => {
                page.message = message.to_string();
                continue;
            }
        };
        match keys::function(reply.key, page.functions()) {
            None => {}
            // What was changed is shown before it counts.
            Some(Function::GoOn) if changed => {}
            Some(Function::GoOn) if page.reply.is_some() => match again(&panel, &reply) {
                Some(step) => return Ok(step),
                None => page.message = ed::no_value("REPLY").to_string(),
            },
            Some(function @ (Function::GoOn | Function::Suppress)) => {
                task.suppressed |= function == Function::Suppress;
                return Ok(typed.step(page, at));
            }
            Some(Function::End) => return Ok(Step::End),
            Some(Function::Abend) => {
                if let Some(code) = abend(task, page, &panel, &reply) {
                    return Ok(Step::Abend(code));
                }
            }
            Some(other) => {
                elsewhere(task, at, page, other)?;
                if let (Some(statement), Some(shown)) = (&statement, &mut page.shown) {
                    // Storage may have been changed.
                    shown.retake(at.host, statement, &task.edited);
                }
            }
        }
    }
}

/// CONTINUE EDF? as it was answered.
fn again(panel: &Panel, reply: &Reply) -> Option<Step> {
    let typed = panel.read(reply, "REPLY").unwrap_or_default();
    match typed.trim().to_ascii_uppercase().as_str() {
        "YES" | "Y" => Some(Step::GoOn),
        "NO" | "N" => Some(Step::End),
        _ => None,
    }
}

impl Typed {
    fn step(&self, page: &Page, at: &mut Stopped<'_>) -> Step {
        match (self.skipped, self.resp) {
            (true, _) => Step::Skip,
            (false, Some(new)) if Some(new) != first_resp(page, at) => Step::Respond(new),
            _ => Step::GoOn,
        }
    }
}

/// Takes over what was typed; answers whether something was.
fn typed_over(
    task: &mut Task,
    at: &mut Stopped<'_>,
    page: &mut Page,
    statement: Option<&mut Statement<'_>>,
    (panel, reply): (&Panel, &Reply),
    typed: &mut Typed,
) -> Result<bool, Message> {
    let changed = match statement {
        Some(statement) => values(task, at, page, (statement, panel, reply))?,
        None => false,
    };
    let verb = verb(page, panel, reply, &mut typed.skipped);
    let answered = response(page, panel, reply, &mut typed.resp)?;
    Ok(changed || verb || answered)
}

/// What the command answered by itself.
fn first_resp(page: &Page, at: &mut Stopped<'_>) -> Option<Resp> {
    let (_, (resp, _)) = transom_region_commands::eib::outcome(at.host.eib_mut());
    (page.kind == Kind::After).then_some(resp)
}

/// Values typed over; answers whether some were.
fn values(
    task: &mut Task,
    at: &mut Stopped<'_>,
    page: &mut Page,
    (statement, panel, reply): (&mut Statement<'_>, &Panel, &Reply),
) -> Result<bool, Message> {
    let hex = task.hex;
    let rows = page.body(hex);
    let (Some(shown), Statement::Command(call)) = (&mut page.shown, statement) else {
        return Ok(false);
    };
    if task.session.read_only {
        return Ok(false);
    }
    let mut changed = false;
    for (n, value) in rows.into_iter().filter_map(|row| row.value) {
        let typed = panel.read(reply, &format!("ARG{n}"));
        let Some(typed) = typed.filter(|typed| typed.trim_end() != value.trim_end()) else {
            continue;
        };
        changed = true;
        let program = at.task.program();
        match shown.change((&mut *at.host, program), &mut **call, (n, &typed, hex)) {
            Change::Done => {}
            Change::NoValue(keyword) => return Err(ed::no_value(keyword)),
            // What a command has answered lies in storage of the program or nowhere.
            Change::Constant(..) if page.kind != Kind::Before => {}
            Change::Constant(option, value) => {
                task.edited.retain(|(known, _)| *known != option);
                task.edited.push((option, value));
            }
        }
    }
    Ok(changed)
}

/// NOOP typed over the verb, or its row erased; the verb itself brings the command back.
fn verb(page: &Page, panel: &Panel, reply: &Reply, skipped: &mut bool) -> bool {
    let (Kind::Before, Some(shown)) = (page.kind, &page.shown) else {
        return false;
    };
    // An erased field comes back without characters.
    let Some(typed) = panel.read(reply, "VERB") else {
        return false;
    };
    let first = typed.split_whitespace().next().unwrap_or_default();
    let first = first.to_ascii_uppercase();
    let is_noop = first == "NOOP" || first == "NOP";
    let next = match (*skipped, typed.trim().is_empty()) {
        (true, true) => false,
        (false, true) => true,
        _ => is_noop,
    };
    let same = typed.trim_end() == shown.verb.trim_end();
    std::mem::replace(skipped, next && !same) != (next && !same)
}

/// RESPONSE typed over; answers whether it was.
fn response(
    page: &Page,
    panel: &Panel,
    reply: &Reply,
    resp: &mut Option<Resp>,
) -> Result<bool, Message> {
    let typed = panel.read(reply, "RESPONSE").filter(|_| page.responds);
    let Some(typed) = typed else {
        return Ok(false);
    };
    let typed = typed.trim().to_ascii_uppercase();
    let new = Resp::by_name(&typed).ok_or_else(|| ed::no_condition(&typed))?;
    Ok(resp.replace(new) != Some(new))
}

/// PF12: the code, once it was asked for.
fn abend(task: &Task, page: &mut Page, panel: &Panel, reply: &Reply) -> Option<AbendCode> {
    if task.session.read_only {
        page.message = ed::read_only().to_string();
        return None;
    }
    let typed = panel.read(reply, "CODE").unwrap_or_default();
    let typed = typed.trim().to_ascii_uppercase();
    if !std::mem::replace(&mut page.asks_code, true) || typed.is_empty() {
        page.message = ed::abend_wanted().to_string();
        return None;
    }
    if typed.starts_with('A') || !typed.chars().all(|c| c.is_ascii_alphanumeric()) {
        page.message = ed::abend_code_refused(&typed).to_string();
        return None;
    }
    Some(AbendCode::from_field(format!("{typed:4}").as_bytes()))
}

/// Keys after which the task stays where it is.
fn elsewhere(
    task: &mut Task,
    at: &mut Stopped<'_>,
    page: &mut Page,
    function: Function,
) -> Result<(), Lost> {
    match function {
        Function::Hex => task.hex = !task.hex,
        Function::Back => page.top = page.top.saturating_sub(BODY_ROWS),
        Function::Forward if page.top + BODY_ROWS < page.body(task.hex).len() => {
            page.top += BODY_ROWS;
        }
        Function::Forward => {}
        Function::UserDisplay => {
            if !task.screen.user_display(at)? {
                page.message = ed::no_user_display().to_string();
            }
        }
        Function::Storage => working_storage(task, at)?,
        Function::Eib => eib(task, at)?,
        Function::Conditions => stop_conditions(task, at)?,
        Function::Previous => page.message = earlier(task, at)?,
        _ => page.message = ed::key_undefined().to_string(),
    }
    Ok(())
}

fn working_storage(task: &mut Task, at: &mut Stopped<'_>) -> Result<(), Lost> {
    let mut view = storage::View::of(at);
    let mut message = match view.is_empty() {
        true => ed::storage_absent().to_string(),
        false => String::new(),
    };
    loop {
        let panel = view.panel(at, task.session.read_only, &message);
        let reply = task.screen.show(at, &panel)?;
        message.clear();
        let changed = match view.read(at, &panel, &reply) {
            Ok(changed) => changed,
            Err(refused) => {
                message = refused.to_string();
                continue;
            }
        };
        let rows = storage::ROWS as i64;
        match keys::function(reply.key, &keys::STORAGE) {
            Some(Function::GoOn) if !changed => return Ok(()),
            Some(Function::BackHalf) => view.scroll(-rows / 2),
            Some(Function::ForwardHalf) => view.scroll(rows / 2),
            Some(Function::BackFull) => view.scroll(-rows),
            Some(Function::ForwardFull) => view.scroll(rows),
            other => message = beside(task, at, (other, &keys::STORAGE), &panel)?,
        }
    }
}

fn eib(task: &mut Task, at: &mut Stopped<'_>) -> Result<(), Lost> {
    let mut message = String::new();
    loop {
        let mut panel = header(at, at.task.program(), 0);
        panel.bright(2, 2, "EXEC INTERFACE BLOCK");
        for (n, row) in eib_rows(at.host.eib_mut()).into_iter().enumerate() {
            panel.text(3 + n, 2, row);
        }
        panel.bright(MESSAGE_ROW, 2, &message);
        keys::show(&mut panel, "CURRENT DISPLAY", &keys::EIB);
        let reply = task.screen.show(at, &panel)?;
        match keys::function(reply.key, &keys::EIB) {
            Some(Function::GoOn) => return Ok(()),
            other => message = beside(task, at, (other, &keys::EIB), &panel)?,
        }
    }
}

fn stop_conditions(task: &mut Task, at: &mut Stopped<'_>) -> Result<(), Lost> {
    let mut message = String::new();
    loop {
        let panel = task.conditions.panel(at, &message);
        let reply = task.screen.show(at, &panel)?;
        message.clear();
        if let Err(refused) = task.conditions.read(&panel, &reply) {
            message = refused.to_string();
            continue;
        }
        match keys::function(reply.key, &keys::CONDITIONS) {
            Some(Function::GoOn) => return Ok(()),
            // From the display it came from on.
            Some(Function::Suppress) => {
                task.suppressed = true;
                return Ok(());
            }
            other => message = beside(task, at, (other, &keys::CONDITIONS), &panel)?,
        }
    }
}

/// Keys that several displays have; answers the message.
fn beside(
    task: &mut Task,
    at: &mut Stopped<'_>,
    (function, functions): (Option<Function>, &Functions),
    panel: &Panel,
) -> Result<String, Lost> {
    let function = function.filter(|function| functions.contains(function));
    Ok(match function {
        None => String::new(),
        Some(Function::UserDisplay) => match task.screen.user_display(at)? {
            true => String::new(),
            false => ed::no_user_display().to_string(),
        },
        Some(Function::Storage) => {
            working_storage(task, at)?;
            String::new()
        }
        Some(Function::Eib) => {
            eib(task, at)?;
            String::new()
        }
        Some(Function::Remember) => {
            task.remember(panel.rows(2..MESSAGE_ROW));
            ed::remembered().to_string()
        }
        Some(_) => ed::key_undefined().to_string(),
    })
}

/// Displays that were; answers the message for the current one.
fn earlier(task: &mut Task, at: &mut Stopped<'_>) -> Result<String, Lost> {
    if task.remembered.is_empty() {
        return Ok(ed::nothing_earlier().to_string());
    }
    let (mut back, mut message) = (1, String::new());
    loop {
        let mut panel = header(at, at.task.program(), back);
        let rows = task.remembered.get(task.remembered.len() - back);
        for (n, row) in rows.into_iter().flatten().enumerate() {
            panel.text(2 + n, 2, row);
        }
        panel.bright(MESSAGE_ROW, 2, &message);
        keys::show(&mut panel, "CURRENT DISPLAY", &keys::REMEMBERED);
        let reply = task.screen.show(at, &panel)?;
        message.clear();
        match keys::function(reply.key, &keys::REMEMBERED) {
            Some(Function::GoOn) => return Ok(String::new()),
            Some(Function::Previous) if back < task.remembered.len() => back += 1,
            Some(Function::Previous) => message = ed::nothing_earlier().to_string(),
            Some(Function::Next) if back > 1 => back -= 1,
            Some(Function::Next) => message = ed::nothing_later().to_string(),
            other => message = beside(task, at, (other, &keys::REMEMBERED), &panel)?,
        }
    }
}
