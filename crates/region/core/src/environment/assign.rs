//! EXEC CICS ASSIGN: values of the task and the region.
//!
//! Options that describe a terminal raise INVREQ, since tasks here have none: RESP2 200 in a
//! program a mirror linked to, 1 otherwise. The other
//! options of the same call are answered first.

use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;

/// The command.
pub(crate) fn assign(cx: &mut Cx<'_>) -> Done {
    programs(cx);
    region(cx);
    task(cx);
    abends(cx);
    nothing_there(cx);
    if TERMINAL.iter().any(|option| cx.has(*option)) {
        let resp2 = if cx.task.mirror().is_some() { 200 } else { 1 };
        return raise(Resp::INVREQ, resp2);
    }
    NORMAL
}

fn programs(cx: &mut Cx<'_>) {
    let levels = &cx.task.levels;
    let mirrored = usize::from(cx.task.mirror().is_some());
    let link_level = levels.len() + mirrored;
    let (program, invoking, channel) = match levels.last() {
        Some(level) => (level.program, level.invoked_by, level.channel),
        None => return,
    };
    let returns_to = match levels.len() {
        0 | 1 => cx.task.mirror(),
        n => Some(levels[n - 2].program),
    };
    if cx.has(opt::PROGRAM) {
        cx.set_text(opt::PROGRAM, program.as_str());
    }
    if cx.has(opt::INVOKINGPROG) {
        cx.set_text(opt::INVOKINGPROG, invoking.as_str());
    }
    if cx.has(opt::RETURNPROG) {
        cx.set_text(
            opt::RETURNPROG,
            returns_to.as_ref().map_or("", |name| name.as_str()),
        );
    }
    if cx.has(opt::CHANNEL) {
        let name = channel
            .and_then(|id| cx.task.channels.get(id))
            .map(|channel| channel.name);
        cx.set_text(opt::CHANNEL, name.as_ref().map_or("", |name| name.as_str()));
    }
    cx.set_number(opt::LINKLEVEL, link_level as i64);
    if cx.has(opt::INITPARM) || cx.has(opt::INITPARMLEN) {
        let parms = &cx.region.facts.initparm;
        let text = parms
            .iter()
            .find(|(name, _)| *name == program)
            .map(|(_, text)| text.clone());
        let text = text.unwrap_or_default();
        cx.set_text(opt::INITPARM, &text);
        cx.set_number(opt::INITPARMLEN, text.len() as i64);
    }
}

fn region(cx: &mut Cx<'_>) {
    let (applid, sysid) = (cx.region.facts.applid, cx.region.facts.sysid);
    cx.set_text(opt::APPLID, applid.as_str());
    cx.set_text(opt::SYSID, sysid.as_str());
    let facts = &cx.region.facts;
    let (ccsid, cwa) = (facts.local_ccsid, facts.cwa_bytes);
    cx.set_number(opt::LOCALCCSID, i64::from(ccsid));
    cx.set_number(opt::CWALENG, i64::from(cwa));
    cx.set_text(opt::NATLANGINUSE, "E");
    cx.set_text(opt::LANGINUSE, "ENU");
}

fn task(cx: &mut Cx<'_>) {
    let (userid, priority) = (cx.task.userid, cx.task.priority);
    let (twa, transaction_priority) = (cx.task.transaction.twa_bytes, cx.task.transaction.priority);
    let (cmdsec, ressec) = (cx.task.transaction.cmdsec, cx.task.transaction.ressec);
    cx.set_text(opt::USERID, userid.as_str());
    cx.set_text(opt::USERNAME, "");
    cx.set_number(opt::TASKPRIORITY, i64::from(priority));
    cx.set_number(opt::TRANPRIORITY, i64::from(transaction_priority));
    cx.set_number(opt::USERPRIORITY, 0);
    cx.set_number(opt::TWALENG, i64::from(twa));
    cx.set_number(opt::TCTUALENG, 0);
    let start_code = cx.task.start_code();
    cx.set_bytes(opt::STARTCODE, &start_code, b' ');
    cx.set_text(opt::CMDSEC, if cmdsec { "X" } else { "" });
    cx.set_text(opt::RESSEC, if ressec { "X" } else { "" });
    cx.set_bytes(opt::RESTART, &[0], 0);
}

fn abends(cx: &mut Cx<'_>) {
    let abend = &cx.task.abend;
    let code = abend.code.map(|code| *code.as_bytes()).unwrap_or([b' '; 4]);
    let first = abend
        .first
        .map(|code| *code.as_bytes())
        .unwrap_or([b' '; 4]);
    let (program, dump) = (abend.program, abend.dump);
    cx.set_bytes(opt::ABCODE, &code, b' ');
    cx.set_bytes(opt::ORGABCODE, &first, b' ');
    if cx.has(opt::ABPROGRAM) {
        cx.set_text(
            opt::ABPROGRAM,
            program.as_ref().map_or("", |name| name.as_str()),
        );
    }
    cx.set_bytes(opt::ABDUMP, &[if dump { 0xFF } else { 0 }], 0);
    cx.set_number(opt::ABOFFSET, 0);
    // There is no PSW; binary zeros is what CICS answers when there was no program check.
    for option in [
        opt::ASRAINTRPT,
        opt::ASRAPSW,
        opt::ASRAPSW16,
        opt::ASRAREGS,
        opt::ASRAREGS64,
    ] {
        cx.set_bytes(option, &[], 0);
    }
    let check = cx.task.abend.program_check;
    cx.set_cvda(
        opt::ASRAKEY,
        if check { "USEREXECKEY" } else { "NOTAPPLIC" },
    );
    cx.set_cvda(opt::ASRASPC, if check { "BASESPACE" } else { "NOTAPPLIC" });
    cx.set_cvda(opt::ASRASTG, "NOTAPPLIC");
}

/// Parts of CICS this region does not have, in the way a region without them answers.
fn nothing_there(cx: &mut Cx<'_>) {
    for option in [
        opt::ACTIVITY,
        opt::ACTIVITYID,
        opt::APPLICATION,
        opt::BRIDGE,
        opt::ERRORMSG,
        opt::NEXTTRANSID,
        opt::OPERATION,
        opt::OPID,
        opt::PLATFORM,
        opt::PROCESS,
        opt::PROCESSTYPE,
    ] {
        cx.set_text(option, "");
    }
    for option in [opt::FCI, opt::OPCLASS, opt::OPERKEYS, opt::OPSECURITY] {
        cx.set_bytes(option, &[], 0);
    }
    for option in [opt::MAJORVERSION, opt::MINORVERSION, opt::MICROVERSION] {
        cx.set_number(option, -1);
    }
    for option in [opt::ERRORMSGLEN, opt::INPUTMSGLEN, opt::TNPORT] {
        cx.set_number(option, 0);
    }
    cx.set_text(opt::TNADDR, "");
    cx.set_cvda(opt::TNIPFAMILY, "NOTAPPLIC");
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
