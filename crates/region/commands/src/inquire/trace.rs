//! EXEC CICS INQUIRE and SET TRACEDEST, TRACEFLAG and TRACETYPE.
//!
//! What is constant or refused stands in the command table: there is no GTF, no special tracing, no
//! exit tracing of the network, and the size of the table is fixed. SINGLESTATUS is the worker's
//! own; all else is asked of the region.
//!
//! Conditions: INVREQ with a number of our own for a value that is none of the option's (1
//! AUXSTATUS, 2 INTSTATUS, 3 SWITCHACTION, 4 SWITCHSTATUS, 5 SINGLESTATUS, 6 SYSTEMSTATUS, 7
//! USERSTATUS, 8 FLAGSET), 9 (AUXPAUSE while the auxiliary trace is not started); IOERR (the data
//! set cannot be written).

use super::answer::either;
use super::change::one_of;
use crate::command::{Cx, Done, Fail, NORMAL};
use transom_commands::{OptionId, opt};
use transom_trace::{Component, Flags};
use transom_types::Resp;
use transom_wire::language::whole;
use transom_wire::system::{
    Auxiliary, ComponentChange, Request, Switching, TraceChange, TraceFacts, TraceSubject,
};

/// Options of TRACETYPE and the component of each.
const COMPONENTS: &[(OptionId, Component)] = &[
    (opt::AP, Component::AP),
    (opt::DS, Component::DS),
    (opt::EI, Component::EI),
    (opt::FC, Component::FC),
    (opt::IC, Component::IC),
    (opt::IS, Component::IS),
    (opt::LG, Component::LG),
    (opt::PG, Component::PG),
    (opt::RI, Component::RI),
    (opt::RM, Component::RM),
    (opt::SH, Component::SH),
    (opt::TC, Component::TC),
    (opt::TD, Component::TD),
    (opt::TS, Component::TS),
    (opt::US, Component::US),
    (opt::XM, Component::XM),
];
/// Trace level 1, the only one there is.
const LEVEL_1: u8 = 0x80;

/// INQUIRE TRACEDEST.
pub(crate) fn inquire_destination(cx: &mut Cx<'_>) -> Done {
    let facts = facts(cx, TraceSubject::Destination)?;
    let auxiliary = match facts.auxiliary {
        Auxiliary::Started => "AUXSTART",
        Auxiliary::Paused => "AUXPAUSE",
        Auxiliary::Stopped => "AUXSTOP",
    };
    let switching = match facts.switching {
        Switching::No => "NOSWITCH",
        Switching::Next => "SWITCHNEXT",
        Switching::All => "SWITCHALL",
    };
    let internal = either(Flags(facts.flags).internal(), "INTSTART", "INTSTOP");
    cx.set_cvda(opt::AUXSTATUS, auxiliary);
    cx.set_cvda(opt::INTSTATUS, internal);
    cx.set_cvda(opt::SWITCHSTATUS, switching);
    cx.set_text(opt::CURAUXDS, either(facts.first, "A", "B"));
    cx.set_number(opt::TABLESIZE, facts.table_kilobytes.into());
    NORMAL
}

/// INQUIRE TRACEFLAG.
pub(crate) fn inquire_flag(cx: &mut Cx<'_>) -> Done {
    let flags = Flags(facts(cx, TraceSubject::Flag)?.flags);
    let single = either(cx.host.traces_task(), "SINGLEON", "SINGLEOFF");
    let system = either(flags.system(), "SYSTEMON", "SYSTEMOFF");
    let user = either(flags.user(), "USERON", "USEROFF");
    cx.set_cvda(opt::SINGLESTATUS, single);
    cx.set_cvda(opt::SYSTEMSTATUS, system);
    cx.set_cvda(opt::USERSTATUS, user);
    NORMAL
}

/// INQUIRE TRACETYPE: the levels of components, as bits of four bytes.
pub(crate) fn inquire_type(cx: &mut Cx<'_>) -> Done {
    standard(cx)?;
    let flags = Flags(facts(cx, TraceSubject::Type)?.flags);
    for (option, component) in COMPONENTS {
        let level = if flags.component(*component) {
            LEVEL_1
        } else {
            0
        };
        cx.set_bytes(*option, &[level, 0, 0, 0], 0);
    }
    NORMAL
}

/// SET TRACEDEST.
pub(crate) fn set_destination(cx: &mut Cx<'_>) -> Done {
    let auxiliary = chosen(
        cx,
        (opt::AUXSTATUS, 1),
        &[
            (opt::AUXSTART, "AUXSTART", Auxiliary::Started),
            (opt::AUXPAUSE, "AUXPAUSE", Auxiliary::Paused),
            (opt::AUXSTOP, "AUXSTOP", Auxiliary::Stopped),
        ],
    )?;
    let switching = chosen(
        cx,
        (opt::SWITCHSTATUS, 4),
        &[
            (opt::NOSWITCH, "NOSWITCH", Switching::No),
            (opt::SWITCHNEXT, "SWITCHNEXT", Switching::Next),
            (opt::SWITCHALL, "SWITCHALL", Switching::All),
        ],
    )?;
    let switch = chosen(cx, (opt::SWITCHACTION, 3), &[(opt::SWITCH, "SWITCH", ())])?;
    let internal = one_of(
        cx,
        (opt::INTSTATUS, 2),
        (opt::INTSTART, "INTSTART"),
        (opt::INTSTOP, "INTSTOP"),
    )?;
    let change = TraceChange {
        internal,
        auxiliary,
        switching,
        switch: switch.is_some(),
        ..TraceChange::default()
    };
    change_to(cx, change)
}

/// SET TRACEFLAG.
pub(crate) fn set_flag(cx: &mut Cx<'_>) -> Done {
    let single = one_of(
        cx,
        (opt::SINGLESTATUS, 5),
        (opt::SINGLEON, "SINGLEON"),
        (opt::SINGLEOFF, "SINGLEOFF"),
    )?;
    let change = TraceChange {
        system: one_of(
            cx,
            (opt::SYSTEMSTATUS, 6),
            (opt::SYSTEMON, "SYSTEMON"),
            (opt::SYSTEMOFF, "SYSTEMOFF"),
        )?,
        user: one_of(
            cx,
            (opt::USERSTATUS, 7),
            (opt::USERON, "USERON"),
            (opt::USEROFF, "USEROFF"),
        )?,
        ..TraceChange::default()
    };
    if let Some(single) = single {
        cx.host.trace_task(single);
    }
    change_to(cx, change)
}

/// SET TRACETYPE: the first bit of each component's four bytes is level 1; other levels do not
/// exist, and their bits mean nothing.
pub(crate) fn set_type(cx: &mut Cx<'_>) -> Done {
    standard(cx)?;
    let given = |(option, component): &(OptionId, Component)| {
        let levels = cx.call.bytes(*option)?;
        Some(ComponentChange {
            component: component.0,
            on: levels.first().is_some_and(|level| level & LEVEL_1 != 0),
        })
    };
    let components: Vec<ComponentChange> = COMPONENTS.iter().filter_map(given).collect();
    let change = TraceChange {
        components,
        ..TraceChange::default()
    };
    change_to(cx, change)
}

/// FLAGSET is STANDARD: there is no special tracing.
fn standard(cx: &Cx<'_>) -> Result<(), Fail> {
    if cx.has(opt::SPECIAL) || !cx.value_is(opt::STANDARD, opt::FLAGSET, "STANDARD") {
        return Err(Fail::Raise(Resp::INVREQ, 8));
    }
    Ok(())
}

/// Which of several values is given, if one is; another one is refused.
fn chosen<T: Copy>(
    cx: &Cx<'_>,
    (option, resp2): (OptionId, u32),
    values: &[(OptionId, &str, T)],
) -> Result<Option<T>, Fail> {
    let given = |value: &&(OptionId, &str, T)| cx.value_is(value.0, option, value.1);
    match values.iter().find(given) {
        Some((.., value)) => Ok(Some(*value)),
        None if cx.has(option) => Err(Fail::Raise(Resp::INVREQ, resp2)),
        None => Ok(None),
    }
}

fn facts(cx: &mut Cx<'_>, subject: TraceSubject) -> Result<TraceFacts, Fail> {
    let answer = cx.ask(&Request::Trace(subject))?;
    whole::<TraceFacts>(&answer).ok_or(Fail::Raise(Resp::INVREQ, 0))
}

fn change_to(cx: &mut Cx<'_>, change: TraceChange) -> Done {
    match change == TraceChange::default() {
        true => NORMAL,
        false => cx.ask(&Request::SetTrace(change)).and(NORMAL),
    }
}
