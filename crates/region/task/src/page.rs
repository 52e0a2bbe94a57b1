//! A page as SET hands it to the program.
//!
//! What: the bytes of the area, laid out as `set_area` says. Not here: where they are stored.

use crate::devices::device_of;
use crate::text;
use transom_bms::ScreenWrite;
use transom_copybook::codepage::{CP037, CodePage};
use transom_types::Device;

/// Bytes in front of the data of a page.
pub const PREFIX_BYTES: usize = 12;

/// Bytes behind the data that say how it is sent.
pub const CONTROL_BYTES: usize = 4;

/// Types of terminals in the list: 3270 display and printer.
const DISPLAY: u8 = 0x91;

const PRINTER: u8 = 0x93;

/// A page for the program.
pub struct Page {
    pub kind: u8,
    pub area: Vec<u8>,
}

impl Page {
    /// A write as a page.
    pub fn new(write: &ScreenWrite, facts: &Device, alternate: bool) -> Self {
        let page = CodePage::by_ccsid(facts.ccsid).unwrap_or(&CP037);
        let device = device_of(facts, alternate);
        let stream = write.to_stream(&device, &page.from_latin1).into_bytes();
        let (head, data) = stream.split_at_checked(2).unwrap_or((&[], &stream));
        let data = text::output_to_program(page, data);
        let mut area = vec![0; PREFIX_BYTES];
        if let Some(length) = area.get_mut(8..10) {
            length.copy_from_slice(&(data.len() as u16).to_be_bytes());
        }
        area.extend_from_slice(&data);
        area.extend_from_slice(head);
        area.resize(PREFIX_BYTES + data.len() + CONTROL_BYTES, 0);
        let kind = if facts.printer { PRINTER } else { DISPLAY };
        Self { kind, area }
    }
}
