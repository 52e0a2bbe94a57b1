//! EXEC CICS INQUIRE TRANSACTION (with START, NEXT, END) and SET TRANSACTION.
//!
//! Conditions: TRANSIDERR 1 (no such transaction), ILLOGIC 1, END 2 (browse); SET: INVREQ 4 (a
//! value that is not allowed), 3 (PRIORITY not 0 to 255), or what the region answers.

use super::{Wanted, ask, either, no_value, wanted};
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::SetRequest;
use transom_types::{Resp, TransClass, TransId};
use transom_wire::Space;
use transom_wire::definitions::TransactionEntry;

/// INQUIRE TRANSACTION.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let Wanted::Name(name) = wanted(cx, Space::Transaction, opt::TRANSACTION, 4)? else {
        return NORMAL;
    };
    let Some(entry) = TransactionEntry::find(cx.host.shared(), TransId::from_field(&name)) else {
        return raise(Resp::TRANSIDERR, 1);
    };
    cx.set_text(opt::PROGRAM, entry.program.as_str());
    cx.set_cvda(opt::STATUS, either(entry.enabled, "ENABLED", "DISABLED"));
    cx.set_number(opt::PRIORITY, i64::from(entry.priority));
    attributes(cx, &entry);
    cx.set_cvda(
        opt::SHUTDOWN,
        either(entry.shutdown_enabled, "SHUTENABLED", "SHUTDISABLED"),
    );
    no_value(
        cx,
        &[
            opt::BREXIT,
            opt::INSTALLUSRID,
            opt::CHANGEUSRID,
            opt::CHANGEAGREL,
            opt::DEFINESOURCE,
        ],
        &[
            opt::OTSTIMEOUT,
            opt::INSTALLTIME,
            opt::CHANGETIME,
            opt::DEFINETIME,
        ],
        &[
            opt::CHANGEAGENT,
            opt::AVAILSTATUS,
            opt::ROUTESTATUS,
            opt::INSTALLAGENT,
        ],
    );
    cx.set_text(opt::FACILITYLIKE, "");
    NORMAL
}

/// What INQUIRE TRANSACTION and INQUIRE TASK both tell about a transaction.
pub(super) fn attributes(cx: &mut Cx<'_>, entry: &TransactionEntry) {
    let class = if entry.class.is_blank() {
        "DFHTCL00"
    } else {
        entry.class.as_str()
    };
    cx.set_text(opt::TRANCLASS, class);
    cx.set_text(opt::PROFILE, entry.profile.as_str());
    cx.set_cvda(
        opt::PURGEABILITY,
        either(entry.spurge, "PURGEABLE", "NOTPURGEABLE"),
    );
    let runaway = entry.runaway_ms.unwrap_or(cx.region.facts.runaway_ms);
    cx.set_number(opt::RUNAWAY, runaway.min(i32::MAX as u64) as i64);
    cx.set_cvda(
        opt::RUNAWAYTYPE,
        either(entry.runaway_ms.is_none(), "SYSTEM", "USER"),
    );
    cx.set_number(
        opt::DTIMEOUT,
        (entry.dtimout_ms / 1000).min(i32::MAX as u64) as i64,
    );
    cx.set_number(opt::TWASIZE, i64::from(entry.twa_bytes));
    cx.set_cvda(opt::TASKDATALOC, either(entry.data_any, "ANY", "BELOW"));
    cx.set_cvda(
        opt::TASKDATAKEY,
        either(entry.cics_key, "CICSDATAKEY", "USERDATAKEY"),
    );
    cx.set_cvda(opt::CMDSEC, either(entry.cmdsec, "CMDSECYES", "CMDSECNO"));
    cx.set_cvda(opt::RESSEC, either(entry.ressec, "RESSECYES", "RESSECNO"));
    cx.set_cvda(opt::DUMPING, either(entry.dump, "TRANDUMP", "NOTRANDUMP"));
    cx.set_cvda(
        opt::ISOLATEST,
        either(entry.isolate, "ISOLATE", "NOISOLATE"),
    );
    cx.set_cvda(
        opt::STORAGECLEAR,
        either(entry.storage_clear, "CLEAR", "NOCLEAR"),
    );
    cx.set_cvda(opt::TRACING, either(entry.trace, "STANTRACE", "SPRSTRACE"));
    cx.set_cvda(opt::DYNAMSTATUS, "NOTDYNAMIC");
    cx.set_cvda(opt::ROUTING, "STATIC");
    cx.set_cvda(opt::SCRNSIZE, "DEFAULT");
    cx.set_cvda(opt::INDOUBT, "BACKOUT");
    cx.set_cvda(opt::INDOUBTWAIT, "WAIT");
    no_value(
        cx,
        &[opt::REMOTENAME, opt::REMOTESYSTEM, opt::TRPROF],
        &[opt::RTIMEOUT, opt::TCLASS, opt::INDOUBTMINS],
        &[],
    );
}

/// SET TRANSACTION.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<4>(opt::TRANSACTION).unwrap_or([b' '; 4]);
    cx.resource(&name);
    let name = TransId::from_field(&name);
    let Some(mut entry) = TransactionEntry::find(cx.host.shared(), name) else {
        return raise(Resp::TRANSIDERR, 1);
    };
    let enable = cx.value_is(opt::ENABLED, opt::STATUS, "ENABLED");
    let disable = cx.value_is(opt::DISABLED, opt::STATUS, "DISABLED");
    if cx.has(opt::STATUS) && !enable && !disable {
        return raise(Resp::INVREQ, 4);
    }
    let priority = match cx.number(opt::PRIORITY).map(u8::try_from) {
        None => None,
        Some(Ok(priority)) => Some(priority),
        Some(Err(_)) => return raise(Resp::INVREQ, 3),
    };
    let before = entry.clone();
    change(cx, &mut entry);
    if entry != before && !entry.install(cx.host.shared()) {
        return raise(Resp::INVREQ, 0);
    }
    if enable || disable {
        ask(cx, SetRequest::TransactionEnabled(name, enable))?;
    }
    if let Some(priority) = priority {
        ask(cx, SetRequest::TransactionPriority(name, priority))?;
    }
    NORMAL
}

/// Attributes that need no more than the definition.
fn change(cx: &Cx<'_>, entry: &mut TransactionEntry) {
    let is = |keyword, cvda, name| cx.value_is(keyword, cvda, name);
    let flags = [
        (
            &mut entry.spurge,
            is(opt::PURGEABLE, opt::PURGEABILITY, "PURGEABLE"),
            is(opt::NOTPURGEABLE, opt::PURGEABILITY, "NOTPURGEABLE"),
        ),
        (
            &mut entry.dump,
            is(opt::TRANDUMP, opt::DUMPING, "TRANDUMP"),
            is(opt::NOTRANDUMP, opt::DUMPING, "NOTRANDUMP"),
        ),
        (
            &mut entry.shutdown_enabled,
            is(opt::SHUTENABLED, opt::SHUTDOWN, "SHUTENABLED"),
            is(opt::SHUTDISABLED, opt::SHUTDOWN, "SHUTDISABLED"),
        ),
        (
            &mut entry.trace,
            is(opt::STANTRACE, opt::TRACING, "STANTRACE"),
            is(opt::SPRSTRACE, opt::TRACING, "SPRSTRACE"),
        ),
    ];
    for (flag, on, off) in flags {
        *flag = (*flag || on) && !off;
    }
    if let Some(runaway) = cx
        .number(opt::RUNAWAY)
        .and_then(|ms| u64::try_from(ms).ok())
    {
        entry.runaway_ms = Some(runaway);
    }
    if is(opt::SYSTEM, opt::RUNAWAYTYPE, "SYSTEM") {
        entry.runaway_ms = None;
    }
    if let Some(class) = cx.name::<8>(opt::TRANCLASS) {
        entry.class = match &class {
            b"DFHTCL00" => TransClass::BLANK,
            class => TransClass::from_field(class),
        };
    }
}
