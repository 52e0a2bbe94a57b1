//! EXEC CICS ASSIGN: values of the task and the region.
//!
//! The options of a call that can be answered are, also where another one cannot.
//!
//! Conditions: INVREQ 1 (an option describes a terminal, and the task has none), 200 (the same in a
//! program linked to from another region).

use super::language;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::constants;
use crate::terminal;
use transom_commands::{OptionId, opt};
use transom_region_task::status;
use transom_types::{AbendCode, ChannelName, ProgramName, Resp};
use transom_wire::definitions::ProgramEntry;
use transom_workers::seam::Place;

/// ABOFFSET when nobody knows, X'FFFFFFFF'.
const OFFSET_UNKNOWN: i64 = -1;

/// The command.
pub(crate) fn assign(cx: &mut Cx<'_>) -> Done {
    let mut without_terminal = false;
    for option in cx.call.options() {
        let known = user(cx, option)?
            || terminal::facts::assign(cx, option)
            || client(cx, option)
            || program(cx, option)
            || environment(cx, option)
            || abend(cx, option)
            || constant(cx, option);
        without_terminal |= !known && TERMINAL.contains(&option);
    }
    if without_terminal {
        let resp2 = if cx.task.mirror().is_some() { 200 } else { 1 };
        return raise(Resp::INVREQ, resp2);
    }
    NORMAL
}

/// Where the program stands. Answers whether it knows the option, as the functions below do.
fn program(cx: &mut Cx<'_>, option: OptionId) -> bool {
    let levels = &cx.task.levels;
    let Some(level) = levels.last() else {
        return false;
    };
    let name = match option {
        opt::PROGRAM => level.program,
        opt::INVOKINGPROG => level.invoked_by,
        opt::RETURNPROG => match levels.len() {
            0 | 1 => cx.task.mirror().unwrap_or(ProgramName::BLANK),
            n => levels[n - 2].program,
        },
        opt::CHANNEL => {
            let channel = level.channel.and_then(|id| cx.task.channels.get(id));
            let name = channel.map_or(ChannelName::BLANK, |channel| channel.name);
            cx.set_text(option, name.as_str());
            return true;
        }
        opt::LINKLEVEL => {
            let mirrored = usize::from(cx.task.mirror().is_some());
            let levels = levels.len() + mirrored;
            cx.set_number(option, levels as i64);
            return true;
        }
        opt::RESTART => {
            let again = if cx.task.start.restarts > 0 { 0xFF } else { 0 };
            cx.set_bytes(option, &[again], 0);
            return true;
        }
        opt::INITPARM | opt::INITPARMLEN => {
            let parms = &cx.region.facts.initparm;
            let own = parms.iter().find(|(name, _)| *name == level.program);
            let text = own.map_or("", |(_, text)| text.as_str());
            cx.call.set_text(opt::INITPARM, text);
            cx.call.set_number(opt::INITPARMLEN, text.len() as i64);
            return true;
        }
        _ => return false,
    };
    cx.set_text(option, name.as_str());
    true
}

/// Where the client of the task's terminal is; blanks, 0 and NOTAPPLIC without one.
fn client(cx: &mut Cx<'_>, option: OptionId) -> bool {
    let task = &cx.task;
    let at = task.terminal.get().and(task.association.beginning.client);
    let at = at.map(|client| client.client);
    match option {
        opt::TNADDR => {
            let address = at.map_or_else(String::new, |at| at.ip().to_string());
            cx.set_text(option, &address);
        }
        opt::TNPORT => cx.set_number(option, at.map_or(0, |at| i64::from(at.port()))),
        opt::TNIPFAMILY => {
            let family = at.map_or("NOTAPPLIC", |at| if at.is_ipv4() { "IPV4" } else { "IPV6" });
            cx.set_cvda(option, family);
        }
        _ => return false,
    }
    true
}

/// What the region knows of the user.
fn user(cx: &mut Cx<'_>, option: OptionId) -> Result<bool, Fail> {
    const OF_USER: [OptionId; 4] = [opt::USERNAME, opt::USERPRIORITY, opt::OPCLASS, opt::OPID];
    if !OF_USER.contains(&option) {
        return Ok(false);
    }
    let request = transom_wire::security::Request::User(cx.task.userid);
    let facts = match cx.ask(&request) {
        Err(purged @ Fail::Abend(..)) => return Err(purged),
        answer => answer.unwrap_or_default(),
    };
    let facts = transom_wire::security::Facts::decode(&facts).unwrap_or_default();
    match option {
        opt::USERNAME => cx.set_text(option, &facts.name),
        opt::OPID if facts.opid.is_empty() => {
            let user = cx.task.userid;
            cx.set_text(option, &user.as_str().chars().take(3).collect::<String>());
        }
        opt::OPID => cx.set_text(option, &facts.opid),
        opt::USERPRIORITY => cx.set_number(option, i64::from(facts.priority)),
        _ => {
            // One bit a class, class 1 the lowest.
            let classes = facts
                .opclass
                .iter()
                .filter(|class| (1..=24).contains(*class));
            let bits = classes.fold(0u32, |bits, class| bits | 1 << (class - 1));
            cx.set_bytes(option, &bits.to_be_bytes()[1..], 0);
        }
    }
    Ok(true)
}

/// The region, the task and its transaction.
fn environment(cx: &mut Cx<'_>, option: OptionId) -> bool {
    let (facts, task) = (&cx.region.facts, &*cx.task);
    let number = match option {
        opt::LOCALCCSID => i64::from(facts.local_ccsid),
        opt::CWALENG => i64::from(facts.cwa_bytes),
        opt::TASKPRIORITY => i64::from(task.priority),
        opt::TRANPRIORITY => i64::from(task.transaction.priority),
        opt::TWALENG => i64::from(task.transaction.twa_bytes),
        opt::INPUTMSGLEN => {
            let terminal = task.terminal.get();
            terminal.map_or(0, |own| own.passed_bytes() as i64)
        }
        opt::TCTUALENG => {
            let terminal = task.terminal.get();
            terminal.map_or(0, |own| own.user_area().1 as i64)
        }
        _ => {
            let flag = |yes| if yes { "X" } else { "" };
            let text = match option {
                opt::APPLID => facts.applid.as_str(),
                opt::SYSID => facts.sysid.as_str(),
                opt::NATLANGINUSE => language::in_use(facts, task.terminal.get()).suffix,
                opt::LANGINUSE => language::in_use(facts, task.terminal.get()).code,
                opt::USERID => task.userid.as_str(),
                opt::STARTCODE => task.start_code(),
                opt::QNAME => {
                    let Some(name) = task.interval.trigger_queue() else {
                        return false;
                    };
                    cx.set_bytes(option, name.as_bytes(), b' ');
                    return true;
                }
                // With a terminal it has told its own.
                opt::FCI => {
                    cx.set_bytes(option, &[], 0);
                    return true;
                }
                opt::CMDSEC => flag(task.transaction.cmdsec),
                opt::RESSEC => flag(task.transaction.ressec),
                _ => return false,
            };
            cx.call.set_text(option, text);
            return true;
        }
    };
    cx.set_number(option, number);
    true
}

/// The last abend. The PSW and what belongs to it are made of the place in the module; binary zeros
/// is what CICS answers when there was no program check.
fn abend(cx: &mut Cx<'_>, option: OptionId) -> bool {
    let abend = &cx.task.abend;
    let code = |code: Option<AbendCode>| code.map_or([b' '; 4], |code| *code.as_bytes());
    match option {
        opt::ABCODE => {
            let code = code(abend.code);
            cx.set_bytes(option, &code, b' ');
        }
        opt::ORGABCODE => {
            let code = code(abend.first);
            cx.set_bytes(option, &code, b' ');
        }
        opt::ABPROGRAM => {
            let program = abend.program.unwrap_or(ProgramName::BLANK);
            cx.set_text(option, program.as_str());
        }
        opt::ABDUMP => {
            let dump = if abend.dump { 0xFF } else { 0 };
            cx.set_bytes(option, &[dump], 0);
        }
        opt::ABOFFSET => {
            let offset = match abend.place.filter(|_| abend.program_check) {
                Some(place) => place.offset() as i64,
                None if abend.program_check => OFFSET_UNKNOWN,
                None => 0,
            };
            cx.set_number(option, offset);
        }
        opt::ASRAINTRPT => set_status(cx, option, status::interruption),
        opt::ASRAPSW => set_status(cx, option, status::short),
        opt::ASRAPSW16 => set_status(cx, option, status::long),
        opt::ASRAKEY if abend.program_check => {
            let found = abend
                .program
                .map(|name| ProgramEntry::find(cx.host.shared(), name));
            // All programs run in CICS key where storage is not protected.
            let key = match found.flatten().is_some_and(|entry| entry.cics_key)
                || !cx.region.facts.storage_protection
            {
                true => "CICSEXECKEY",
                false => "USEREXECKEY",
            };
            cx.set_cvda(option, key);
        }
        opt::ASRASPC if abend.program_check => cx.set_cvda(option, "BASESPACE"),
        opt::ASRAKEY | opt::ASRASPC => cx.set_cvda(option, "NOTAPPLIC"),
        _ => return false,
    }
    true
}

fn set_status<const N: usize>(cx: &mut Cx<'_>, option: OptionId, form: fn(&Place) -> [u8; N]) {
    let bytes = cx.task.abend.place.as_ref().map_or([0; N], form);
    cx.set_bytes(option, &bytes, 0);
}

/// What is the same for all tasks; of a terminal, in a task that has one.
fn constant(cx: &mut Cx<'_>, option: OptionId) -> bool {
    let answered = !TERMINAL.contains(&option) || cx.task.terminal.get().is_some();
    answered && constants::answer_one(cx, option)
}

/// Options only a task with a terminal (or started by a queue) can answer.
const TERMINAL: &[OptionId] = &[
    opt::ALTSCRNHT,
    opt::ALTSCRNWD,
    opt::APLKYBD,
    opt::APLTEXT,
    opt::BTRANS,
    opt::COLOR,
    opt::DEFSCRNHT,
    opt::DEFSCRNWD,
    opt::DELIMITER,
    opt::DESTCOUNT,
    opt::DESTID,
    opt::DESTIDLENG,
    opt::DSSCS,
    opt::DS3270,
    opt::EWASUPP,
    opt::EXTDS,
    opt::FACILITY,
    opt::GCHARS,
    opt::GCODES,
    opt::GMMI,
    opt::HILIGHT,
    opt::INPARTN,
    opt::KATAKANA,
    opt::LDCMNEM,
    opt::LDCNUM,
    opt::MAPCOLUMN,
    opt::MAPHEIGHT,
    opt::MAPLINE,
    opt::MAPWIDTH,
    opt::MSRCONTROL,
    opt::NETNAME,
    opt::NUMTAB,
    opt::OUTLINE,
    opt::PAGENUM,
    opt::PARTNPAGE,
    opt::PARTNS,
    opt::PARTNSET,
    opt::PRINSYSID,
    opt::PS,
    opt::QNAME,
    opt::SCRNHT,
    opt::SCRNWD,
    opt::SIGDATA,
    opt::SOSI,
    opt::STATIONID,
    opt::TELLERID,
    opt::TERMCODE,
    opt::TERMPRIORITY,
    opt::TEXTKYBD,
    opt::TEXTPRINT,
    opt::UNATTEND,
    opt::VALIDATION,
];
