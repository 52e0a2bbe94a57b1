//! EXEC CICS INQUIRE TERMINAL and INQUIRE NETNAME (with START, NEXT, END), and SET TERMINAL.
//!
//! Terminals live in the region process: an answer is one round trip. Those with a session are
//! known and those that are defined. Conditions: TERMIDERR 1 (no such terminal), ILLOGIC 1, END 2
//! (browse); SET: INVREQ 4 (TERMPRIORITY is not 0 to 255), INVREQ 0 (ACQUIRED for a terminal whose
//! user has not connected).

use super::answer::{constants, either};
use super::kind;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::environment::address::NO_AREA;
use crate::terminal::output::ask;
use transom_commands::{OptionId, opt};
use transom_resources::ResourceKind;
use transom_types::Device;
use transom_types::{Resp, TermId, TransId};
use transom_wire::definitions::{TerminalEntry, TerminalKind, UpperCase};
use transom_wire::language::whole;
use transom_wire::terminal::screen_size;
use transom_wire::terminal::{Change, Request};

/// INQUIRE TERMINAL.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Some(entry) = find(cx, opt::TERMINAL)? else {
        return NORMAL;
    };
    cx.set_text(opt::NETNAME, &entry.netname);
    answer(cx, &entry)
}

/// INQUIRE NETNAME.
pub(crate) fn inquire_netname(cx: &mut Cx<'_>) -> Done {
    let Some(entry) = find(cx, opt::NETNAME)? else {
        return NORMAL;
    };
    cx.set_text(opt::TERMINAL, entry.terminal.as_str());
    answer(cx, &entry)
}

/// The terminal asked for; `None`: START or END was done.
fn find(cx: &mut Cx<'_>, by: OptionId) -> Result<Option<TerminalEntry>, Fail> {
    if cx.has(opt::START) {
        let names: Vec<TermId> = whole(&ask(cx, Request::List)?).unwrap_or_default();
        let at = cx.name::<4>(opt::AT).map(|name| TermId::from_field(&name));
        let names = names
            .into_iter()
            .filter(|name| at.is_none_or(|at| *name >= at))
            .collect();
        let browse = &mut cx.task.browses.terminals;
        if browse.is_some() {
            return raise(Resp::ILLOGIC, 1);
        }
        *browse = Some(names);
        return Ok(None);
    }
    let browse = &mut cx.task.browses.terminals;
    if cx.call.has(opt::END) {
        return match browse.take() {
            Some(_) => Ok(None),
            None => raise(Resp::ILLOGIC, 1),
        };
    }
    if !cx.call.has(opt::NEXT) {
        return named(cx, by).map(Some);
    }
    loop {
        let Some(names) = &mut cx.task.browses.terminals else {
            return raise(Resp::ILLOGIC, 1);
        };
        let Some(next) = names.pop_front() else {
            return raise(Resp::END, 2);
        };
        // One that logged off since START is passed over.
        match ask(cx, Request::Inquire(next)) {
            Ok(bytes) => {
                let Some(entry) = TerminalEntry::decode(&bytes) else {
                    return raise(Resp::INVREQ, 0);
                };
                let name = match by {
                    opt::NETNAME => entry.netname.clone(),
                    _ => entry.terminal.as_str().to_owned(),
                };
                cx.set_text(by, &name);
                return Ok(Some(entry));
            }
            Err(Fail::Raise(Resp::TERMIDERR, _)) => {}
            Err(fail) => return Err(fail),
        }
    }
}

fn named(cx: &mut Cx<'_>, by: OptionId) -> Result<TerminalEntry, Fail> {
    let name = cx.name::<8>(by).unwrap_or([b' '; 8]);
    cx.resource(&name);
    let request = match by {
        opt::NETNAME => {
            Request::InquireNetname(String::from_utf8_lossy(&name).trim_end().to_owned())
        }
        _ => Request::Inquire(TermId::from_field(&name)),
    };
    let bytes = ask(cx, request)?;
    match TerminalEntry::decode(&bytes) {
        Some(entry) => Ok(entry),
        None => raise(Resp::INVREQ, 0),
    }
}

fn answer(cx: &mut Cx<'_>, entry: &TerminalEntry) -> Done {
    constants(cx, ResourceKind::Terminal);
    cx.set_text(opt::TERMID, entry.terminal.as_str());
    cx.set_text(opt::TRANSACTION, entry.transaction.as_str());
    cx.set_text(opt::NEXTTRANSID, entry.next_transaction.as_str());
    cx.set_text(opt::USERID, entry.user.as_str());
    cx.set_text(opt::PRINTER, entry.printers[0].as_str());
    cx.set_text(opt::ALTPRINTER, entry.printers[1].as_str());
    let suffix = char::from(entry.suffix).to_string();
    cx.set_text(opt::ALTSUFFIX, suffix.trim_matches('\0'));
    cx.set_number(opt::TASKID, i64::from(entry.task));
    cx.set_number(opt::AIDCOUNT, i64::from(entry.waiting));
    cx.set_number(opt::TERMPRIORITY, i64::from(entry.priority));
    cx.set_number(opt::USERAREALEN, i64::from(entry.user_area_bytes));
    // Only the task at the terminal can address its user area.
    let own = cx.task.terminal.get();
    let own = own.filter(|own| own.facts.terminal == entry.terminal);
    let area = own.map_or(0, |own| own.user_area().0);
    let area = if area == 0 { NO_AREA } else { area };
    cx.call.set_pointer(opt::USERAREA, area);
    let (address, port) = entry.peer.rsplit_once(':').unwrap_or((&entry.peer, "0"));
    cx.set_text(opt::TNADDR, address.trim_matches(['[', ']']));
    cx.set_number(opt::TNPORT, port.parse().unwrap_or(0));
    for (option, value) in states(entry) {
        cx.set_cvda(option, value);
    }
    device(cx, entry);
    NORMAL
}

/// States of the terminal by the names of their values.
fn states(entry: &TerminalEntry) -> [(OptionId, &'static str); 11] {
    let acquired = either(entry.is_acquired(), "ACQUIRED", "RELEASED");
    let service = either(entry.in_service, "INSERVICE", "OUTSERVICE");
    let kind = match (entry.device.printer, entry.kind) {
        (true, TerminalKind::ScsPrinter) => ("SCSPRINT", "SCS"),
        (true, _) => ("LUTYPE3", "DS3270"),
        (false, _) => ("LUTYPE2", "DS3270"),
    };
    let family = match entry.peer.as_str() {
        "" => "NOTAPPLIC",
        peer => either(peer.contains('['), "IPV6", "IPV4"),
    };
    let upper_case = match entry.upper_case {
        UpperCase::No => "NOUCTRAN",
        UpperCase::Yes => "UCTRAN",
        UpperCase::TransactionId => "TRANIDONLY",
    };
    let user = either(entry.user.is_blank(), "SIGNEDOFF", "SIGNEDON");
    [
        (opt::ACQSTATUS, acquired),
        (opt::TERMSTATUS, acquired),
        (opt::SERVSTATUS, service),
        (opt::ATISTATUS, either(entry.ati, "ATI", "NOATI")),
        (opt::TTISTATUS, either(entry.tti, "TTI", "NOTTI")),
        (
            opt::CREATESESS,
            either(entry.create_session, "CREATE", "NOCREATE"),
        ),
        (opt::DEVICE, kind.0),
        (opt::DATASTREAM, kind.1),
        (opt::SIGNONSTATUS, user),
        (opt::TNIPFAMILY, family),
        (opt::UCTRANST, upper_case),
    ]
}

fn device(cx: &mut Cx<'_>, entry: &TerminalEntry) {
    let device = &entry.device;
    let now = screen_size(device, entry.alternate);
    let (default, alternate) = (device.default_size, device.alternate_size);
    let numbers = [
        (opt::SCRNHT, now.rows() as u16),
        (opt::SCRNWD, now.columns() as u16),
        (opt::PAGEHT, now.rows() as u16),
        (opt::PAGEWD, now.columns() as u16),
        (opt::DEFSCRNHT, default.0),
        (opt::DEFSCRNWD, default.1),
        (opt::DEFPAGEHT, default.0),
        (opt::DEFPAGEWD, default.1),
        (opt::ALTSCRNHT, alternate.0),
        (opt::ALTSCRNWD, alternate.1),
        (opt::ALTPAGEHT, alternate.0),
        (opt::ALTPAGEWD, alternate.1),
    ];
    for (option, value) in numbers {
        cx.set_number(option, i64::from(value));
    }
    for (option, has, yes, no) in features(device) {
        cx.set_cvda(option, either(has, yes, no));
    }
}

type Feature = (OptionId, bool, &'static str, &'static str);

/// What the client said it can do.
fn features(device: &Device) -> [Feature; 6] {
    [
        (opt::COLORST, device.colour, "COLOR", "NOCOLOR"),
        (
            opt::EXTENDEDDSST,
            device.extended,
            "EXTENDEDDS",
            "NOEXTENDEDDS",
        ),
        (opt::HILIGHTST, device.highlight, "HILIGHT", "NOHILIGHT"),
        (opt::OUTLINEST, device.outline, "OUTLINE", "NOOUTLINE"),
        (
            opt::VALIDATIONST,
            device.validation,
            "VALIDATION",
            "NOVALIDATION",
        ),
        (opt::QUERYST, device.extended, "ALLQUERY", "NOQUERY"),
    ]
}

/// UCTRANST.
fn upper_case(cx: &Cx<'_>) -> Option<UpperCase> {
    let values = [
        (opt::UCTRAN, "UCTRAN", UpperCase::Yes),
        (opt::NOUCTRAN, "NOUCTRAN", UpperCase::No),
        (opt::TRANIDONLY, "TRANIDONLY", UpperCase::TransactionId),
    ];
    let mut given = values.into_iter();
    let given = given.find(|(keyword, name, _)| cx.value_is(*keyword, opt::UCTRANST, name));
    given.map(|(_, _, value)| value)
}

/// SET TERMINAL.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<4>(opt::TERMINAL).unwrap_or([b' '; 4]);
    cx.resource(&name);
    kind::check_values(cx, ResourceKind::Terminal)?;
    let priority = kind::number(cx, ResourceKind::Terminal, opt::TERMPRIORITY)?;
    let is = |keyword, cvda, name| cx.value_is(keyword, cvda, name);
    let either = |yes: bool, no: bool| match (yes, no) {
        (true, _) => Some(true),
        (false, true) => Some(false),
        (false, false) => None,
    };
    let force =
        is(opt::FORCEPURGE, opt::PURGETYPE, "FORCEPURGE") || is(opt::KILL, opt::PURGETYPE, "KILL");
    let released = is(opt::RELEASED, opt::TERMSTATUS, "RELEASED");
    let change = Change {
        upper_case: upper_case(cx),
        ati: either(
            is(opt::ATI, opt::ATISTATUS, "ATI"),
            is(opt::NOATI, opt::ATISTATUS, "NOATI"),
        ),
        tti: either(
            is(opt::TTI, opt::TTISTATUS, "TTI"),
            is(opt::NOTTI, opt::TTISTATUS, "NOTTI"),
        ),
        in_service: either(
            is(opt::INSERVICE, opt::SERVSTATUS, "INSERVICE"),
            is(opt::OUTSERVICE, opt::SERVSTATUS, "OUTSERVICE"),
        ),
        release: released || is(opt::RELEASED, opt::ACQSTATUS, "RELEASED"),
        purge: either(force, is(opt::PURGE, opt::PURGETYPE, "PURGE")),
        next: cx
            .name::<4>(opt::NEXTTRANSID)
            .map(|name| TransId::from_field(&name)),
        acquire: [(opt::ACQUIRED, "ACQUIRED"), (opt::COLDACQ, "COLDACQ")]
            .iter()
            .any(|(keyword, value)| {
                is(*keyword, opt::ACQSTATUS, value) || is(*keyword, opt::TERMSTATUS, value)
            }),
        create_session: either(
            is(opt::CREATE, opt::CREATESESS, "CREATE"),
            is(opt::NOCREATE, opt::CREATESESS, "NOCREATE"),
        ),
        printers: [opt::PRINTER, opt::ALTPRINTER]
            .map(|option| cx.name::<4>(option))
            .map(|name| name.map(|name| TermId::from_field(&name))),
        priority: priority.and_then(|number| u8::try_from(number).ok()),
    };
    ask(cx, Request::Set(TermId::from_field(&name), change))?;
    NORMAL
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_has_a_number() {
        let known = |name: &str| {
            assert!(transom_commands::dfhvalue(name).is_some(), "{name}");
        };
        for (_, _, yes, no) in features(&Device::model_2()) {
            known(yes);
            known(no);
        }
        for name in [
            "RELEASED",
            "OUTSERVICE",
            "NOATI",
            "NOTTI",
            "CREATE",
            "SCSPRINT",
            "SCS",
            "LUTYPE3",
            "LUTYPE2",
            "DS3270",
            "SIGNEDON",
            "SIGNEDOFF",
            "IPV4",
            "IPV6",
            "UCTRAN",
            "NOUCTRAN",
        ] {
            known(name);
        }
    }
}
