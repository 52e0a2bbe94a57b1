//! EXEC CICS INQUIRE STATISTICS and AUTOINSTALL, PERFORM STATISTICS and RESETTIME.
//!
//! Statistics are not recorded at intervals: PERFORM STATISTICS writes all of them to the log,
//! whatever groups it names, and resets nothing. The clock is the machine's, so RESETTIME finds it
//! right. Terminals are installed when they connect, under the limit `max_sessions`. Conditions:
//! NOTAUTH 100.

use super::answer::no_value;
use crate::command::{Cx, Done, NORMAL};
use transom_commands::opt;
use transom_messages as messages;
use transom_wire::Space;
use transom_wire::system::Request;

/// INQUIRE STATISTICS.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    cx.set_cvda(opt::RECORDING, "OFF");
    no_value(
        cx,
        &[],
        &[
            opt::ENDOFDAY,
            opt::ENDOFDAYHRS,
            opt::ENDOFDAYMINS,
            opt::ENDOFDAYSECS,
            opt::INTERVAL,
            opt::INTERVALHRS,
            opt::INTERVALMINS,
            opt::INTERVALSECS,
            opt::NEXTTIME,
            opt::NEXTTIMEHRS,
            opt::NEXTTIMEMINS,
            opt::NEXTTIMESECS,
        ],
        &[],
    );
    NORMAL
}

/// INQUIRE AUTOINSTALL.
pub(crate) fn autoinstall(cx: &mut Cx<'_>) -> Done {
    cx.set_cvda(opt::ENABLESTATUS, "ENABLED");
    no_value(
        cx,
        &[opt::PROGRAM],
        &[opt::CURREQS, opt::MAXREQS],
        &[opt::AIBRIDGE, opt::CONSOLES],
    );
    NORMAL
}

/// PERFORM STATISTICS.
pub(crate) fn perform(cx: &mut Cx<'_>) -> Done {
    cx.ask(&Request::Statistics)?;
    NORMAL
}

/// PERFORM RESETTIME.
pub(crate) fn reset_time(_: &mut Cx<'_>) -> Done {
    NORMAL
}

/// PERFORM DUMP: what the region is and does, as a text.
pub(crate) fn dump(cx: &mut Cx<'_>) -> Done {
    let code = cx.name::<8>(opt::DUMPCODE).unwrap_or([b' '; 8]);
    let code = String::from_utf8_lossy(&code).trim_end().to_owned();
    if code.is_empty()
        || !code
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"@#$".contains(&b))
    {
        return crate::command::raise(transom_types::Resp::INVREQ, 6);
    }
    let facts = &cx.region.facts;
    let mut text = format!(
        "System dump {code} of {} ({})\nMXT {}\n\nTasks\n",
        facts.applid, facts.sysid, facts.max_tasks
    );
    let shared = cx.host.shared();
    for name in shared.group_names(Space::Task) {
        let number = name.as_slice().try_into().map(u32::from_be_bytes);
        let task = number
            .ok()
            .and_then(|n| transom_wire::definitions::TaskEntry::find(shared, n));
        if let Some(task) = task {
            text.push_str(&format!(
                "{:07} {} {} {} {} {}\n",
                task.task_number,
                task.transid,
                task.program,
                task.userid,
                task.suspend_type,
                task.suspend_value
            ));
        }
    }
    let counters = cx.ask(&Request::Statistics)?;
    text.push_str("\nStatistics\n");
    text.push_str(&String::from_utf8_lossy(&counters));
    match cx.host.write_dump(&format!("SYSTEM_{code}"), &text) {
        Ok(id) => {
            cx.set_text(opt::DUMPID, &id);
            NORMAL
        }
        Err(why) => {
            cx.host
                .log(messages::ap::dump_not_written("system", &why).line());
            crate::command::raise(transom_types::Resp::IOERR, 9)
        }
    }
}
