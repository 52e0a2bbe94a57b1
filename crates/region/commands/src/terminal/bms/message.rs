//! The logical message of a task: what ACCUM and PAGING build, and where its pages go.
//!
//! What: [`go_on`] for a command that belongs to the message, and [`dispose`] for a page that is
//! complete: written to the terminal (TERMINAL), kept in the region (PAGING) or handed to the
//! program (SET, RETPAGE). Why one file: the rules on what may follow what belong to the message,
//! not to a command. Not here: building of pages (`transom_bms`, `page_map`, `send_text`), its end
//! (`send_page`).
//!
//! Conditions: INVREQ (a command that does not go with those before it: another disposition, ACCUM
//! on some commands only, maps and text mixed), IGREQID (another REQID), TSIOERR (the region has no
//! room for more pages).

use super::super::output;
use super::super::own::own;
use super::page::Page;
use super::set_area::hand_over;
use super::state::{Disposition, Group, How, Kind, Open};
use super::write::record;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_bms::{Controls, Erase, ScreenWrite};
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::bms::PageRequest;

/// Bytes of pages a task keeps before it hands them to the region.
pub(crate) const KEPT_BYTES_MAX: usize = 64 << 10;
/// Pages of a message; IBM's page numbers end there as well.
pub(crate) const PAGES_MAX: u16 = 32_767;
/// REQID of a message that names none.
const REQID_DEFAULT: [u8; 2] = *b"**";

/// How a command sends, by its options.
pub(super) fn how_of(cx: &Cx<'_>) -> How {
    // Options of text that only a page built piece by piece can have.
    const IMPLY: [transom_commands::OptionId; 6] = [
        opt::ACCUM,
        opt::HEADER,
        opt::TRAILER,
        opt::JUSTIFY,
        opt::JUSFIRST,
        opt::JUSLAST,
    ];
    How {
        disposition: match (cx.has(opt::PAGING), cx.has(opt::SET)) {
            (true, _) => Disposition::Paging,
            (false, true) => Disposition::Set,
            (false, false) => Disposition::Terminal,
        },
        accum: IMPLY.into_iter().any(|option| cx.has(option)),
        reqid: cx.name::<2>(opt::REQID).unwrap_or(REQID_DEFAULT),
    }
}

/// The command sends by itself: not while a message is built, unless that one is routed.
pub(super) fn alone(cx: &mut Cx<'_>) -> Result<(), Fail> {
    let message = &cx.task.terminal.page;
    if message.is_open() && message.route.is_none() {
        return raise(Resp::INVREQ, 0);
    }
    own(cx, Resp::INVREQ).map(drop)
}

/// How a command sends, and whether it goes into a message; one that does not must be free to send,
/// and one that is not routed needs a terminal.
pub(super) fn how(cx: &mut Cx<'_>) -> Result<(How, bool), Fail> {
    let how = how_of(cx);
    let routed = cx.task.terminal.page.route.is_some();
    let logical = how.is_logical(routed);
    if !logical {
        alone(cx)?;
    } else if !routed {
        own(cx, Resp::INVREQ)?;
    }
    Ok((how, logical))
}

/// The message this command goes on with, or begins.
pub(super) fn go_on<'a>(cx: &'a mut Cx<'_>, how: How, kind: Kind) -> Result<&'a mut Open, Fail> {
    if cx.task.terminal.page.open.is_none() {
        begin(cx, how)?;
    }
    let Some(open) = cx.task.terminal.page.open.as_mut() else {
        return raise(Resp::INVREQ, 0);
    };
    if open.how.disposition != how.disposition || open.how.accum != how.accum {
        return raise(Resp::INVREQ, 0);
    }
    if open.how.reqid != how.reqid {
        return raise(Resp::IGREQID, 0);
    }
    match (open.kind, kind) {
        (Kind::Either, kind) => open.kind = kind,
        (had, kind) if kind != Kind::Either && had != kind => return raise(Resp::INVREQ, 0),
        _ => {}
    }
    Ok(open)
}

fn begin(cx: &mut Cx<'_>, how: How) -> Result<(), Fail> {
    let groups = match cx.task.terminal.page.route.clone() {
        // A routed message goes to no terminal at once.
        Some(_) if how.disposition == Disposition::Terminal => return raise(Resp::INVREQ, 0),
        Some(route) if route.reqid.is_some_and(|reqid| reqid != how.reqid) => {
            return raise(Resp::IGREQID, 0);
        }
        Some(route) => route.groups,
        None => {
            let facts = &own(cx, Resp::INVREQ)?.facts;
            vec![(facts.device.clone(), vec![facts.terminal])]
        }
    };
    let group = |(facts, targets)| Group::new(facts, targets);
    cx.task.terminal.page.open = Some(Open {
        how,
        kind: Kind::Either,
        groups: groups.into_iter().map(group).collect(),
        told: None,
        returned: Vec::new(),
    });
    Ok(())
}

/// The message being built.
pub(super) fn open<'a>(cx: &'a mut Cx<'_>) -> Result<&'a mut Open, Fail> {
    match cx.task.terminal.page.open.as_mut() {
        Some(open) => Ok(open),
        None => raise(Resp::INVREQ, 0),
    }
}

/// The alternate size is in force after an erasure; without one, what the terminal has, or the
/// transaction's profile asks for where the page stands for itself.
pub(super) fn is_alternate(cx: &Cx<'_>, how: How, erase: Erase) -> bool {
    let own = cx.task.terminal.get();
    match (erase, how.disposition) {
        (Erase::Default, _) => false,
        (Erase::Alternate, _) => true,
        (_, Disposition::Terminal) => own.is_some_and(|own| own.alternate),
        (_, _) => own.is_some_and(|own| own.profile.alternate),
    }
}

/// A page of a group is complete.
pub(super) fn dispose(cx: &mut Cx<'_>, at: usize, write: ScreenWrite) -> Result<(), Fail> {
    let how = open(cx)?.how;
    let alternate = is_alternate(cx, how, write.erase);
    let message = open(cx)?;
    let Some(group) = message.groups.get_mut(at) else {
        return Ok(());
    };
    if group.pages >= PAGES_MAX {
        return raise(Resp::TSIOERR, 0);
    }
    group.pages += 1;
    match how.disposition {
        Disposition::Terminal => {
            let lines = cx.has(opt::NLEOM);
            let record = record(own(cx, Resp::INVREQ)?, &write, lines);
            output::put(cx, record)
        }
        Disposition::Set => {
            let page = Page::new(&write, &group.facts, alternate);
            message.returned.push(page);
            Ok(())
        }
        Disposition::Paging => {
            let device = group.device(alternate);
            // Each page stands for itself: a user may look at them in any order.
            let whole = if alternate {
                Erase::Alternate
            } else {
                Erase::Default
            };
            let write = ScreenWrite {
                erase: whole,
                ..write
            };
            let stream = write.to_stream(&device, &group.code_page().from_latin1);
            keep(cx, at, stream.into_bytes())
        }
    }
}

/// Keeps a page, a record for the device, for a paging session.
pub(super) fn keep(cx: &mut Cx<'_>, at: usize, page: Vec<u8>) -> Result<(), Fail> {
    let message = open(cx)?;
    let Some(group) = message.groups.get_mut(at) else {
        return Ok(());
    };
    group.kept_bytes += page.len();
    group.kept.push(page);
    if group.kept_bytes > KEPT_BYTES_MAX {
        hand(cx, at)?;
    }
    Ok(())
}

/// Hands the region the pages kept for a group.
pub(super) fn hand(cx: &mut Cx<'_>, at: usize) -> Result<(), Fail> {
    let message = open(cx)?;
    let Some(group) = message.groups.get_mut(at).filter(|g| !g.kept.is_empty()) else {
        return Ok(());
    };
    group.handed = true;
    let pages = group.take_kept();
    ask(cx, PageRequest::Keep(at as u16, pages)).map(drop)
}

/// One request about pages.
pub(super) fn ask(cx: &mut Cx<'_>, request: PageRequest) -> Result<Vec<u8>, Fail> {
    output::ask(cx, transom_wire::terminal::Request::Page(request))
}

/// The end of a command: pages of SET go to the program, which is RETPAGE.
pub(super) fn done(cx: &mut Cx<'_>) -> Done {
    let returned = match cx.task.terminal.page.open.as_mut() {
        Some(open) => std::mem::take(&mut open.returned),
        None => Vec::new(),
    };
    if returned.is_empty() {
        return NORMAL;
    }
    hand_over(cx, returned)
}

/// Page with nothing but controls, where SEND CONTROL stands alone.
pub(super) fn empty_page(erase: Erase, controls: Controls, cursor: Option<u16>) -> ScreenWrite {
    ScreenWrite {
        erase,
        controls,
        orders: Vec::new(),
        cursor,
    }
}
