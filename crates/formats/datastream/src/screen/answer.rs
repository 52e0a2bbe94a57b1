//! Query Replies of the screen model.
//!
//! What: what a colour display with graphic escape and one partition says about itself. Why: a host
//! sizes and colours the session by it. Not here: reading them (`inbound`).

use super::Screen;
use crate::address::ScreenSize;

/// Replies of an extended display, in the order they are sent.
const CODES: [u8; 8] = [0x80, 0x81, 0x84, 0x85, 0x86, 0x87, 0x88, 0xA6];
/// Character cell of the usable area in pels.
const CELL: (u8, u8) = (9, 12);

impl Screen {
    /// The record with all replies, or with those of a list; Null if it has none of them.
    pub(super) fn query_replies(&self, listed: Option<&[u8]>) -> Vec<u8> {
        let mut record = vec![0x88];
        let wanted = |code: &&u8| listed.is_none_or(|codes| codes.contains(code));
        for code in CODES.iter().filter(wanted) {
            put(&mut record, *code, &self.reply_body(*code));
        }
        if record.len() == 1 {
            put(&mut record, 0xFF, &[]);
        }
        record
    }

    fn reply_body(&self, code: u8) -> Vec<u8> {
        let largest = self.largest();
        let storage = (largest.positions() as u16).to_be_bytes();
        match code {
            0x80 => CODES.to_vec(),
            0x81 => {
                // 12/14-bit addresses; cells, not pels; distances of pels as fractions of an inch.
                let mut body = vec![0x01, 0x00];
                body.extend(width_and_height(largest));
                body.extend([0x01, 0x00, 0x0A, 0x02, 0xE5, 0x00, 0x02, 0x00, 0x6F]);
                body.extend([CELL.0, CELL.1]);
                body.extend(storage);
                body
            }
            0x84 => vec![0x00, storage[0], storage[1], 0x00],
            0x85 => {
                let (set, page) = self.options.code_page;
                let mut body = vec![0x82, 0x00, CELL.0, CELL.1, 0, 0, 0, 0, 0x07];
                body.extend([0x00, 0x10, 0x00]);
                body.extend(set.to_be_bytes());
                body.extend(page.to_be_bytes());
                // The graphic escape set, 963/310.
                body.extend([0x01, 0x00, 0xF1, 0x03, 0xC3, 0x01, 0x36]);
                body
            }
            0x86 => {
                let mut body = vec![0x00, 0x08, 0x00, 0xF4];
                body.extend((0xF1..=0xF7).flat_map(|colour| [colour, colour]));
                body
            }
            0x87 => vec![0x04, 0x00, 0xF0, 0xF1, 0xF1, 0xF2, 0xF2, 0xF4, 0xF4],
            0x88 => vec![0x00, 0x01, 0x02],
            _ => {
                let mut body = vec![0x00, 0x00, 0x0B, 0x01, 0x00];
                body.extend(width_and_height(self.options.default));
                body.extend(width_and_height(self.options.alternate));
                body
            }
        }
    }

    fn largest(&self) -> ScreenSize {
        let (default, alternate) = (self.options.default, self.options.alternate);
        if alternate.positions() >= default.positions() {
            alternate
        } else {
            default
        }
    }
}

fn width_and_height(size: ScreenSize) -> [u8; 4] {
    let [rows, columns] = size.bytes();
    [0, columns, 0, rows]
}

fn put(record: &mut Vec<u8>, code: u8, body: &[u8]) {
    record.extend((body.len() as u16 + 4).to_be_bytes());
    record.extend([0x81, code]);
    record.extend_from_slice(body);
}
