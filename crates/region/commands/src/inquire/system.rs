//! EXEC CICS INQUIRE SYSTEM and SET SYSTEM.
//!
//! Storage areas of z/OS (DSA sizes and so on) are answered as zero. SET changes MAXTASKS; other
//! values are set as far as the region's facts hold them. Conditions: SET: INVREQ 5 (MAXTASKS out
//! of range), or what the region answers.

use super::answer::{either, no_value};
use super::change::ask;
use crate::command::{Cx, Done, NORMAL, raise};
use crate::interval::calendar::DateTime;
use transom_commands::opt;
use transom_types::Resp;
use transom_types::SetRequest;
use transom_wire::Space;
use transom_wire::definitions::SystemEntry;

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
    cx.set_number(opt::RUNAWAY, facts.runaway_ms.min(i32::MAX as u64) as i64);
    cx.set_number(
        opt::PRTYAGING,
        facts.priority_aging_ms.min(i32::MAX as u64) as i64,
    );
    cx.set_number(opt::LOCALCCSID, i64::from(facts.local_ccsid));
    cx.set_number(opt::MROBATCH, 1);
    states(cx, &facts);
    times(cx, &facts);
    no_value(
        cx,
        &[
            opt::DTRPROGRAM,
            opt::DSRTPROGRAM,
            opt::PROGAUTOEXIT,
            opt::PLTPIUSR,
            opt::GMMTEXT,
        ],
        &[
            opt::AKP,
            opt::CDSASIZE,
            opt::CSCS,
            opt::DSALIMIT,
            opt::EDSALIMIT,
            opt::ECDSASIZE,
            opt::ERDSASIZE,
            opt::ESDSASIZE,
            opt::EUDSASIZE,
            opt::RDSASIZE,
            opt::SDSASIZE,
            opt::UDSASIZE,
            opt::GMMLENGTH,
            opt::LOGDEFER,
            opt::MAXOPENTCBS,
            opt::SCANDELAY,
            opt::TIME,
            opt::MEMLIMIT,
        ],
        &[opt::XRFSTATUS],
    );
    NORMAL
}

fn identity(cx: &mut Cx<'_>, facts: &SystemEntry) {
    cx.set_text(opt::JOBNAME, facts.jobname.as_str());
    cx.set_text(opt::APPLID, facts.applid.as_str());
    cx.set_text(opt::SYSID, facts.sysid.as_str());
    cx.set_text(opt::DFLTUSER, facts.default_user.as_str());
    cx.set_text(opt::GMMTRANID, facts.gm_transid.as_str());
    // The level of the API this region follows.
    cx.set_text(opt::CICSTSLEVEL, "060100");
    cx.set_text(opt::RELEASE, "0740");
    cx.set_text(opt::CICSSYS, "L");
    cx.set_text(opt::OPSYS, "L");
    cx.set_number(opt::OPREL, 0);
    cx.set_text(opt::OSLEVEL, "000000");
}

fn states(cx: &mut Cx<'_>, facts: &SystemEntry) {
    cx.set_cvda(opt::CICSSTATUS, "ACTIVE");
    cx.set_cvda(opt::INITSTATUS, "INITCOMPLETE");
    cx.set_cvda(opt::SHUTSTATUS, "NOTAPPLIC");
    cx.set_cvda(opt::DUMPING, either(facts.dump, "SYSDUMP", "NOSYSDUMP"));
    let autoinstall = either(facts.program_autoinstall, "AUTOACTIVE", "AUTOINACTIVE");
    cx.set_cvda(opt::PROGAUTOINST, autoinstall);
    cx.set_cvda(opt::PROGAUTOCTLG, "CTLGNONE");
    let startup = match facts.start_type {
        b'W' => "WARMSTART",
        b'E' => "EMERGENCY",
        _ => "COLDSTART",
    };
    cx.set_cvda(opt::STARTUP, startup);
    cx.set_cvda(
        opt::COLDSTATUS,
        either(facts.start_type == b'I', "INITIAL", "COLD"),
    );
    cx.set_cvda(opt::FORCEQR, "NOFORCE");
    cx.set_cvda(opt::CMDPROTECT, "CMDPROT");
    cx.set_cvda(opt::REENTPROTECT, "NOREENTPROT");
    cx.set_cvda(opt::STOREPROTECT, "INACTIVE");
    cx.set_cvda(opt::TRANISOLATE, "INACTIVE");
    cx.set_cvda(
        opt::SECURITYMGR,
        either(facts.security.on, "EXTSECURITY", "NOSECURITY"),
    );
    cx.set_cvda(opt::SOSSTATUS, "NOTSOS");
}

fn times(cx: &mut Cx<'_>, facts: &SystemEntry) {
    let started = facts.started_abstime_ms as i64;
    let at = DateTime::from_abstime(started);
    let date = at.year.saturating_sub(1900) / 100 * 100_000 + at.year % 100 * 1_000;
    cx.set_number(opt::STARTUPDATE, i64::from(date + at.day_of_year));
    let of = |kind: &[u8]| {
        if kind.contains(&facts.start_type) {
            started
        } else {
            0
        }
    };
    cx.set_number(opt::LASTCOLDTIME, of(b"C"));
    cx.set_number(opt::LASTEMERTIME, of(b"E"));
    cx.set_number(opt::LASTINITTIME, of(b"I"));
    cx.set_number(opt::LASTWARMTIME, of(b"W"));
}

/// SET SYSTEM.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let Some(mut facts) = SystemEntry::find(cx.host.shared()) else {
        return NORMAL;
    };
    let before = facts.clone();
    if let Some(ms) = cx
        .number(opt::RUNAWAY)
        .and_then(|ms| u64::try_from(ms).ok())
    {
        facts.runaway_ms = ms;
    }
    if let Some(ms) = cx
        .number(opt::PRTYAGING)
        .and_then(|ms| u64::try_from(ms).ok())
    {
        facts.priority_aging_ms = ms;
    }
    if cx.value_is(opt::SYSDUMP, opt::DUMPING, "SYSDUMP") {
        facts.dump = true;
    }
    if cx.value_is(opt::NOSYSDUMP, opt::DUMPING, "NOSYSDUMP") {
        facts.dump = false;
    }
    if cx.value_is(opt::AUTOACTIVE, opt::PROGAUTOINST, "AUTOACTIVE") {
        facts.program_autoinstall = true;
    }
    if cx.value_is(opt::AUTOINACTIVE, opt::PROGAUTOINST, "AUTOINACTIVE") {
        facts.program_autoinstall = false;
    }
    if facts != before && !facts.install(cx.host.shared()) {
        return raise(Resp::INVREQ, 0);
    }
    if let Some(tasks) = cx.number(opt::MAXTASKS) {
        let Some(tasks) = u32::try_from(tasks).ok().filter(|tasks| *tasks > 0) else {
            return raise(Resp::INVREQ, 5);
        };
        ask(cx, SetRequest::MaxTasks(tasks))?;
        cx.set_number(opt::NEWMAXTASKS, i64::from(tasks));
    }
    cx.region.facts = facts;
    NORMAL
}
