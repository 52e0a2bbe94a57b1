//! EXEC CICS INQUIRE REQID (with START, NEXT, END): START, DELAY and POST requests that wait.
//!
//! TIME and INTERVAL are hhmmss; with AT the parts of HOURS, MINUTES and SECONDS are those of the
//! time of day, else of the time left. Conditions: NOTFND 1 (no such request), ILLOGIC 1, END 2
//! (browse). Differs: a DELAY tells no time.

use super::answer::{either, no_value};
use super::browse::{Wanted, wanted_of};
use crate::command::{Cx, Done, Fail, NORMAL, raise, to_storage};
use crate::interval::post;
use crate::interval::reqid::reqid;
use transom_commands::opt;
use transom_types::calendar::DAY_MS;
use transom_types::{ReqId, Resp, TermId};
use transom_wire::Space;
use transom_wire::definitions::{DEFINITION, TaskEntry};
use transom_wire::interval::{Request, StartRequest, Waiting};
use transom_wire::language::whole;

/// INQUIRE REQID.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let wanted = wanted_of(cx, opt::REQID, ReqId::LEN, names)?;
    let Wanted::Name(name) = wanted else {
        return NORMAL;
    };
    // A browse has the name as it is, and so has who gave it.
    let reqid = if cx.has(opt::NEXT) { None } else { reqid(cx) };
    let reqid = reqid.unwrap_or(ReqId::from_field(&name));
    if delays(cx)
        .iter()
        .any(|delay| delay[..] == *reqid.as_bytes())
    {
        return nothing(cx, "DELAY");
    }
    if let Some(at) = post::waiting(cx, reqid) {
        let left = at.saturating_sub(cx.host.abstime_ms());
        nothing(cx, "POST")?;
        return time(cx, left);
    }
    let answer = cx.ask(&Request::Inquire(reqid))?;
    let Some(waiting) = Waiting::decode(&answer) else {
        return raise(Resp::NOTFND, 1);
    };
    start(cx, &waiting.request)?;
    time(cx, i64::try_from(waiting.left_ms).unwrap_or(i64::MAX))
}

fn start(cx: &mut Cx<'_>, request: &StartRequest) -> Done {
    let route = request.termid.is_some() && request.data.from.is_none();
    cx.set_cvda(opt::REQTYPE, either(route, "ROUTE", "START"));
    cx.set_text(opt::TRANSID, request.transid.as_str());
    cx.set_text(
        opt::TERMID,
        request.termid.as_ref().map_or("", TermId::as_str),
    );
    cx.set_text(opt::USERID, request.userid.as_str());
    let data = &request.data;
    cx.set_cvda(opt::FMHSTATUS, either(data.fmh, "FMH", "NOFMH"));
    cx.set_bytes(opt::RTRANSID, &data.rtransid.unwrap_or([b' '; 4]), b' ');
    cx.set_bytes(opt::RTERMID, &data.rtermid.unwrap_or([b' '; 4]), b' ');
    cx.set_bytes(opt::QUEUE, &data.queue.unwrap_or([b' '; 8]), b' ');
    let from = data.from.as_deref().unwrap_or_default();
    cx.set_number(opt::LENGTH, from.len() as i64);
    if cx.has(opt::SET) {
        let area = if from.is_empty() {
            0
        } else {
            to_storage(cx.host, from)?
        };
        cx.call.set_pointer(opt::SET, area);
    }
    NORMAL
}

fn nothing(cx: &mut Cx<'_>, kind: &str) -> Done {
    cx.set_cvda(opt::REQTYPE, kind);
    no_value(
        cx,
        &[
            opt::TERMID,
            opt::TRANSID,
            opt::USERID,
            opt::RTRANSID,
            opt::RTERMID,
            opt::QUEUE,
        ],
        &[
            opt::LENGTH,
            opt::TIME,
            opt::INTERVAL,
            opt::HOURS,
            opt::MINUTES,
            opt::SECONDS,
        ],
        &[opt::FMHSTATUS],
    );
    cx.call.set_pointer(opt::SET, 0);
    NORMAL
}

fn time(cx: &mut Cx<'_>, left_ms: i64) -> Done {
    let left = left_ms.max(0) / 1_000;
    let at = (cx.host.abstime_ms() + left_ms.max(0)).rem_euclid(DAY_MS) / 1_000;
    let hhmmss = |s: i64| s / 3_600 * 10_000 + s / 60 % 60 * 100 + s % 60;
    cx.set_number(opt::TIME, hhmmss(at));
    cx.set_number(opt::INTERVAL, hhmmss(left));
    let shown = if cx.has(opt::AT) { at } else { left };
    cx.set_number(opt::HOURS, shown / 3_600);
    cx.set_number(opt::MINUTES, shown / 60 % 60);
    cx.set_number(opt::SECONDS, shown % 60);
    NORMAL
}

fn names(cx: &mut Cx<'_>) -> Result<Vec<Vec<u8>>, Fail> {
    let mut names = delays(cx);
    names.extend(cx.host.shared().group_names(Space::Interval));
    let starts: Vec<ReqId> = whole(&cx.ask(&Request::List)?).unwrap_or_default();
    names.extend(starts.iter().map(|name| name.as_bytes().to_vec()));
    Ok(names)
}

fn delays(cx: &Cx<'_>) -> Vec<Vec<u8>> {
    let shared = cx.host.shared();
    let mut names = Vec::new();
    for group in shared.group_names(Space::Task) {
        shared.with_group(Space::Task, &group, &mut |group| {
            let entry = group.get(DEFINITION).and_then(TaskEntry::decode);
            if let Some(entry) = entry.filter(|entry| !entry.reqid.is_blank()) {
                names.push(entry.reqid.as_bytes().to_vec());
            }
        });
    }
    names
}
