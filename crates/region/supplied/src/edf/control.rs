//! CEDF, CEDX, CEDG and CEDY: EDF on and off, and the displays of a task elsewhere.
//!
//! What: `CEDF`, `CEDF TTTT`, `CEDF TTTT,OFF`, `CEDX TRAN`, and the same with CEDG and CEDY, which
//! change nothing. The task that is debugged starts CEDF itself where its displays shall appear:
//! then CEDF shows them until the task has no more. Not here: the displays.

use crate::call::InternalCall;
use crate::session::Session;
use transom_commands::{cmd, opt};
use transom_messages::{Message, ed};
use transom_region_commands::ask_region;
use transom_types::{Resp, TermId, TransId};
use transom_wire::definitions::{ProgramEntry, TaskEntry, TerminalEntry, TransactionEntry};
use transom_wire::edf::{Pressed, SESSIONS_MAX, Session as Debugs, Target};
use transom_wire::terminal::{Asked, Request};
use transom_workers::seam::{Outcome, Waited};

/// Between two looks whether the debugged task still runs.
const LOOK_MS: u64 = 1_000;
/// Most bytes a display can send back.
const INPUT_BYTES_MAX: usize = 8_192;
/// Bytes of a target's name.
const TARGET_BYTES: usize = 16;

/// CEDF.
pub(crate) fn terminal(session: &mut Session<'_>) -> Outcome {
    match started_for(session) {
        Some(target) => displays(session, target),
        None => switch(session, false, at_terminal),
    }
}

/// CEDG.
pub(crate) fn terminal_read_only(session: &mut Session<'_>) -> Outcome {
    switch(session, true, at_terminal)
}

/// CEDX.
pub(crate) fn transaction(session: &mut Session<'_>) -> Outcome {
    switch(session, false, of_transaction)
}

/// CEDY.
pub(crate) fn transaction_read_only(session: &mut Session<'_>) -> Outcome {
    switch(session, true, of_transaction)
}

/// What a name stands for, with the words for it.
type Find = fn(&mut Session<'_>, &str) -> Result<(Target, String), Message>;

fn switch(session: &mut Session<'_>, read_only: bool, find: Find) -> Outcome {
    let reply = session.receive();
    let typed = session.typed(&reply).to_ascii_uppercase();
    match switched(session, &typed, read_only, find) {
        Ok(text) | Err(text) => session.end(text),
    }
}

fn switched(
    session: &mut Session<'_>,
    typed: &str,
    read_only: bool,
    find: Find,
) -> Result<Message, Message> {
    let mut words = typed.split([',', ' ']).filter(|word| !word.is_empty());
    let (mut name, mut state) = (words.next().unwrap_or_default(), words.next());
    if state.is_none() && matches!(name, "ON" | "OFF") {
        (name, state) = ("", Some(name));
    }
    let unknown = |session: &mut Session<'_>| {
        let transid = session.transid();
        ed::operand_unknown(typed, transid)
    };
    if words.next().is_some() {
        return Err(unknown(session));
    }
    let on = match state {
        None | Some("ON") => true,
        Some("OFF") => false,
        Some(_) => return Err(unknown(session)),
    };
    let (target, what) = find(session, name)?;
    if !on {
        target.end(session.host.shared());
        return Ok(ed::switched_off(&what));
    }
    let debugs = Debugs {
        terminal: session.terminal(),
        user: session.executor.user(),
        read_only,
    };
    let other = target.session(session.host.shared());
    if let Some(other) = other.filter(|other| other.terminal != debugs.terminal) {
        return Err(ed::taken(&what, other.terminal));
    }
    match target.begin(session.host.shared(), &debugs) {
        true => Ok(ed::switched_on(&what)),
        false => Err(ed::sessions_full(SESSIONS_MAX)),
    }
}

fn at_terminal(session: &mut Session<'_>, name: &str) -> Result<(Target, String), Message> {
    let own = session.terminal();
    if name.is_empty() || TermId::from_field(name.as_bytes()) == own {
        return Ok((Target::Terminal(own), "THIS TERMINAL".to_owned()));
    }
    if name.len() > 4 {
        return Err(ed::terminal_unknown(name));
    }
    let request = Asked {
        own: TermId::BLANK,
        request: Request::Inquire(TermId::from_field(name.as_bytes())),
    };
    let answer = ask_region(session.host, &request);
    let entry = TerminalEntry::decode(&answer.data).filter(|_| answer.resp == Resp::NORMAL);
    match entry {
        Some(entry) if entry.is_acquired() && !entry.kind.is_printer() => {
            let terminal = TermId::from_field(name.as_bytes());
            Ok((Target::Terminal(terminal), format!("TERMINAL {name}")))
        }
        _ => Err(ed::terminal_unknown(name)),
    }
}

fn of_transaction(session: &mut Session<'_>, name: &str) -> Result<(Target, String), Message> {
    if name.is_empty() {
        let transid = session.transid();
        return Err(ed::operand_unknown(name, transid));
    }
    let transid = TransId::from_field(name.as_bytes());
    let shared = session.host.shared();
    let entry = TransactionEntry::find(shared, transid).filter(|_| name.len() <= 4);
    let Some(entry) = entry else {
        return Err(ed::transaction_unknown(name));
    };
    let program = ProgramEntry::find(shared, entry.program);
    if program.is_some_and(|program| program.module().is_supplied()) {
        return Err(ed::is_supplied(name));
    }
    Ok((Target::Transaction(transid), format!("TRANSACTION {name}")))
}

/// What a debugged task started CEDF for; `None`: a user did.
fn started_for(session: &mut Session<'_>) -> Option<Target> {
    let call = InternalCall::new(cmd::RETRIEVE)
        .out_bytes(opt::INTO, TARGET_BYTES)
        .number(opt::LENGTH, TARGET_BYTES as i64);
    let call = session.ran(call);
    if !call.is_normal() {
        return None;
    }
    let length = usize::try_from(call.got_number(opt::LENGTH)).unwrap_or(0);
    let into = call.arguments().first()?;
    Target::decode(into.storage.get(..length)?)
}

/// Shows the displays of a task until it has no more.
fn displays(session: &mut Session<'_>, target: Target) -> Outcome {
    let own = session.executor.task_number();
    let terminal = session.terminal();
    let debugs = target.session(session.host.shared());
    let mine = debugs.is_some_and(|debugs| debugs.terminal == terminal);
    let taken = target.display_task(session.host.shared());
    let runs = taken != 0 && TaskEntry::find(session.host.shared(), taken).is_some();
    if !mine || runs || !target.attend(session.host.shared(), own) {
        return Outcome::Return;
    }
    let gone = show_all(session, target, own);
    target.leave(session.host.shared(), own);
    let task = target.task(session.host.shared());
    if gone {
        target.end(session.host.shared());
        if task != 0 {
            session.host.post(task);
        }
        return Outcome::Return;
    }
    let what = match target {
        Target::Terminal(name) => format!("TERMINAL {name}"),
        Target::Transaction(name) => format!("TRANSACTION {name}"),
    };
    match target.session(session.host.shared()) {
        // The next task of it starts CEDF again.
        Some(_) => session.end(ed::switched_on(what)),
        None => session.end(ed::switched_off(what)),
    }
}

/// `true`: the terminal is gone.
fn show_all(session: &mut Session<'_>, target: Target, own: u32) -> bool {
    let mut shown = 0;
    loop {
        let shared = session.host.shared();
        let task = target.task(shared);
        let runs = task != 0 && TaskEntry::find(shared, task).is_some();
        if !runs || target.display_task(shared) != own {
            return false;
        }
        match target
            .display(shared)
            .filter(|display| display.number != shown)
        {
            Some(display) => {
                shown = display.number;
                let stream = (display.control, display.stream.as_slice());
                let Some(pressed) = show(session, stream, shown) else {
                    return true;
                };
                let shared = session.host.shared();
                // The task may have ended meanwhile, and another one begun.
                if target.task(shared) != task || target.display_task(shared) != own {
                    return false;
                }
                if !target.press(shared, &pressed) {
                    return true;
                }
                session.host.post(task);
            }
            None => {
                if let Waited::Purged(_) = session.host.wait(Some(LOOK_MS)) {
                    return true;
                }
            }
        }
    }
}

/// One display and its key; `None`: the terminal is gone.
fn show(session: &mut Session<'_>, (control, stream): (u8, &[u8]), number: u32) -> Option<Pressed> {
    let mut send = InternalCall::new(cmd::SEND)
        .text(opt::FROM, stream)
        .flag(opt::ERASE)
        .flag(opt::DEFAULT)
        .text(opt::CTLCHAR, [control]);
    session.run(&mut send);
    let mut receive = InternalCall::new(cmd::RECEIVE)
        .out_bytes(opt::INTO, INPUT_BYTES_MAX)
        .number(opt::LENGTH, INPUT_BYTES_MAX as i64)
        .flag(opt::ASIS);
    session.run(&mut receive);
    if !send.is_normal() || !receive.is_normal() {
        return None;
    }
    let length = usize::try_from(receive.got_number(opt::LENGTH)).unwrap_or(0);
    let data = receive.arguments().first()?.storage.get(..length)?.to_vec();
    let (aid, cursor) = transom_region_commands::eib::input(session.host.eib_mut());
    Some(Pressed {
        number,
        aid,
        cursor,
        data,
    })
}
