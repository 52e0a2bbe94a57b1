//! An area of storage as lines of a dump.
//!
//! Not here: which areas a dump has (`dump`, `dump_storage`), reading them back (`transom dump`).

use std::fmt::Write as _;
use transom_workers::seam::Address;

/// Bytes of one storage area a dump shows.
pub const AREA_BYTES_MAX: usize = 65_536;
/// Bytes of one dump.
pub const DUMP_BYTES_MAX: usize = 16 << 20;
/// Bytes of a line of storage.
const LINE_BYTES: usize = 16;

/// An area: address, offset, 16 bytes as hexadecimal and as characters, a line each. Lines that
/// are the same as the one above are only counted.
pub(super) fn area(text: &mut String, title: &str, address: Address, data: &[u8], length: usize) {
    if text.len() > DUMP_BYTES_MAX {
        return;
    }
    let _ = writeln!(text, "\n{title}  {length} bytes");
    let mut same = 0;
    let mut above: &[u8] = &[];
    for (number, line) in data.chunks(LINE_BYTES).enumerate() {
        if line == above {
            same += 1;
            continue;
        }
        repeated(text, std::mem::take(&mut same));
        above = line;
        area_line(text, address, LINE_BYTES * number, line);
    }
    repeated(text, same);
    if data.len() < length {
        let _ = writeln!(
            text,
            "  ... {} bytes more are not shown",
            length - data.len()
        );
    }
}

fn repeated(text: &mut String, lines: usize) {
    if lines > 0 {
        let _ = writeln!(text, "  ... {lines} times the same");
    }
}

fn area_line(text: &mut String, address: Address, offset: usize, line: &[u8]) {
    let _ = write!(
        text,
        "  {:016X} {offset:06X} ",
        address.wrapping_add(offset)
    );
    for at in 0..LINE_BYTES {
        if at % 4 == 0 {
            text.push(' ');
        }
        match line.get(at) {
            Some(byte) => {
                let _ = write!(text, "{byte:02X}");
            }
            None => text.push_str("  "),
        }
    }
    text.push_str("  *");
    text.extend(line.iter().map(|b| match b {
        b' '..=b'~' => char::from(*b),
        _ => '.',
    }));
    text.push_str("*\n");
}
