//! SEND MAP as part of a logical message: pages of several maps, or a page a map.
//!
//! With ACCUM maps share pages. A program that wants to know when a page is full (a label for
//! OVERFLOW, or NOFLUSH with RESP or NOHANDLE) gets OVERFLOW before the map that does not fit;
//! lines for the longest trailer of the mapset are kept free for it. Its headers then begin the
//! next page, and the map sent again goes there. With ROUTE each kind of terminal has its own
//! pages: what is sent between OVERFLOW and the next ordinary map is for the kind that is full. Not
//! here: placement (`transom_bms::PageBuilder`). Conditions: OVERFLOW, INVMPSZ, and those of
//! `message`.

use super::maps::Sent;
use super::message::{self, dispose, go_on, is_alternate};
use super::state::{How, Kind, Placed};
use crate::command::{Cx, Done, Fail, raise};
use transom_bms::{PageBuilder, Placement, merge};
use transom_commands::opt;
use transom_types::Resp;

/// SEND MAP with ACCUM, PAGING, or SET while routing.
pub(super) fn send(cx: &mut Cx<'_>, how: How, sent: &Sent<'_>) -> Done {
    let open = go_on(cx, how, Kind::Maps)?;
    let count = open.groups.len();
    if !how.accum {
        for at in 0..count {
            whole_page(cx, how, sent, at)?;
        }
        return message::done(cx);
    }
    let told = open.told;
    let repeat = sent.map.header || sent.map.trailer;
    for at in told.unwrap_or(0)..count {
        place(cx, how, sent, at)?;
        if told.is_some() && repeat {
            break;
        }
        if !repeat {
            message::open(cx)?.told = None;
        }
    }
    message::done(cx)
}

/// A map that is a page.
fn whole_page(cx: &mut Cx<'_>, how: How, sent: &Sent<'_>, at: usize) -> Result<(), Fail> {
    let alternate = is_alternate(cx, how, sent.options.erase);
    let open = message::open(cx)?;
    let Some(group) = open.groups.get(at) else {
        return Ok(());
    };
    let device = group.device(alternate);
    let Ok(write) = merge(sent.map, sent.data, &sent.options, &device) else {
        return raise(Resp::INVMPSZ, 0);
    };
    dispose(cx, at, write)
}

/// The program is told when a page is full.
fn asks(cx: &mut Cx<'_>) -> bool {
    let handles = cx.task.handles();
    let label = handles.is_some_and(|handles| handles.has_label(Resp::OVERFLOW));
    label || (cx.has(opt::NOFLUSH) && cx.call.nohandle())
}

fn place(cx: &mut Cx<'_>, how: How, sent: &Sent<'_>, at: usize) -> Result<(), Fail> {
    let alternate = is_alternate(cx, how, sent.options.erase);
    let asks = asks(cx);
    let told = message::open(cx)?.told == Some(at);
    if told && sent.map.header && !std::mem::replace(broke(cx, at)?, true) {
        end_page(cx, at)?;
    }
    let reserve = if asks || told { sent.trailer_rows } else { 0 };
    for _ in 0..2 {
        let open = message::open(cx)?;
        let Some(group) = open.groups.get_mut(at) else {
            return Ok(());
        };
        let device = group.device(alternate);
        let builder = group.maps.get_or_insert_with(|| PageBuilder::new(device));
        let first = builder.is_empty();
        let Ok(placement) = builder.add(sent.map, sent.data, &sent.options, reserve) else {
            return raise(Resp::INVMPSZ, 0);
        };
        if let Placement::Placed(row, column) = placement {
            group.broke &= sent.map.header || sent.map.trailer;
            cx.task.terminal.page.placed = Placed {
                line: row + 1,
                column: column + 1,
                rows: sent.map.rows,
                columns: sent.map.columns,
            };
            return Ok(());
        }
        if asks && !told && !first {
            open.told = Some(at);
            return raise(Resp::OVERFLOW, 0);
        }
        *broke(cx, at)? = true;
        end_page(cx, at)?;
    }
    raise(Resp::INVMPSZ, 0)
}

fn broke<'a>(cx: &'a mut Cx<'_>, at: usize) -> Result<&'a mut bool, Fail> {
    match message::open(cx)?.groups.get_mut(at) {
        Some(group) => Ok(&mut group.broke),
        None => raise(Resp::INVREQ, 0),
    }
}

/// The page being built is complete.
pub(super) fn end_page(cx: &mut Cx<'_>, at: usize) -> Result<(), Fail> {
    let group = message::open(cx)?.groups.get_mut(at);
    let builder = group.and_then(|group| group.maps.take());
    match builder.and_then(PageBuilder::finish) {
        Some(write) => dispose(cx, at, write),
        None => Ok(()),
    }
}
