//! EXEC CICS DUMP TRANSACTION, and the dump at an abend: a text a person can read.
//!
//! Holds the task, its last commands, what it holds, its EIB, program levels, COMMAREA,
//! storage of the program that ran, TWA, containers, user trace entries and the storage the
//! program names; storage as hexadecimal and characters, at most [`AREA_BYTES_MAX`] bytes of each
//! area.
//!
//! Conditions: INVREQ 1 (DUMPCODE blank), 13 (more segments than allowed); IOERR 9 (the dump file
//! cannot be written); SUPPRESSED 1 (as many dumps of this code were taken as its entry allows), 2
//! (its entry says NOTRANDUMP).

use super::dump_area::{AREA_BYTES_MAX, area};
use super::{dump_code, dump_state, dump_storage};
use crate::command::{Cx, Done, Fail, NORMAL, RegionView, area_in, raise};
use crate::task_state::TaskState;
use std::fmt::Write as _;
use transom_commands::opt;
use transom_messages as messages;
use transom_region_task::status;
use transom_types::calendar::DateTime;
use transom_types::{AbendCode, Resp};
use transom_workers::seam::{Address, Host};

/// Segments of one DUMP TRANSACTION.
pub const SEGMENTS_MAX: i64 = 1_000;

/// The command.
pub(crate) fn dump_transaction(cx: &mut Cx<'_>) -> Done {
    let code = cx.name::<4>(opt::DUMPCODE).unwrap_or([b' '; 4]);
    if code == [b' '; 4] {
        return raise(Resp::INVREQ, 1);
    }
    let code = String::from_utf8_lossy(&code).trim_end().to_owned();
    if let Err(resp2) = may_take(cx.host, &code) {
        return raise(Resp::SUPPRESSED, resp2);
    }
    let mut text = heading(cx.host, cx.task, cx.region, &code);
    let _ = writeln!(
        text,
        "Requested by {} line {}",
        cx.task.program(),
        cx.call.line()
    );
    body(&mut text, cx.host, cx.task, cx.region);
    if cx.has(opt::FROM) {
        let given = cx.number(opt::FLENGTH).or(cx.number(opt::LENGTH));
        let length = match given {
            Some(length) => usize::try_from(length).unwrap_or(0),
            None => cx.call.bytes(opt::FROM).map_or(0, <[u8]>::len),
        };
        let address = cx.call.address_of(opt::FROM).unwrap_or(0);
        let data = area_in(cx.host, cx.call, opt::FROM, length.min(AREA_BYTES_MAX));
        area(&mut text, "FROM", address, data, length);
    }
    segments(cx, &mut text)?;
    match cx
        .host
        .write_dump(&format!("{}_{code}", cx.task.transaction.transid), &text)
    {
        Ok(id) => {
            let program = cx.task.program();
            cx.host
                .log(messages::ap::dump_requested(&id, &code, program).line());
            cx.set_text(opt::DUMPID, &id);
            NORMAL
        }
        Err(why) => {
            cx.host
                .log(messages::ap::dump_not_written("transaction", &why).line());
            raise(Resp::IOERR, 9)
        }
    }
}

/// SEGMENTLIST and LENGTHLIST: addresses and lengths of 4 bytes each, side by side.
fn segments(cx: &Cx<'_>, text: &mut String) -> Result<(), Fail> {
    let (Some(list), Some(lengths), Some(count)) = (
        cx.call.pointer(opt::SEGMENTLIST),
        cx.call.pointer(opt::LENGTHLIST),
        cx.number(opt::NUMSEGMENTS),
    ) else {
        return Ok(());
    };
    if !(1..=SEGMENTS_MAX).contains(&count) {
        return raise(Resp::INVREQ, 13);
    }
    let (addresses, _) = cx.host.memory(list, count as usize * 4).as_chunks::<4>();
    let (lengths, _) = cx.host.memory(lengths, count as usize * 4).as_chunks::<4>();
    for (number, (address, length)) in addresses.iter().zip(lengths).enumerate() {
        let address = (u32::from_be_bytes(*address) & 0x7FFF_FFFF) as Address;
        // Lengths are COBOL fullwords, big-endian.
        let length = u32::from_be_bytes(*length) as usize;
        let data = cx.host.memory(address, length.min(AREA_BYTES_MAX));
        area(
            text,
            &format!("SEGMENT {}", number + 1),
            address,
            data,
            length,
        );
    }
    Ok(())
}

/// Writes the dump of an abend. A dump that cannot be written is only logged.
pub(crate) fn at_abend(
    host: &mut dyn Host,
    task: &TaskState,
    region: &RegionView,
    code: AbendCode,
    why: &str,
) {
    if may_take(host, code.as_str()).is_err() {
        return;
    }
    let mut text = heading(host, task, region, code.as_str());
    let _ = writeln!(text, "Abend {code}: {why}");
    if let Some(place) = task
        .abend
        .place
        .as_ref()
        .filter(|_| task.abend.program_check)
    {
        let _ = writeln!(text, "{}", status::line(place));
    }
    body(&mut text, host, task, region);
    match host.write_dump(&format!("{}_{code}", task.transaction.transid), &text) {
        Ok(id) => host
            .log(messages::ap::dump_taken(&id, task.number, task.transaction.transid, code).line()),
        Err(why) => {
            host.log(messages::ap::dump_not_written("transaction", &why).line());
        }
    }
}

/// Counts a dump of this code; an error is RESP2 of SUPPRESSED. Says once that there were enough.
fn may_take(host: &dyn Host, code: &str) -> Result<(), u32> {
    dump_code::count(host, code, |maximum| {
        host.log(messages::ap::dumps_suppressed(maximum, code).line());
    })
}

fn heading(host: &dyn Host, task: &TaskState, region: &RegionView, code: &str) -> String {
    let now = DateTime::from_abstime(host.abstime_ms());
    format!(
        "TRANSACTION DUMP  code {code}\n\
         Region {} ({})  {:04}-{:02}-{:02} {:02}:{:02}:{:02}.{:03}\n\
         Task {}  transaction {}  user {}  first program {}  priority {}\n",
        region.facts.applid,
        region.facts.sysid,
        now.year,
        now.month,
        now.day,
        now.hour,
        now.minute,
        now.second,
        now.millisecond,
        task.number,
        task.transaction.transid,
        task.userid,
        task.transaction.program,
        task.priority,
    )
}

fn levels(text: &mut String, task: &TaskState) {
    text.push_str("\nPROGRAM LEVELS, highest first\n");
    for (number, level) in task.levels.iter().enumerate() {
        let channel = level
            .channel
            .and_then(|id| task.channels.get(id))
            .map(|c| c.name);
        let _ = writeln!(
            text,
            "  {number}: {:8}  invoked by {:8}  COMMAREA {} bytes  channel {}",
            level.program,
            level.invoked_by,
            level.area.bytes,
            channel.map_or_else(|| "none".to_owned(), |name| name.to_string()),
        );
    }
}

fn body(text: &mut String, host: &mut dyn Host, task: &TaskState, region: &RegionView) {
    levels(text, task);
    dump_state::last_commands(text, region);
    dump_state::trace(text, host);
    dump_state::held(text, task);
    let block = host.eib_mut().to_vec();
    area(text, "EIB", 0, &block, block.len());
    dump_state::eib_fields(text, &block);
    for (number, level) in task
        .levels
        .iter()
        .enumerate()
        .filter(|(_, l)| l.area.bytes > 0)
    {
        let shown = level.area.bytes.min(AREA_BYTES_MAX);
        let data = host.memory(level.area.address, shown);
        let title = format!("COMMAREA of level {number} ({})", level.program);
        area(text, &title, level.area.address, data, level.area.bytes);
    }
    dump_storage::storage(text, host, task);
    if task.storage.twa != 0 {
        let bytes = task.transaction.twa_bytes as usize;
        area(
            text,
            "TWA",
            task.storage.twa,
            host.memory(task.storage.twa, bytes.min(AREA_BYTES_MAX)),
            bytes,
        );
    }
    for (channel, container) in task.channels.all_containers() {
        let kind = container
            .ccsid
            .map_or_else(|| "BIT".into(), |ccsid| format!("CHAR {ccsid}"));
        let title = format!("CONTAINER {} of channel {channel} ({kind})", container.name);
        let shown = container.data.len().min(AREA_BYTES_MAX);
        area(
            text,
            &title,
            0,
            &container.data[..shown],
            container.data.len(),
        );
    }
    for entry in &task.trace {
        let title = format!(
            "TRACE {:03} {} from {} {}",
            entry.number,
            entry.resource,
            entry.program,
            if entry.exception { "exception" } else { "" }
        );
        area(text, title.trim_end(), 0, &entry.data, entry.data.len());
    }
}
