//! CETR: switches internal and auxiliary trace, and components.
//!
//! What: two panels, what is traced and the components; what is typed becomes SET TRACEDEST,
//! TRACEFLAG and TRACETYPE, so it is done with the user's authority. The state between inputs is
//! which panel is shown. Not here: special tracing and exit tracing, which do not exist.

use super::call::InternalCall;
use super::panel::{Key, Panel, Reply};
use super::session::Session;
use transom_commands::{CommandId, OptionId, cmd, opt};
use transom_messages::{self as messages, Message};
use transom_trace::{COMPONENTS, Component};
use transom_types::Resp;
use transom_workers::seam::Outcome;

/// The state of the first panel, and of that of the components.
const SWITCHES: &[u8] = b"S";
const TYPES: &[u8] = b"T";
/// Component levels as typed.
const LEVEL: &str = "1";
const OFF: &str = "OFF";

/// A row of the first panel.
struct Field {
    name: &'static str,
    title: &'static str,
    /// The command that sets it, its option, and that of INQUIRE.
    set: CommandId,
    inquire: CommandId,
    option: OptionId,
    /// What is shown, and the value of CICS.
    choices: &'static [(&'static str, &'static str)],
    hint: &'static str,
}

#[rustfmt::skip]
const FIELDS: &[Field] = &[
    Field { name: "INT", title: "Internal Trace Status", set: cmd::SET_TRACEDEST, inquire: cmd::INQUIRE_TRACEDEST,
        option: opt::INTSTATUS, choices: &[("STARTED", "INTSTART"), ("STOPPED", "INTSTOP")], hint: "STArted, STOpped" },
    Field { name: "AUX", title: "Auxiliary Trace Status", set: cmd::SET_TRACEDEST, inquire: cmd::INQUIRE_TRACEDEST,
        option: opt::AUXSTATUS, choices: &[("STARTED", "AUXSTART"), ("STOPPED", "AUXSTOP"), ("PAUSED", "AUXPAUSE")],
        hint: "STArted, STOpped, Paused" },
    Field { name: "SET", title: "Auxiliary Trace Data Set", set: cmd::SET_TRACEDEST, inquire: cmd::INQUIRE_TRACEDEST,
        option: opt::CURAUXDS, choices: &[("A", "A"), ("B", "B")], hint: "A, B" },
    Field { name: "SWITCH", title: "Auxiliary Switch Status", set: cmd::SET_TRACEDEST, inquire: cmd::INQUIRE_TRACEDEST,
        option: opt::SWITCHSTATUS, choices: &[("NO", "NOSWITCH"), ("NEXT", "SWITCHNEXT"), ("ALL", "SWITCHALL")],
        hint: "NO, NExt, All" },
    Field { name: "SYSTEM", title: "Main System Trace Flag", set: cmd::SET_TRACEFLAG, inquire: cmd::INQUIRE_TRACEFLAG,
        option: opt::SYSTEMSTATUS, choices: &[("ON", "SYSTEMON"), ("OFF", "SYSTEMOFF")], hint: "ON, OFf" },
    Field { name: "USER", title: "Main User Trace Flag", set: cmd::SET_TRACEFLAG, inquire: cmd::INQUIRE_TRACEFLAG,
        option: opt::USERSTATUS, choices: &[("ON", "USERON"), ("OFF", "USEROFF")], hint: "ON, OFf" },
];

/// The option of TRACETYPE for each component.
#[rustfmt::skip]
const TYPE_OPTIONS: &[OptionId] = &[
    opt::AP, opt::DS, opt::EI, opt::FC, opt::IC, opt::IS, opt::LG, opt::PG,
    opt::RI, opt::RM, opt::SH, opt::TC, opt::TD, opt::TS, opt::US, opt::XM,
];

/// CETR.
pub(super) fn run(session: &mut Session<'_>) -> Outcome {
    let reply = session.receive();
    let Some(state) = session.state.take() else {
        return show(session, SWITCHES, None);
    };
    match (reply.key, state == TYPES) {
        (Key::Pf(3 | 15), true) => show(session, SWITCHES, None),
        (Key::Pf(3 | 15) | Key::Clear, _) => session.end(messages::mt::trace_ended()),
        (Key::Pf(4 | 16), _) => show(session, TYPES, None),
        (Key::Enter, false) => {
            let done = switches(session, &reply);
            show(session, SWITCHES, Some(done))
        }
        (Key::Enter, true) => {
            let done = types(session, &reply);
            show(session, TYPES, Some(done))
        }
        _ => show(session, &state, Some(messages::ce::key_without_meaning())),
    }
}

fn show(session: &mut Session<'_>, state: &[u8], said: Option<Message>) -> Outcome {
    let panel = match (state == TYPES, facts(session, state)) {
        (true, Ok(now)) => types_panel(&now, said),
        (false, Ok(now)) => switches_panel(&now, said),
        (_, Err(refused)) => return session.end(refused),
    };
    session.show(&panel);
    session.again(state)
}

/// What is so now, as the fields show it.
fn facts(session: &mut Session<'_>, state: &[u8]) -> Result<Vec<String>, Message> {
    if state == TYPES {
        let mut call = InternalCall::new(cmd::INQUIRE_TRACETYPE).flag(opt::STANDARD);
        for option in TYPE_OPTIONS {
            call = call.out(*option);
        }
        session.run(&mut call);
        normal(&call)?;
        let level = |option: &OptionId| {
            let bytes = call.arguments().iter().find(|a| a.option == *option);
            let first = bytes.and_then(|a| a.storage.first()).copied();
            let on = first.is_some_and(|level| level & 0x80 != 0);
            if on { LEVEL } else { OFF }.to_owned()
        };
        return Ok(TYPE_OPTIONS.iter().map(level).collect());
    }
    let mut values = Vec::new();
    for field in FIELDS {
        let mut call = InternalCall::new(field.inquire).out(field.option);
        session.run(&mut call);
        normal(&call)?;
        values.push(match field.option {
            opt::CURAUXDS => call.got_text(field.option),
            option => {
                let value = call.got_cvda(option);
                let known = field.choices.iter().find(|choice| choice.1 == value);
                known.map_or(value, |choice| choice.0).to_owned()
            }
        });
    }
    Ok(values)
}

fn normal(call: &InternalCall) -> Result<(), Message> {
    match call.response() {
        (Resp::NORMAL, _) => Ok(()),
        (resp, resp2) => Err(messages::mt::trace_refused(resp, resp2)),
    }
}

/// Sets what differs from what is so.
fn switches(session: &mut Session<'_>, reply: &Reply) -> Message {
    let now = match facts(session, SWITCHES) {
        Ok(now) => now,
        Err(refused) => return refused,
    };
    let panel = switches_panel(&now, None);
    let mut wanted = Vec::new();
    for (field, now) in FIELDS.iter().zip(&now) {
        let Some(typed) = panel.read(reply, field.name) else {
            continue;
        };
        match choice(field, &typed) {
            Some(choice) if choice.0 == now => {}
            Some(choice) => wanted.push((field, choice.1)),
            None => return messages::mt::trace_choice(field.title, &typed, field.hint),
        }
    }
    for (field, value) in wanted {
        let call = InternalCall::new(field.set);
        let mut call = match field.option {
            opt::CURAUXDS => call.flag(opt::SWITCH),
            option => call.cvda(option, value),
        };
        session.run(&mut call);
        if let Err(refused) = normal(&call) {
            return refused;
        }
    }
    messages::mt::trace_set()
}

/// The choice that begins so, if it is one alone.
fn choice(field: &Field, typed: &str) -> Option<&'static (&'static str, &'static str)> {
    let typed = typed.trim().to_ascii_uppercase();
    let mut fitting = field
        .choices
        .iter()
        .filter(|choice| choice.0.starts_with(&typed));
    let exact = field.choices.iter().find(|choice| choice.0 == typed);
    let first = fitting.next().filter(|_| !typed.is_empty())?;
    exact.or(fitting.next().is_none().then_some(first))
}

fn types(session: &mut Session<'_>, reply: &Reply) -> Message {
    let now = match facts(session, TYPES) {
        Ok(now) => now,
        Err(refused) => return refused,
    };
    let panel = types_panel(&now, None);
    let mut call = InternalCall::new(cmd::SET_TRACETYPE).flag(opt::STANDARD);
    for (component, option) in Component::all().zip(TYPE_OPTIONS) {
        let Some(typed) = panel.read(reply, component.code()) else {
            continue;
        };
        let level = match typed.trim().to_ascii_uppercase().as_str() {
            LEVEL => 0x80,
            OFF => 0,
            other => return messages::mt::trace_choice(component.code(), other, "1, OFF"),
        };
        call = call.text(*option, [level, 0, 0, 0]);
    }
    session.run(&mut call);
    normal(&call).map_or_else(|refused| refused, |()| messages::mt::trace_set())
}

fn switches_panel(now: &[String], said: Option<Message>) -> Panel {
    let mut panel = Panel::new();
    panel
        .text(1, 2, "CETR")
        .bright(1, 26, "CICS Trace Control Facility")
        .text(3, 2, "Type in your choices.")
        .text(5, 2, "Item")
        .text(5, 36, "Choice")
        .text(5, 49, "Possible choices");
    for (number, (field, now)) in FIELDS.iter().zip(now).enumerate() {
        let row = 7 + number + usize::from(number > 0) + usize::from(number > 3);
        panel
            .text(row, 2, field.title)
            .text(row, 31, "===>")
            .input(field.name, (row, 36), 8, now)
            .text(row, 49, field.hint);
    }
    panel.text(18, 2, "When finished, press ENTER.");
    end(&mut panel, said, "PF3=Quit  PF4=Components")
}

fn types_panel(now: &[String], said: Option<Message>) -> Panel {
    let mut panel = Panel::new();
    panel
        .text(1, 2, "CETR")
        .bright(1, 26, "Component Trace Options")
        .text(
            3,
            2,
            "Type 1 for the standard trace of a component, OFF for none.",
        );
    for (number, (component, now)) in Component::all().zip(now).enumerate() {
        let row = 5 + number;
        let title = COMPONENTS.get(number).map_or("", |row| row.1);
        panel
            .text(row, 2, component.code())
            .text(row, 6, title)
            .text(row, 36, "===>")
            .input(component.code(), (row, 41), 3, now);
    }
    end(&mut panel, said, "PF3=Back  ENTER=Change")
}

fn end(panel: &mut Panel, said: Option<Message>, keys: &str) -> Panel {
    if let Some(said) = said {
        panel.bright(23, 2, said.line());
    }
    panel.text(24, 2, keys);
    panel.clone()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_is_known_by_its_first_characters() {
        let field = |name: &str| FIELDS.iter().find(|field| field.name == name).unwrap();
        let chosen = |name: &str, typed: &str| choice(field(name), typed).map(|choice| choice.1);
        assert_eq!(chosen("AUX", "sta"), Some("AUXSTART"));
        assert_eq!(chosen("AUX", "P"), Some("AUXPAUSE"));
        assert_eq!(chosen("AUX", "ST"), None);
        assert_eq!(chosen("SWITCH", "N"), None);
        assert_eq!(chosen("SWITCH", "NO"), Some("NOSWITCH"));
        assert_eq!((chosen("USER", ""), chosen("USER", "X")), (None, None));
    }

    #[test]
    fn options_stand_in_the_order_of_components() {
        let row = transom_commands::command(cmd::SET_TRACETYPE).unwrap();
        assert_eq!(TYPE_OPTIONS.len(), COMPONENTS.len());
        for (option, component) in TYPE_OPTIONS.iter().zip(Component::all()) {
            let spec = row.option_by_id(*option).unwrap();
            assert_eq!(spec.keyword, component.code());
        }
    }
}
