//! EXEC CICS SEND CONTROL: erase, keyboard, alarm, modified data tags and cursor without data.
//!
//! In a logical message with ACCUM they are added to the page being built; with PAGING or SET alone
//! they are a page. Conditions: INVREQ (no terminal; a logical message it does not go with; INVREQ
//! 200 in a linked program), RETPAGE (SET has a page).

use super::super::output::{erase_of, put};
use super::super::own::own;
use super::message::{self, alone, dispose, empty_page, go_on, how_of, is_alternate};
use super::page::Page;
use super::set_area::hand_over;
use super::state::{How, Kind};
use super::write::{controls, record};
use crate::command::{Cx, Done, NORMAL};
use transom_bms::{PageBuilder, control};
use transom_commands::opt;
use transom_types::Resp;

/// The command.
pub(crate) fn send_control(cx: &mut Cx<'_>) -> Done {
    let how = how_of(cx);
    let logical = how.is_logical(cx.task.terminal.page.route.is_some());
    if logical {
        return add(cx, how);
    }
    alone(cx)?;
    let erase = erase_of(cx);
    let cursor = cx.number(opt::CURSOR).and_then(|at| u16::try_from(at).ok());
    let mut write = control(erase, controls(cx), cursor);
    // Without CURSOR the cursor of a screen that stays is left where it is.
    if cursor.is_none() && !erase.is_whole() {
        write.cursor = None;
    }
    let set = cx.has(opt::SET);
    let terminal = own(cx, Resp::INVREQ)?;
    if set {
        let alternate = super::write::alternate(terminal, erase);
        let facts = terminal.facts.device.clone();
        return hand_over(cx, vec![Page::new(&write, &facts, alternate)]);
    }
    let record = record(terminal, &write, false);
    put(cx, record)?;
    NORMAL
}

/// SEND CONTROL of a logical message.
fn add(cx: &mut Cx<'_>, how: How) -> Done {
    if cx.task.terminal.page.route.is_none() {
        own(cx, Resp::INVREQ)?;
    }
    let (erase, controls) = (erase_of(cx), controls(cx));
    let cursor = cx.number(opt::CURSOR).and_then(|at| u16::try_from(at).ok());
    let alternate = is_alternate(cx, how, erase);
    let count = go_on(cx, how, Kind::Either)?.groups.len();
    for at in 0..count {
        if !how.accum {
            dispose(cx, at, empty_page(erase, controls, cursor))?;
            continue;
        }
        let Some(group) = message::open(cx)?.groups.get_mut(at) else {
            break;
        };
        let device = group.device(alternate);
        match &mut group.text {
            Some(text) => text.control(erase, controls, cursor),
            None => {
                let maps = group.maps.get_or_insert_with(|| PageBuilder::new(device));
                maps.control(&empty_page(erase, controls, cursor));
            }
        }
    }
    message::done(cx)
}
