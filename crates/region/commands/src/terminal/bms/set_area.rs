//! Pages that SET hands to the program, and SEND TEXT MAPPED that takes them back.
//!
//! A page lies in task storage as CICS lays out a terminal input/output area: 12 bytes of prefix
//! with the length of the data as a halfword at offset 8, the data stream without command and write
//! control character, and behind it four bytes that say how it is sent (command, write control
//! character, two of zero). Text in it is in the code page of programs. SET points to a list with
//! an entry of four bytes a page: type of terminal, and the page's address in three bytes; type
//! X'FF' ends it.

use super::super::state::Terminal;
use super::super::text;
use super::page::Page;
use crate::command::{Cx, Done, Fail, raise};
use transom_commands::opt;
use transom_datastream::{Command, Outbound, Wcc};
use transom_types::Resp;
use transom_wire::terminal::screen_size;
use transom_workers::seam::{Address, Host};

/// Bytes of an entry of the list.
const ENTRY_BYTES: usize = 4;
/// Ends the list.
const LAST: u8 = 0xFF;

/// SET points to a list of the pages; that is RETPAGE.
pub(super) fn hand_over(cx: &mut Cx<'_>, pages: Vec<Page>) -> Done {
    let mut list = Vec::with_capacity(ENTRY_BYTES * (pages.len() + 1));
    for page in &pages {
        let address = store(cx.host, page)?;
        list.push(page.kind);
        list.extend(&(address as u32).to_be_bytes()[1..]);
    }
    list.push(LAST);
    list.extend([0; ENTRY_BYTES - 1]);
    let list = crate::command::to_storage(cx.host, &list)?;
    cx.call.set_pointer(opt::SET, list);
    raise(Resp::RETPAGE, 0)
}

/// SET points to the page itself (MAPPINGDEV).
pub(super) fn hand_page(cx: &mut Cx<'_>, page: &Page) -> Result<(), Fail> {
    let address = store(cx.host, page)?;
    cx.call.set_pointer(opt::SET, address);
    Ok(())
}

/// The record of a page that SET handed out: `data` and the bytes behind it. `None`: it is none.
pub(super) fn record_of(terminal: &Terminal, data: &[u8], control: &[u8]) -> Option<Vec<u8>> {
    let (command, wcc) = match control {
        [command, wcc, 0, 0] => (Command::from_byte(*command)?, *wcc),
        _ => return None,
    };
    let write = match command {
        Command::Write => transom_datastream::WriteCommand::Write,
        Command::EraseWrite => transom_datastream::WriteCommand::EraseWrite,
        Command::EraseWriteAlternate => transom_datastream::WriteCommand::EraseWriteAlternate,
        _ => return None,
    };
    let alternate = match command {
        Command::EraseWrite => false,
        Command::EraseWriteAlternate => true,
        _ => terminal.alternate,
    };
    let size = screen_size(&terminal.facts.device, alternate);
    let data = text::stream_to_device(terminal.page_of_device(), data, size);
    let wcc = Wcc::from_byte(wcc).byte();
    let record = Outbound::from_application(write, wcc, &data, size).ok()?;
    Some(record.into_bytes())
}

fn store(host: &mut dyn Host, page: &Page) -> Result<Address, Fail> {
    let Some(address) = host.getmain_below(page.area.len().max(1)) else {
        return raise(Resp::NOSTG, 0);
    };
    host.memory_mut(address, page.area.len())
        .copy_from_slice(&page.area);
    Ok(address)
}
