//! The logical message of a task: pages built by ACCUM, and EXEC CICS SEND PAGE, PURGE MESSAGE,
//! ROUTE.
//!
//! A page that is full is sent at once; SEND PAGE sends the last one. Pages are not kept for a
//! paging session (PAGING), so each replaces the one before. Conditions: OVERFLOW (SEND MAP, where
//! the program handles it), INVREQ (SEND PAGE without a message, INVREQ 200 in a linked program).

use super::super::output::put;
use super::super::{Terminal, own};
use super::record;
use super::send_text::{Lines, text_record};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_bms::{Controls, Erase, PageBuilder, PhysicalMap, Placement, SendOptions};
use transom_types::Resp;

/// Text a task accumulates before SEND PAGE, in bytes; more raises TSIOERR.
pub(crate) const TEXT_BYTES_MAX: usize = 1 << 20;

/// What was accumulated.
#[derive(Default)]
pub(crate) struct Message {
    builder: Option<PageBuilder>,
    /// The program was told that the page is full.
    told: bool,
    text: Option<Text>,
    /// Where the last map went, for ASSIGN.
    pub placed: Placed,
}

struct Text {
    bytes: Vec<u8>,
    erase: Erase,
    controls: Controls,
    cursor: Option<u16>,
}

/// A map on the screen, from 1.
#[derive(Clone, Copy, Default)]
pub(crate) struct Placed {
    pub line: u16,
    pub column: u16,
    pub rows: u16,
    pub columns: u16,
}

impl Message {
    pub(super) fn is_empty(&self) -> bool {
        self.builder.is_none() && self.text.is_none()
    }
}

/// SEND MAP ACCUM. `handled`: the program wants to know when the page is full.
pub(super) fn accumulate(
    cx: &mut Cx<'_>,
    map: &PhysicalMap,
    data: Option<&[u8]>,
    options: &SendOptions,
    (trailer_rows, handled): (u16, bool),
) -> Result<(), Fail> {
    let terminal = own(cx, Resp::INVREQ)?;
    if terminal.page.text.is_some() {
        return raise(Resp::INVREQ, 0);
    }
    if terminal.page.told && map.header {
        next_page(cx)?;
    }
    let reserve = if handled { trailer_rows } else { 0 };
    for _ in 0..2 {
        let terminal = own(cx, Resp::INVREQ)?;
        let device = super::device(terminal, options.erase);
        let builder = terminal
            .page
            .builder
            .get_or_insert_with(|| PageBuilder::new(device));
        let Ok(placement) = builder.add(map, data, options, reserve) else {
            return raise(Resp::INVMPSZ, 0);
        };
        if let Placement::Placed(row, column) = placement {
            terminal.page.placed = Placed {
                line: row + 1,
                column: column + 1,
                rows: map.rows,
                columns: map.columns,
            };
            return Ok(());
        }
        if handled && !terminal.page.told {
            terminal.page.told = true;
            return raise(Resp::OVERFLOW, 0);
        }
        next_page(cx)?;
    }
    raise(Resp::INVMPSZ, 0)
}

/// SEND TEXT ACCUM.
pub(super) fn accumulate_text(
    cx: &mut Cx<'_>,
    bytes: &[u8],
    (erase, controls, cursor): (Erase, Controls, Option<u16>),
) -> Result<(), Fail> {
    let terminal = own(cx, Resp::INVREQ)?;
    if terminal.page.builder.is_some() {
        return raise(Resp::INVREQ, 0);
    }
    let text = terminal.page.text.get_or_insert_with(|| Text {
        bytes: Vec::new(),
        erase,
        controls,
        cursor,
    });
    if text.bytes.len() + bytes.len() > TEXT_BYTES_MAX {
        return raise(Resp::TSIOERR, 0);
    }
    text.bytes.extend_from_slice(bytes);
    text.cursor = cursor.or(text.cursor);
    Ok(())
}

/// Sends the page being built and begins another.
fn next_page(cx: &mut Cx<'_>) -> Result<(), Fail> {
    let terminal = own(cx, Resp::INVREQ)?;
    terminal.page.told = false;
    let write = terminal.page.builder.take().and_then(PageBuilder::finish);
    if let Some(write) = write {
        let record = record(terminal, &write);
        put(cx, record)?;
    }
    Ok(())
}

/// SEND PAGE: the message is complete.
pub(crate) fn send_page(cx: &mut Cx<'_>) -> Done {
    let terminal = own(cx, Resp::INVREQ)?;
    if terminal.page.is_empty() {
        return raise(Resp::INVREQ, 0);
    }
    if let Some(text) = terminal.page.text.take() {
        for record in text_records(terminal, text) {
            put(cx, record)?;
        }
    }
    next_page(cx)?;
    NORMAL
}

fn text_records(terminal: &mut Terminal, text: Text) -> Vec<Vec<u8>> {
    let device = super::device(terminal, text.erase);
    let lines = Lines::new(&text.bytes, usize::from(device.columns()).saturating_sub(1));
    let pages = lines.pages(usize::from(device.rows()));
    let of_page =
        |page: &Vec<Vec<u8>>| text_record(terminal, page, (text.erase, text.controls, text.cursor));
    pages.iter().map(of_page).collect()
}

/// PURGE MESSAGE: what was accumulated is forgotten.
pub(crate) fn purge_message(cx: &mut Cx<'_>) -> Done {
    own(cx, Resp::INVREQ)?.page = Message::default();
    NORMAL
}
