//! EXEC CICS INQUIRE AUTOINSTALL, PERFORM STATISTICS, RESETTIME and DUMP.
//!
//! PERFORM STATISTICS hands records of the types it names to the files of records, of all of them
//! with ALL, and writes all counters to the log, whatever it names. The clock is the machine's, so
//! RESETTIME finds it right. A system dump is a text about the region; SIT DUMP=NO and SET SYSTEM
//! NOSYSDUMP suppress it, never a transaction dump. Conditions: NOTAUTH 100; PERFORM STATISTICS:
//! INVREQ 0 (RESETNOW without ALL); PERFORM DUMP: INVREQ 6 (DUMPCODE), 7 (TITLELENGTH), 8
//! (CALLERLENGTH), SUPPRESSED 2 (by SIT or SET SYSTEM), IOERR 9.

use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use transom_commands::{OptionId, opt};
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::Space;
use transom_wire::definitions::SystemEntry;
use transom_wire::system::Request;

/// RESP2 of a dump that DUMP of the system suppresses.
const SUPPRESSED_BY_SYSTEM: u32 = 2;

/// Types of statistics that there are records of.
const TYPES: [(OptionId, &str); 18] = [
    (opt::TRANSACTION, "TRANSACTION"),
    (opt::TRANCLASS, "TRANCLASS"),
    (opt::TCLASS, "TRANCLASS"),
    (opt::PROGRAM, "PROGRAM"),
    (opt::FILE, "FILE"),
    (opt::MONITOR, "MONITOR"),
    (opt::DISPATCHER, "DISPATCHER"),
    (opt::ENQUEUE, "ENQUEUE"),
    (opt::STORAGE, "STORAGE"),
    (opt::TERMINAL, "TERMINAL"),
    (opt::TDQUEUE, "TDQUEUE"),
    (opt::TSQUEUE, "TSQUEUE"),
    (opt::RECOVERY, "RECOVERY"),
    (opt::JOURNALNAME, "JOURNALNAME"),
    (opt::DB2, "DB2CONN"),
    (opt::DB2, "DB2ENTRY"),
    (opt::CONNECTION, "CONNECTION"),
    (opt::IPCONN, "IPCONN"),
];

/// INQUIRE AUTOINSTALL: all it answers is constant.
pub(crate) fn inquire(_: &mut Cx<'_>) -> Done {
    NORMAL
}

/// PERFORM STATISTICS.
pub(crate) fn perform(cx: &mut Cx<'_>) -> Done {
    let (all, reset) = (cx.has(opt::ALL), cx.has(opt::RESETNOW));
    if reset && !all {
        return raise(Resp::INVREQ, 0);
    }
    let types = TYPES.iter().filter(|(option, _)| !all && cx.has(*option));
    let options: Vec<String> = types.map(|(_, name)| (*name).to_owned()).collect();
    cx.ask(&Request::Statistics)?;
    if all || !options.is_empty() {
        cx.ask(&Request::RecordStatistics { options, reset })?;
    }
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
        return raise(Resp::INVREQ, 6);
    }
    let facts = SystemEntry::find(cx.host.shared()).unwrap_or_else(|| cx.region.facts.clone());
    if !facts.dump {
        return raise(Resp::SUPPRESSED, SUPPRESSED_BY_SYSTEM);
    }
    let (title, caller) = (
        words(cx, opt::TITLE, opt::TITLELENGTH, 80, 7)?,
        words(cx, opt::CALLER, opt::CALLERLENGTH, 8, 8)?,
    );
    let mut text = format!(
        "System dump {code} of {} ({})\nTitle {title}\nCaller {caller}\nMXT {}\n\nTasks\n",
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
            raise(Resp::IOERR, 9)
        }
    }
}

/// Text of a dump's heading, with the RESP2 of a length that it cannot have.
fn words(
    cx: &Cx<'_>,
    area: OptionId,
    length: OptionId,
    most: usize,
    resp2: u32,
) -> Result<String, Fail> {
    if !cx.has(area) {
        return Ok(String::new());
    }
    let Some(length) = length_of(cx.call, area, &[length], most) else {
        return raise(Resp::INVREQ, resp2);
    };
    let text = area_in(cx.host, cx.call, area, length).to_vec();
    Ok(String::from_utf8_lossy(&text).trim_end().to_owned())
}
