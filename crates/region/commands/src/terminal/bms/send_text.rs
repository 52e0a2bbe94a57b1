//! EXEC CICS SEND TEXT, with MAPPED and with NOEDIT.
//!
//! Text is broken into lines and pages by `transom_bms`; HEADER, TRAILER and JUSTIFY make it part
//! of a logical message. With NOEDIT, FROM is a data stream as for SEND; with MAPPED it is a page
//! that SET handed out before. Conditions: LENGERR (a length out of range), INVREQ (no terminal; a
//! header or trailer that is none; a data stream no terminal can take; a logical message it does
//! not go with; INVREQ 200 in a linked program), RETPAGE (SET has pages). Abends: ABM7 (header and
//! trailer leave no line), ABM8 (JUSTIFY names no line of the page).

use super::super::output::{command, erase_of, put};
use super::super::own::own;
use super::super::send::SEND_BYTES_MAX;
use super::super::text;
use super::message;
use super::message::{alone, dispose, go_on, how, how_of, is_alternate, keep};
use super::page::CONTROL_BYTES;
use super::page::Page;
use super::set_area::{hand_over, record_of};
use super::state::{Disposition, How, Kind};
use super::write::{controls, device, record, wcc};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use transom_bms::{Band, Justify, ScreenWrite, TextBuilder, TextError, TextOptions};
use transom_commands::{OptionId, opt};
use transom_datastream::Outbound;
use transom_messages as messages;
use transom_types::{AbendCode, Resp};

/// SEND TEXT.
pub(crate) fn send_text(cx: &mut Cx<'_>) -> Done {
    let (how, logical) = how(cx)?;
    let bytes = from(cx)?;
    let (header, trailer) = (band(cx, opt::HEADER)?, band(cx, opt::TRAILER)?);
    let options = TextOptions {
        header: header.as_ref(),
        trailer: trailer.as_ref(),
        justify: justify(cx),
        erase: erase_of(cx),
        controls: controls(cx),
        cursor: cx.number(opt::CURSOR).and_then(|at| u16::try_from(at).ok()),
    };
    if logical {
        return add(cx, how, &bytes, &options);
    }
    let lines = cx.has(opt::NLEOM);
    let terminal = own(cx, Resp::INVREQ)?;
    let alternate = super::write::alternate(terminal, options.erase);
    let pages = pages(device(terminal, options.erase), &bytes, &options)?;
    if cx.has(opt::SET) {
        let facts = own(cx, Resp::INVREQ)?.facts.device.clone();
        let page = |write: &ScreenWrite| Page::new(write, &facts, alternate);
        return hand_over(cx, pages.iter().map(page).collect());
    }
    for write in pages {
        let record = record(own(cx, Resp::INVREQ)?, &write, lines);
        put(cx, record)?;
    }
    NORMAL
}

/// Text that stands for itself.
fn pages(
    device: transom_bms::Device,
    bytes: &[u8],
    options: &TextOptions<'_>,
) -> Result<Vec<ScreenWrite>, Fail> {
    let mut builder = TextBuilder::new(device);
    builder.add(bytes, options).map_err(abend)?;
    Ok(builder.finish(options.trailer))
}

/// Text of a logical message.
fn add(cx: &mut Cx<'_>, how: How, bytes: &[u8], options: &TextOptions<'_>) -> Done {
    let alternate = is_alternate(cx, how, options.erase);
    let count = go_on(cx, how, Kind::Text)?.groups.len();
    for at in 0..count {
        let Some(group) = message::open(cx)?.groups.get_mut(at) else {
            break;
        };
        let device = group.device(alternate);
        let done = if how.accum {
            let builder = group.text.get_or_insert_with(|| TextBuilder::new(device));
            builder.add(bytes, options).map_err(abend)?;
            builder.take_done()
        } else {
            pages(device, bytes, options)?
        };
        for write in done {
            dispose(cx, at, write)?;
        }
    }
    message::done(cx)
}

fn abend(error: TextError) -> Fail {
    let code = match error {
        TextError::Band => b"ABM7",
        TextError::Justify => b"ABM8",
    };
    let text = messages::bm::send_text(error).to_string();
    Fail::Abend(AbendCode::from_field(code), text)
}

/// HEADER or TRAILER.
pub(super) fn band(cx: &Cx<'_>, option: OptionId) -> Result<Option<Band>, Fail> {
    if !cx.has(option) {
        return Ok(None);
    }
    let prefix = area_in(cx.host, cx.call, option, Band::PREFIX_BYTES);
    let Some(bytes) = Band::text_bytes(prefix) else {
        return raise(Resp::INVREQ, 0);
    };
    let area = area_in(cx.host, cx.call, option, Band::PREFIX_BYTES + bytes);
    match Band::from_program(area) {
        Some(band) => Ok(Some(band)),
        None => raise(Resp::INVREQ, 0),
    }
}

fn justify(cx: &Cx<'_>) -> Option<Justify> {
    if cx.has(opt::JUSFIRST) {
        return Some(Justify::First);
    }
    if cx.has(opt::JUSLAST) {
        return Some(Justify::Last);
    }
    let line = cx.number(opt::JUSTIFY)?;
    // No line has this number where the value has none.
    Some(Justify::Line(u16::try_from(line).unwrap_or(0)))
}

/// SEND TEXT NOEDIT.
pub(crate) fn send_noedit(cx: &mut Cx<'_>) -> Done {
    let how = begin_made(cx)?;
    let bytes = from(cx)?;
    let (erase, controls) = (erase_of(cx), controls(cx));
    let program = cx.task.program();
    let terminal = own(cx, Resp::INVREQ)?;
    let page = terminal.page_of_device();
    let (command, size) = match how.disposition {
        Disposition::Terminal => command(terminal, erase),
        _ => super::super::output::command_of(terminal, erase),
    };
    let data = text::stream_to_device(page, &bytes, size);
    match Outbound::from_application(command, wcc(controls).byte(), &data, size) {
        Ok(record) => made(cx, how, record.into_bytes()),
        Err(error) => {
            let text = messages::zc::record_not_made("SEND TEXT NOEDIT", program, error);
            cx.host.log(text.line());
            raise(Resp::INVREQ, 0)
        }
    }
}

/// SEND TEXT MAPPED.
pub(crate) fn send_mapped(cx: &mut Cx<'_>) -> Done {
    let how = begin_made(cx)?;
    let bytes = from(cx)?;
    let whole = bytes.len() + CONTROL_BYTES;
    let area = area_in(cx.host, cx.call, opt::FROM, whole).to_vec();
    let control = area.get(bytes.len()..).unwrap_or_default();
    let terminal = own(cx, Resp::INVREQ)?;
    match record_of(terminal, &bytes, control) {
        Some(record) => made(cx, how, record),
        None => raise(Resp::INVREQ, 0),
    }
}

/// A page the program brings complete goes with messages that have a page a command.
fn begin_made(cx: &mut Cx<'_>) -> Result<How, Fail> {
    own(cx, Resp::INVREQ)?;
    let how = how_of(cx);
    if how.disposition == Disposition::Terminal {
        alone(cx)?;
    }
    Ok(how)
}

fn made(cx: &mut Cx<'_>, how: How, record: Vec<u8>) -> Done {
    if how.disposition == Disposition::Terminal {
        put(cx, record)?;
        return NORMAL;
    }
    let count = go_on(cx, how, Kind::Either)?.groups.len();
    for at in 0..count {
        if let Some(group) = message::open(cx)?.groups.get_mut(at) {
            if group.pages >= message::PAGES_MAX {
                return raise(Resp::TSIOERR, 0);
            }
            group.pages += 1;
        }
        keep(cx, at, record.clone())?;
    }
    NORMAL
}

fn from(cx: &Cx<'_>) -> Result<Vec<u8>, Fail> {
    match length_of(cx.call, opt::FROM, &[opt::LENGTH], SEND_BYTES_MAX) {
        Some(length) => Ok(area_in(cx.host, cx.call, opt::FROM, length).to_vec()),
        None => raise(Resp::LENGERR, 0),
    }
}
