//! EXEC CICS SEND PAGE and PURGE MESSAGE: the end of a logical message; and SEND PARTNSET.
//!
//! SEND PAGE completes the last page. A message of PAGING then goes to a paging session at its
//! terminals: when they are free; with RELEASE at once, and the task ends as by RETURN at the
//! highest level; with RETAIN at once, and the task goes on when the user has seen it. A syncpoint
//! and the end of the task end a message too; what ACCUM left of the last page is then lost.
//! Conditions: INVREQ (no message is being built, RETAIN or RELEASE without terminal; INVREQ 200 in
//! a linked program), RETPAGE (SET has the last pages), TSIOERR (the region has no room for the
//! message).

use super::super::output;
use super::super::own::own;
use super::message::{self, ask, dispose};
use super::page_map::end_page;
use super::send_text::band;
use super::state::Disposition;
use crate::command::{Cx, Done, Fail, NORMAL, ask_region, raise};
use crate::task_state::TaskState;
use transom_bms::Band;
use transom_commands::opt;
use transom_types::TermId;
use transom_types::{Resp, TransId};
use transom_wire::bms::{Delivery, PageRequest, When};
use transom_wire::inbound::InboundRecord;
use transom_wire::terminal as wire;
use transom_wire::terminal::Input;
use transom_workers::seam::{Host, Outcome};

/// SEND PAGE.
pub(crate) fn send_page(cx: &mut Cx<'_>) -> Done {
    if cx.task.terminal.page.route.is_none() {
        own(cx, Resp::INVREQ)?;
    }
    let how = message::open(cx)?.how;
    let waits = cx.has(opt::RETAIN) || cx.has(opt::RELEASE);
    if waits {
        own(cx, Resp::INVREQ)?;
    }
    let trailer = band(cx, opt::TRAILER)?;
    complete(cx, trailer.as_ref())?;
    match how.disposition {
        Disposition::Set => {
            let done = message::done(cx);
            forget(cx);
            return done;
        }
        Disposition::Terminal => forget(cx),
        Disposition::Paging => deliver(cx)?,
    }
    if !cx.has(opt::RELEASE) {
        return NORMAL;
    }
    let next = cx
        .name::<4>(opt::TRANSID)
        .map(|name| TransId::from_field(&name));
    let terminal = own(cx, Resp::INVREQ)?;
    terminal.next = next.filter(|next| !next.is_blank());
    terminal.released = true;
    Ok(Outcome::Return)
}

/// The last pages.
fn complete(cx: &mut Cx<'_>, trailer: Option<&Band>) -> Result<(), Fail> {
    let count = message::open(cx)?.groups.len();
    for at in 0..count {
        end_page(cx, at)?;
        let group = message::open(cx)?.groups.get_mut(at);
        let text = group.and_then(|group| group.text.take());
        for write in text.map_or_else(Vec::new, |text| text.finish(trailer)) {
            dispose(cx, at, write)?;
        }
    }
    Ok(())
}

/// A message of PAGING goes to its terminals.
fn deliver(cx: &mut Cx<'_>) -> Result<(), Fail> {
    let when = match (cx.has(opt::RETAIN), cx.has(opt::RELEASE)) {
        (true, _) => When::Retain,
        (false, true) => When::Release,
        (false, false) => When::Free,
    };
    let operator_purges = cx.has(opt::OPERPURGE);
    for at in 0..message::open(cx)?.groups.len() {
        message::hand(cx, at)?;
    }
    if when != When::Free {
        output::flush(cx)?;
    }
    let message = &mut cx.task.terminal.page;
    let delivery = delivery(message, when, operator_purges);
    forget(cx);
    let Some(delivery) = delivery else {
        return Ok(());
    };
    let answer = ask(cx, PageRequest::Deliver(delivery))?;
    if when == When::Retain {
        // What the user typed last is what the next RECEIVE gets.
        let typed = InboundRecord::decode(&answer);
        own(cx, Resp::INVREQ)?.first = typed.map_or(Input::None, Input::Record);
    }
    Ok(())
}

/// `None`: the message has no page.
fn delivery(
    message: &super::state::Message,
    when: When,
    operator_purges: bool,
) -> Option<Delivery> {
    let open = message.open.as_ref()?;
    let mut targets = Vec::new();
    for (at, group) in open.groups.iter().enumerate().filter(|(_, g)| g.handed) {
        targets.extend(group.targets.iter().map(|target| (at as u16, *target)));
    }
    let route = message.route.as_ref();
    (!targets.is_empty()).then(|| Delivery {
        when,
        operator_purges,
        title: route.map_or_else(Vec::new, |route| route.title.clone()),
        delay_ms: route.map_or(0, |route| route.delay_ms),
        targets,
    })
}

/// The message is over, and with it ROUTE.
fn forget(cx: &mut Cx<'_>) {
    let message = &mut cx.task.terminal.page;
    message.open = None;
    message.route = None;
}

/// SEND PARTNSET: no partition sets are known, so that only the reset to none works.
pub(crate) fn send_partition_set(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?;
    if cx.task.terminal.page.is_open() {
        return raise(Resp::INVREQ, 0);
    }
    match cx.name::<8>(opt::PARTNSET) {
        Some(_) => raise(Resp::INVPARTNSET, 0),
        None => NORMAL,
    }
}

/// PURGE MESSAGE: what was built is forgotten.
pub(crate) fn purge_message(cx: &mut Cx<'_>) -> Done {
    if cx.task.terminal.page.route.is_none() {
        own(cx, Resp::INVREQ)?;
    }
    let open = cx.task.terminal.page.open.as_ref();
    let handed = open.is_some_and(|open| open.groups.iter().any(|group| group.handed));
    forget(cx);
    if handed {
        ask(cx, PageRequest::Purge)?;
    }
    NORMAL
}

/// A syncpoint ends a message.
pub(crate) fn at_syncpoint(cx: &mut Cx<'_>) -> Result<(), Fail> {
    let open = cx.task.terminal.page.open.as_ref();
    let Some(open) = open else { return Ok(()) };
    if open.how.disposition == Disposition::Paging {
        for at in 0..open.groups.len() {
            message::hand(cx, at)?;
        }
        let message = &cx.task.terminal.page;
        if let Some(delivery) = delivery(message, When::Free, false) {
            ask(cx, PageRequest::Deliver(delivery))?;
        }
    }
    forget(cx);
    Ok(())
}

/// A rollback forgets a message that is not complete.
pub(crate) fn at_rollback(cx: &mut Cx<'_>) -> Result<(), Fail> {
    match cx.task.terminal.page.is_open() {
        true => purge_message(cx).map(drop),
        false => Ok(()),
    }
}

/// The normal end of a task does, too. There is nobody to tell when it cannot.
pub(crate) fn at_end(host: &mut dyn Host, task: &mut TaskState) {
    let own = task.terminal.get().map(|own| own.facts.terminal);
    let message = &mut task.terminal.page;
    let Some(open) = message.open.as_mut() else {
        return;
    };
    if open.how.disposition != Disposition::Paging {
        return;
    }
    let mut requests = Vec::new();
    for (at, group) in open.groups.iter_mut().enumerate() {
        let pages = group.take_kept();
        if !pages.is_empty() {
            group.handed = true;
            requests.push(PageRequest::Keep(at as u16, pages));
        }
    }
    requests.extend(delivery(message, When::Free, false).map(PageRequest::Deliver));
    for request in requests {
        let own = own.unwrap_or(TermId::BLANK);
        let request = wire::Request::Page(request);
        ask_region(host, &wire::Asked { own, request });
    }
}
