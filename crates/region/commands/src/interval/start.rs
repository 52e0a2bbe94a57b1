//! EXEC CICS START: run a transaction now or later, with data, at a terminal or on its own.
//!
//! Without REQID one is made up and left in EIBREQID. PROTECT: the request counts from the next
//! syncpoint on, is gone after a backout and outlives the region. Conditions: INVREQ 4, 5, 6
//! (time), 18 (USERID and TERMID together); LENGERR (LENGTH not 1 to 32,763); CHANNELERR 1 (name);
//! IOERR (the REQID is in use, or the region holds too many requests); TRANSIDERR, TERMIDERR;
//! SYSIDERR 1 (SYSID, or the transaction's definition, names another system). A START whose data a
//! TSMODEL makes recoverable (by its REQID, or DF)
//! is protected too. Differs: NOCHECK changes nothing but that no REQID is made up.

use super::reqid::reqid;
use super::when;
use crate::asynchronous::copied_channel::copied_channel;
use crate::command::{Cx, Done, Fail, NORMAL, Remote, Resource, area_in, length_of, raise};
use crate::task::association::hand_on;
use transom_commands::opt;
use transom_types::{ReqId, Resp, TermId, TransId, TsQueueName, UserId};
use transom_wire::definitions::TsModelEntry;
use transom_wire::interval::{NO_REQID, Request, StartData, StartRequest};
use transom_wire::language::whole;

/// Most bytes of FROM.
pub const START_BYTES_MAX: usize = 32_763;

/// The command.
pub(crate) fn start(cx: &mut Cx<'_>) -> Done {
    let transid = cx.name::<4>(opt::TRANSID).unwrap_or([b' '; 4]);
    cx.resource(&transid);
    if let Some(system) = cx.remote(opt::SYSID) {
        return Err(Remote::by_sysid(system, 1));
    }
    let given = cx.name::<4>(opt::TERMID);
    if let Some(remote) = given.and_then(|name| at_surrogate(cx, TermId::from_field(&name))) {
        return Err(remote);
    }
    // A terminal of this region has another one run the transaction; the region knows its
    // terminals.
    let remote = of_another_system(cx, TransId::from_field(&transid));
    let remote = match (remote, given) {
        (Some(remote), None) => return Err(remote),
        (remote, _) => remote,
    };
    let wait_ms = when::wait_ms(cx)?;
    let termid = cx
        .name::<4>(opt::TERMID)
        .map(|name| TermId::from_field(&name));
    let userid = cx
        .name::<8>(opt::USERID)
        .map(|name| UserId::from_field(&name));
    if termid.is_some() && userid.is_some() {
        return raise(Resp::INVREQ, 18);
    }
    let request = StartRequest {
        reqid: reqid(cx).unwrap_or(NO_REQID),
        transid: TransId::from_field(&transid),
        termid,
        userid: userid.unwrap_or(cx.task.userid),
        protect: cx.has(opt::PROTECT) || has_recoverable_data(cx),
        attach: cx.has(opt::ATTACH),
        due_ms: 0,
        data: data(cx)?,
        channel: copied_channel(cx)?,
        inherited: (termid.is_none() && !cx.has(opt::ATTACH)).then(|| hand_on(cx)),
    };
    let (protect, given) = (request.protect, request.reqid);
    let answer = match (cx.ask(&Request::Start(wait_ms as u64, request)), remote) {
        (Err(Fail::Raise(Resp::SYSIDERR, _)), Some(remote)) => return Err(remote),
        (answer, _) => answer?,
    };
    if protect {
        cx.task.unit.touch();
    }
    if let Some(reqid) = whole(&answer)
        && (given != NO_REQID || !cx.has(opt::NOCHECK))
    {
        crate::eib::set_reqid(cx.host.eib_mut(), reqid);
    }
    NORMAL
}

/// The terminal is the task's own, and another region has it: that one knows when it is free.
fn at_surrogate(cx: &Cx<'_>, termid: TermId) -> Option<Fail> {
    let own = &cx.task.terminal.get()?.facts;
    if own.system.is_blank() || own.terminal != termid {
        return None;
    }
    let there = Some((opt::TERMID, own.there.as_bytes().to_vec()));
    Some(Remote::of(own.system, there, 1, None))
}

/// The definition of the transaction names another system.
fn of_another_system(cx: &mut Cx<'_>, transid: TransId) -> Option<Fail> {
    let shared = cx.host.shared();
    let entry = cx.region.caches.transaction(shared, transid)?;
    if !entry.is_remote() {
        return None;
    }
    let there = match entry.remote_name == [b' '; 8] {
        true => transid,
        false => TransId::from_field(&entry.remote_name[..4]),
    };
    let there = Some((opt::TRANSID, there.as_bytes().to_vec()));
    let by = Some(Resource::Transaction(transid));
    Some(Remote::of(entry.remote_system, there, 1, by))
}

/// The data goes to a temporary storage queue named as the REQID, whose model makes it recoverable.
fn has_recoverable_data(cx: &Cx<'_>) -> bool {
    let options = [opt::FROM, opt::RTRANSID, opt::RTERMID, opt::QUEUE];
    if !options.iter().any(|option| cx.has(*option)) {
        return false;
    }
    // A REQID the region makes up begins with DF.
    let queue = reqid(cx).unwrap_or(ReqId::new(*b"DF000000"));
    let queue = TsQueueName::from_field(queue.as_bytes());
    let model = TsModelEntry::of(cx.host.shared(), queue);
    model.is_some_and(|model| model.recovery && !model.main)
}

fn data(cx: &Cx<'_>) -> Result<StartData, Fail> {
    let from = if cx.has(opt::FROM) {
        let length = length_of(cx.call, opt::FROM, &[opt::LENGTH], START_BYTES_MAX);
        let Some(length) = length.filter(|length| *length > 0) else {
            return raise(Resp::LENGERR, 0);
        };
        Some(area_in(cx.host, cx.call, opt::FROM, length).to_vec())
    } else {
        None
    };
    Ok(StartData {
        from,
        fmh: cx.has(opt::FMH),
        rtransid: cx.name::<4>(opt::RTRANSID),
        rtermid: cx.name::<4>(opt::RTERMID),
        queue: cx.raw_name::<8>(opt::QUEUE),
    })
}
