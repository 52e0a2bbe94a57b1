//! EXEC CICS INQUIRE SYSTEM and SET SYSTEM.
//!
//! What a region answers that has no storage areas of z/OS, no VTAM and no open TCBs of its own is
//! constant and stands in the command table. Conditions: SET: INVREQ 5 (MAXTASKS), 7 (PRTYAGING not
//! 0 to 65,535), 9 (RUNAWAY not 0 and not 250 to 2,700,000), 20 (DUMPING), 21 (PROGAUTOINST), 22
//! (GMMLENGTH not 0 to 246), or what the region answers.

use super::answer::either;
use super::change::{ask, one_of};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_types::SetRequest;
use transom_types::calendar::DateTime;
use transom_wire::Space;
use transom_wire::definitions::{Db2Connection, Installed, StartType, SystemEntry};
use transom_wire::system::{Request, SystemChange};

/// Longest GMMTEXT.
const GREETING_BYTES_MAX: usize = 246;

/// INQUIRE SYSTEM.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let found = SystemEntry::find(cx.host.shared());
    let facts = found.unwrap_or_else(|| cx.region.facts.clone());
    identity(cx, &facts);
    let tasks = cx.host.shared().group_names(Space::Task).len() as i64;
    cx.set_number(opt::CONCURRENTTASKS, tasks);
    cx.set_number(opt::CURRENTTASKS, tasks);
    for option in [opt::MAXTASKS, opt::NEWMAXTASKS] {
        cx.set_number(option, i64::from(facts.max_tasks));
    }
    let number = |value: u64| {
        i64::try_from(value)
            .unwrap_or(i64::MAX)
            .min(i32::MAX.into())
    };
    cx.set_number(opt::RUNAWAY, number(facts.runaway_ms));
    cx.set_number(opt::PRTYAGING, number(facts.priority_aging_ms));
    cx.set_number(opt::EDSALIMIT, number(facts.shared_bytes));
    cx.set_number(opt::LOCALCCSID, i64::from(facts.local_ccsid));
    cx.set_text(opt::GMMTEXT, &facts.gm_text);
    cx.set_number(opt::GMMLENGTH, facts.gm_text.len() as i64);
    states(cx, &facts);
    times(cx, &facts);
    NORMAL
}

fn identity(cx: &mut Cx<'_>, facts: &SystemEntry) {
    cx.set_text(opt::JOBNAME, facts.jobname.as_str());
    cx.set_text(opt::APPLID, facts.applid.as_str());
    cx.set_text(opt::SYSID, facts.sysid.as_str());
    cx.set_text(opt::DFLTUSER, facts.default_user.as_str());
    cx.set_text(opt::GMMTRANID, facts.gm_transid.as_str());
    cx.set_text(opt::PLTPIUSR, facts.plt_user.as_str());
    let lists: String = facts.group_lists.iter().map(|l| format!("{l:8}")).collect();
    cx.set_text(opt::GRPLIST, &lists);
    let connection = Db2Connection::only(cx.host.shared());
    let name = connection.map_or([b' '; 8], |connection| connection.name);
    cx.set_bytes(opt::DB2CONN, &name, b' ');
}

fn states(cx: &mut Cx<'_>, facts: &SystemEntry) {
    cx.set_cvda(opt::DUMPING, either(facts.dump, "SYSDUMP", "NOSYSDUMP"));
    let autoinstall = either(facts.program_autoinstall, "AUTOACTIVE", "AUTOINACTIVE");
    cx.set_cvda(opt::PROGAUTOINST, autoinstall);
    let startup = match facts.start_type {
        StartType::Warm => "WARMSTART",
        StartType::Emergency => "EMERGENCY",
        StartType::Cold | StartType::Initial => "COLDSTART",
    };
    cx.set_cvda(opt::STARTUP, startup);
    let cold = match facts.start_type {
        StartType::Initial => "INITIAL",
        StartType::Cold => "COLD",
        StartType::Warm | StartType::Emergency => "NOTAPPLIC",
    };
    cx.set_cvda(opt::COLDSTATUS, cold);
    let protect = either(facts.command_protection, "CMDPROT", "NOCMDPROT");
    cx.set_cvda(opt::CMDPROTECT, protect);
    let protect = either(facts.storage_protection, "ACTIVE", "INACTIVE");
    cx.set_cvda(opt::STOREPROTECT, protect);
    cx.set_cvda(
        opt::SECURITYMGR,
        either(facts.security.on, "EXTSECURITY", "NOSECURITY"),
    );
}

/// Day of the start and the last starts of each kind.
fn times(cx: &mut Cx<'_>, facts: &SystemEntry) {
    let at = DateTime::from_abstime(facts.started_abstime_ms as i64);
    let date = at.year.saturating_sub(1900) / 100 * 100_000 + at.year % 100 * 1_000;
    cx.set_number(opt::STARTUPDATE, i64::from(date + at.day_of_year));
    let last = &facts.last_starts;
    for (option, at) in [
        (opt::LASTCOLDTIME, last.cold),
        (opt::LASTEMERTIME, last.emergency),
        (opt::LASTINITTIME, last.initial),
        (opt::LASTWARMTIME, last.warm),
    ] {
        cx.set_number(option, at as i64);
    }
}

/// SET SYSTEM.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let change = SystemChange {
        runaway_ms: milliseconds(cx, opt::RUNAWAY, 9, |ms| {
            ms == 0 || (250..=2_700_000).contains(&ms)
        })?,
        priority_aging_ms: milliseconds(cx, opt::PRTYAGING, 7, |ms| ms <= 65_535)?,
        dump: one_of(
            cx,
            (opt::DUMPING, 20),
            (opt::SYSDUMP, "SYSDUMP"),
            (opt::NOSYSDUMP, "NOSYSDUMP"),
        )?,
        program_autoinstall: one_of(
            cx,
            (opt::PROGAUTOINST, 21),
            (opt::AUTOACTIVE, "AUTOACTIVE"),
            (opt::AUTOINACTIVE, "AUTOINACTIVE"),
        )?,
        gm_text: greeting(cx)?,
    };
    let tasks = match cx.number(opt::MAXTASKS).map(u32::try_from) {
        Some(Ok(tasks @ 1..)) => Some(tasks),
        Some(_) => return raise(Resp::INVREQ, 5),
        None => None,
    };
    if change != SystemChange::default() {
        cx.ask(&Request::Set(change))?;
    }
    if let Some(tasks) = tasks {
        ask(cx, SetRequest::MaxTasks(tasks))?;
        cx.set_number(opt::NEWMAXTASKS, i64::from(tasks));
    }
    NORMAL
}

fn milliseconds(
    cx: &Cx<'_>,
    option: OptionId,
    resp2: u32,
    fits: impl Fn(u64) -> bool,
) -> Result<Option<u64>, Fail> {
    match cx.number(option).map(u64::try_from) {
        None => Ok(None),
        Some(Ok(ms)) if fits(ms) => Ok(Some(ms)),
        Some(_) => raise(Resp::INVREQ, resp2),
    }
}

fn greeting(cx: &Cx<'_>) -> Result<Option<String>, Fail> {
    if !cx.has(opt::GMMTEXT) {
        return Ok(None);
    }
    let given = cx.number(opt::GMMLENGTH).map(usize::try_from);
    let length = match given {
        None => cx.call.bytes(opt::GMMTEXT).map_or(0, <[u8]>::len),
        Some(Ok(length)) => length,
        Some(Err(_)) => return raise(Resp::INVREQ, 22),
    };
    if length > GREETING_BYTES_MAX {
        return raise(Resp::INVREQ, 22);
    }
    let text = area_in(cx.host, cx.call, opt::GMMTEXT, length).to_vec();
    Ok(Some(String::from_utf8_lossy(&text).trim_end().to_owned()))
}
