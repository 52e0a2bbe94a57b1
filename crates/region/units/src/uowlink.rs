//! EXEC CICS INQUIRE UOWLINK (with START, NEXT, END) and SET UOWLINK: other regions in units of
//! work.
//!
//! UOW with START: links of that unit of work alone. Provenance: IBM Docs, "INQUIRE UOWLINK", "SET
//! UOWLINK" (5.3). Not here: which there are (`transom_region_links`), databases.
//!
//! Conditions: UOWLNOTFOUND 1, UOWNOTFOUND 1, ILLOGIC 1, END 2 (browse); SET: INVREQ 2 (it is told
//! just now), 3 (in doubt, and the link is to the coordinator), 5 (its session is in use), 6
//! (ACTION), 7 (a CONNECTION or IPCONN leads there).

use transom_commands::opt;
use transom_region_task::command::{Cx, Done, Fail, NORMAL, raise};
use transom_types::Resp;
use transom_wire::language::whole;
use transom_wire::partner::{LinkState, Request, UnitLink};

/// INQUIRE UOWLINK.
pub fn inquire(cx: &mut Cx<'_>) -> Done {
    if cx.has(opt::START) {
        return begin(cx);
    }
    if cx.has(opt::END) {
        return match cx.task.browses.unit_links.take() {
            Some(_) => NORMAL,
            None => raise(Resp::ILLOGIC, 1),
        };
    }
    let link = if cx.has(opt::NEXT) {
        let Some(links) = &mut cx.task.browses.unit_links else {
            return raise(Resp::ILLOGIC, 1);
        };
        links.pop_front().ok_or(Fail::Raise(Resp::END, 2))?
    } else {
        let token = token(cx);
        let found = all(cx)?.into_iter().find(|link| Some(link.token) == token);
        found.ok_or(Fail::Raise(Resp::UOWLNOTFOUND, 1))?
    };
    show(cx, &link);
    NORMAL
}

fn begin(cx: &mut Cx<'_>) -> Done {
    if cx.task.browses.unit_links.is_some() {
        return raise(Resp::ILLOGIC, 1);
    }
    let mut links = all(cx)?;
    if let Some(unit) = cx.call.bytes(opt::UOW).map(<[u8]>::to_vec) {
        links.retain(|link| unit.starts_with(&link.unit[..8]));
        if links.is_empty() {
            return raise(Resp::UOWNOTFOUND, 1);
        }
    }
    cx.task.browses.unit_links = Some(links.into());
    NORMAL
}

fn all(cx: &mut Cx<'_>) -> Result<Vec<UnitLink>, Fail> {
    let answer = cx.ask(&Request::UnitLinks)?;
    Ok(whole(&answer).unwrap_or_default())
}

fn token(cx: &Cx<'_>) -> Option<u32> {
    let given = cx.call.bytes(opt::UOWLINK)?;
    given.first_chunk().map(|bytes| u32::from_be_bytes(*bytes))
}

fn show(cx: &mut Cx<'_>, link: &UnitLink) {
    cx.set_bytes(opt::UOWLINK, &link.token.to_be_bytes(), 0);
    cx.set_bytes(opt::UOW, &link.unit, 0);
    cx.set_text(opt::LINK, link.applid.as_str());
    cx.set_text(opt::SYSID, link.system.as_str());
    cx.set_text(opt::HOST, &link.host);
    cx.set_number(opt::PORT, i64::from(link.port));
    let unit: String = link.unit[..8].iter().map(|b| format!("{b:02X}")).collect();
    let id = format!("{}.{unit}", cx.region.facts.applid);
    cx.set_text(opt::NETUOWID, &id);
    let role = match link.coordinates {
        true => "COORDINATOR",
        false => "SUBORDINATE",
    };
    cx.set_cvda(opt::ROLE, role);
    let (kind, protocol) = match link.over_tcp {
        true => ("IPCONN", "IPIC"),
        false => ("CONNECTION", "IRC"),
    };
    cx.set_cvda(opt::TYPE, kind);
    cx.set_cvda(opt::PROTOCOL, protocol);
    let state = match link.state {
        LinkState::Ok => "OK",
        LinkState::Unavailable => "UNAVAILABLE",
        LinkState::Unconnected => "UNCONNECTED",
    };
    cx.set_cvda(opt::RESYNCSTATUS, state);
}

/// SET UOWLINK.
pub fn set(cx: &mut Cx<'_>) -> Done {
    if !cx.value_is(opt::DELETE, opt::ACTION, "DELETE") {
        return raise(Resp::INVREQ, 6);
    }
    let Some(token) = token(cx) else {
        return raise(Resp::UOWLNOTFOUND, 1);
    };
    cx.ask(&Request::ForgetUnitLink(token))?;
    NORMAL
}
