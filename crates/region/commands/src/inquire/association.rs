//! EXEC CICS INQUIRE ASSOCIATION, INQUIRE ASSOCIATION LIST and SET ASSOCIATION.
//!
//! A task's entry has its association data, those of its origin among them, so any task can be
//! asked about. Times have 21 characters, yyyymmddhhmmss.ssssss, local time. The list lies in task
//! storage: task numbers as packed decimals of 4 bytes. No task has a distributed identity, so
//! DNAME and REALM leave nothing in it. Conditions: TASKIDERR 1 (no such task); SET: INVREQ 1 (the
//! task is not its own origin). Not here: who inherits (`task::association`).

use super::task::{all, numbers};
use crate::command::{Cx, Done, NORMAL, raise};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use transom_commands::{OptionId, opt};
use transom_types::calendar::DateTime;
use transom_types::{Resp, TransId};
use transom_wire::association::{Beginning, CORRELATION_BYTES, Facility, Itself, Origin, Previous};
use transom_wire::definitions::TaskEntry;
use transom_wire::pattern::matches_with;

/// INQUIRE ASSOCIATION.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let entry = super::task::find(cx, opt::ASSOCIATION)?;
    own(cx, &entry);
    let itself = Itself {
        applid: cx.region.facts.applid,
        task_number: entry.task_number,
        transid: entry.transid,
        userid: entry.userid,
        start_abstime_ms: entry.start_abstime_ms,
    };
    origin(cx, &entry.association.origin_of(&itself));
    previous(cx, entry.association.previous);
    NORMAL
}

/// The task itself.
fn own(cx: &mut Cx<'_>, entry: &TaskEntry) {
    let applid = cx.region.facts.applid;
    cx.set_text(opt::APPLID, applid.as_str());
    cx.set_text(opt::TRANSACTION, entry.transid.as_str());
    cx.set_text(opt::PROGRAM, entry.program.as_str());
    cx.set_text(opt::USERID, entry.userid.as_str());
    cx.set_text(opt::INITUSERID, entry.userid.as_str());
    time(cx, opt::STARTTIME, entry.start_abstime_ms);
    let Beginning {
        facility,
        facility_name,
        luname,
        client,
    } = &entry.association.beginning;
    cx.set_cvda(opt::FACILTYPE, value_of(*facility));
    cx.set_bytes(opt::FACILNAME, facility_name, b' ');
    cx.set_bytes(opt::LUNAME, luname, b' ');
    let (from, to) = (client.map(|c| c.client), client.map(|c| c.server));
    address(
        cx,
        [opt::CLIENTIPADDR, opt::CLIENTPORT, opt::CLNTIPFAMILY],
        from,
    );
    address(
        cx,
        [opt::SERVERIPADDR, opt::SERVERPORT, opt::SRVRIPFAMILY],
        to,
    );
    cx.set_cvda(opt::IPFAMILY, family(from));
}

fn origin(cx: &mut Cx<'_>, origin: &Origin) {
    cx.set_text(opt::ODAPPLID, origin.applid.as_str());
    cx.set_text(opt::ODTRANSID, origin.transid.as_str());
    cx.set_text(opt::ODUSERID, origin.userid.as_str());
    cx.set_number(opt::ODTASKID, i64::from(origin.task_number));
    time(cx, opt::ODSTARTTIME, origin.start_abstime_ms);
    let Beginning {
        facility,
        facility_name,
        luname,
        client,
    } = &origin.beginning;
    cx.set_cvda(opt::ODFACILTYPE, value_of(*facility));
    cx.set_bytes(opt::ODFACILNAME, facility_name, b' ');
    cx.set_bytes(opt::ODLUNAME, luname, b' ');
    let from = client.map(|c| c.client);
    address(
        cx,
        [opt::ODCLNTIPADDR, opt::ODCLNTPORT, opt::ODIPFAMILY],
        from,
    );
    cx.set_number(
        opt::ODSERVERPORT,
        client.map_or(0, |c| i64::from(c.server.port())),
    );
    cx.set_bytes(opt::USERCORRDATA, &origin.correlation, b' ');
    cx.set_bytes(opt::TRNGRPID, &group(origin), 0);
}

fn previous(cx: &mut Cx<'_>, previous: Option<Previous>) {
    let (count, number) = previous.map_or((0, 0), |task| (task.count, task.task_number));
    let transid = previous.map_or(TransId::BLANK, |task| task.transid);
    cx.set_number(opt::PTCOUNT, i64::from(count));
    cx.set_number(opt::PTTASKID, i64::from(number));
    cx.set_text(opt::PTTRANSID, transid.as_str());
    match previous {
        Some(task) => time(cx, opt::PTSTARTTIME, task.start_abstime_ms),
        None => cx.set_bytes(opt::PTSTARTTIME, &[], b' '),
    }
}

/// What tells the tasks of one origin from all others: length and name of the region, then the time
/// and the number of the task.
fn group(origin: &Origin) -> [u8; 28] {
    let mut group = [0; 28];
    let name = origin.applid.as_str().trim_end().as_bytes();
    group[0] = name.len() as u8;
    group[1..=name.len()].copy_from_slice(name);
    group[16..24].copy_from_slice(&origin.start_abstime_ms.to_be_bytes());
    group[24..].copy_from_slice(&origin.task_number.to_be_bytes());
    group
}

fn value_of(facility: Facility) -> &'static str {
    match facility {
        Facility::None => "NONE",
        Facility::Terminal => "TERMINAL",
        Facility::Start => "START",
        Facility::StartAtTerminal => "STARTTERM",
        Facility::TransientData => "TRANDATA",
        Facility::Child => "ASRUNTRAN",
        Facility::Link => "IPIC",
    }
}

/// Address, port and family; 0.0.0.0, 0 and UNKNOWN without one.
fn address(cx: &mut Cx<'_>, [text, port, kind]: [OptionId; 3], of: Option<SocketAddr>) {
    let ip = of.map_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED), |of| of.ip());
    cx.set_text(text, &ip.to_string());
    cx.set_number(port, of.map_or(0, |of| i64::from(of.port())));
    cx.set_cvda(kind, family(of));
}

fn family(of: Option<SocketAddr>) -> &'static str {
    match of {
        Some(SocketAddr::V4(_)) => "IPV4",
        Some(SocketAddr::V6(_)) => "IPV6",
        None => "UNKNOWN",
    }
}

fn time(cx: &mut Cx<'_>, option: OptionId, abstime_ms: u64) {
    if !cx.has(option) {
        return;
    }
    let at = DateTime::from_abstime(abstime_ms as i64);
    let text = format!(
        "{:04}{:02}{:02}{:02}{:02}{:02}.{:03}000",
        at.year, at.month, at.day, at.hour, at.minute, at.second, at.millisecond,
    );
    cx.set_text(option, &text);
}

/// INQUIRE ASSOCIATION LIST.
pub(crate) fn list(cx: &mut Cx<'_>) -> Done {
    let identity = [opt::DNAME, opt::REALM]
        .iter()
        .any(|option| cx.has(*option));
    let wanted = cx
        .call
        .bytes(opt::USERCORRDATA)
        .map(|bytes| bytes.trim_ascii_end().to_vec());
    let mut tasks = all(cx.host.shared());
    tasks.retain(|task| {
        let data = task.association.correlation();
        let fits = |wanted: &Vec<u8>| matches_with(wanted, data, b'?');
        !identity && wanted.as_ref().is_none_or(fits)
    });
    cx.set_number(opt::LISTSIZE, tasks.len() as i64);
    if cx.has(opt::SET) {
        let address = numbers(cx, tasks.iter().map(|task| task.task_number))?;
        cx.call.set_pointer(opt::SET, address);
    }
    NORMAL
}

/// SET ASSOCIATION USERCORRDATA.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let Some(data) = cx.call.bytes(opt::USERCORRDATA).map(<[u8]>::to_vec) else {
        return NORMAL;
    };
    let (number, start) = (cx.task.number, cx.task.start_abstime_ms as u64);
    let mut origin = crate::task::association::origin(cx);
    if (origin.task_number, origin.start_abstime_ms) != (number, start) {
        return raise(Resp::INVREQ, 1);
    }
    origin.correlation = [b' '; CORRELATION_BYTES];
    origin
        .correlation
        .iter_mut()
        .zip(data)
        .for_each(|(to, from)| *to = from);
    cx.task.association.origin = Some(origin);
    let association = cx.task.association;
    if let Some(mut entry) = TaskEntry::find(cx.host.shared(), number) {
        entry.association = association;
        // With shared storage full the task still hands it on, only INQUIRE does not show it.
        let _ = entry.install(cx.host.shared());
    }
    NORMAL
}
