//! Data of programs and of terminals: code page 819 inside, the device's EBCDIC page outside.
//!
//! A data stream that a program writes itself (SEND) mixes both: orders are bytes, the rest is
//! text. Bytes below X'20' that are orders (SBA, SF, IC, EUA, PT, GE) are orders. Four orders have
//! the code of a printable ASCII character; those bytes are orders only where text could not stand:
//! X'29' `)` and X'2C' `,` (SFE, MF) before a count of 1 to 8 and pairs of known type, X'28' `(`
//! (SA) before a known type and a value of 0 or above X'EF', X'3C' `<` (RA) before an address with
//! a byte above X'7F' or X'40'. Addresses and attribute pairs go as they are; the attribute of SF
//! may be a DFHBMSCA character or the byte itself. Everything else is translated.

use transom_bms::{attribute_from_program, attribute_to_wire};
use transom_copybook::codepage::CodePage;
use transom_datastream::{AttributeKind, Order, Orders, ScreenSize, decode_address};

/// A data stream of a program as the device gets it.
pub fn stream_to_device(page: &CodePage, data: &[u8], size: ScreenSize) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut rest = data;
    while let Some((first, tail)) = rest.split_first() {
        let operands = order_operands(*first, tail, size);
        let (taken, next) = tail
            .split_at_checked(operands.unwrap_or(0))
            .unwrap_or((tail, &[]));
        match (operands, first) {
            (None, byte) => out.push(character(page, *byte)),
            (Some(_), 0x1D) => {
                let bits = taken.first().map_or(0, |byte| attribute_bits(*byte));
                out.extend([0x1D, attribute_to_wire(bits)]);
            }
            // The character of RA is text; blanks and nulls of the books stay.
            (Some(3), 0x3C) => {
                out.push(0x3C);
                out.extend(taken.iter().take(2));
                out.extend(taken.get(2).map(|byte| match byte {
                    0x00 | 0x40 => *byte,
                    byte => character(page, *byte),
                }));
            }
            (Some(_), code) => {
                out.push(*code);
                out.extend(taken);
            }
        }
        rest = next;
    }
    out
}

/// Bits of a field attribute: a character of DFHBMSCA, else the byte of the books.
fn attribute_bits(byte: u8) -> u8 {
    match byte {
        b' '..=b'?' | b'A' | b'H' | b'I' | b'J' | b'Q' | b'R' | b'Y' => {
            attribute_from_program(byte).unwrap_or(0)
        }
        byte => byte & 0x3F,
    }
}

/// A character; controls a screen cannot hold become blanks.
fn character(page: &CodePage, byte: u8) -> u8 {
    match byte {
        0x00 => 0x00,
        // NL, EM, FF, CR, DUP and FM of DFHBMSCA are the device's own codes.
        0x0C | 0x0D | 0x15 | 0x19 | 0x1C | 0x1E => byte,
        0x01..=0x1F | 0x7F..=0x9F => page.space,
        byte => page.from_latin1[usize::from(byte)],
    }
}

/// Bytes behind an order; `None`: the byte is no order.
fn order_operands(code: u8, tail: &[u8], size: ScreenSize) -> Option<usize> {
    let address = || match tail {
        [high, low, ..] => {
            let good = decode_address(*high, *low).ok();
            good.is_some_and(|at| usize::from(at) < size.positions())
        }
        _ => false,
    };
    match code {
        0x13 | 0x05 => Some(0),
        0x11 | 0x12 => address().then_some(2),
        0x1D | 0x08 => (!tail.is_empty()).then_some(1),
        0x28 => match tail {
            [kind, value, ..] => {
                let value = *value == 0 || *value >= 0xF0;
                (value && known_kind(*kind)).then_some(2)
            }
            _ => None,
        },
        0x29 | 0x2C => {
            let count = usize::from(*tail.first()?);
            let pairs = tail.get(1..1 + 2 * count)?;
            let known = pairs.chunks_exact(2).all(|pair| known_kind(pair[0]));
            ((1..=8).contains(&count) && known).then_some(1 + 2 * count)
        }
        0x3C => match tail {
            [high, low, byte, ..] => {
                let binary = |byte: u8| byte >= 0x80 || byte == 0x40;
                let order = address() && (binary(*high) || binary(*low));
                order.then_some(if *byte == 0x08 { 4 } else { 3 })
            }
            _ => None,
        },
        _ => None,
    }
}

fn known_kind(kind: u8) -> bool {
    AttributeKind::from_byte(kind).is_some()
}

/// Data of a record behind the cursor address as programs see it: text translated, SBA orders with
/// their addresses as they are.
pub fn stream_to_program(page: &CodePage, data: &[u8], upper: bool) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut rest = data;
    while let Some((first, tail)) = rest.split_first() {
        let kept = match first {
            0x11 => 2,
            0x28 => 2,
            0x1D | 0x08 => 1,
            0x29 => 1 + 2 * usize::from(tail.first().copied().unwrap_or(0)),
            _ => {
                let byte = page.to_latin1[usize::from(*first)];
                out.push(if upper { upper_case(byte) } else { byte });
                rest = tail;
                continue;
            }
        };
        out.push(*first);
        let (operands, next) = tail.split_at_checked(kept).unwrap_or((tail, &[]));
        out.extend(operands);
        rest = next;
    }
    out
}

/// Data of a write behind its control character as programs see it: text translated, orders as they
/// are. [`stream_to_device`] is the way back.
pub fn output_to_program(page: &CodePage, data: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(data.len());
    let mut orders = Orders::new(data);
    while let Some(Ok((offset, order))) = orders.next() {
        match order {
            Order::Text(text) => {
                out.extend(text.iter().map(|byte| page.to_latin1[usize::from(*byte)]));
            }
            _ => out.extend(data.get(offset..orders.offset()).unwrap_or_default()),
        }
    }
    out
}

/// Upper case in CCSID 819.
pub fn upper_case(byte: u8) -> u8 {
    match byte {
        b'a'..=b'z' | 0xE0..=0xF6 | 0xF8..=0xFE => byte - 0x20,
        _ => byte,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_copybook::codepage::CP037;

    const SIZE: ScreenSize = ScreenSize::MODEL_2;

    #[test]
    fn text_with_punctuation_is_text() {
        let text = b"HELLO, WORLD (A1) <AB>";
        let sent = stream_to_device(&CP037, text, SIZE);
        assert_eq!(stream_to_program(&CP037, &sent, false), text);
    }

    #[test]
    fn orders_of_the_books_stay() {
        let mut data = vec![0x11, 0xC1, 0x50, 0x1D, 0xF0];
        data.extend(b"AB");
        data.extend([
            0x3C, 0x40, 0x40, b'-', 0x29, 2, 0xC0, 0x60, 0x42, 0xF2, 0x13,
        ]);
        let sent = stream_to_device(&CP037, &data, SIZE);
        assert_eq!(
            sent,
            [
                0x11, 0xC1, 0x50, 0x1D, 0xF0, 0xC1, 0xC2, 0x3C, 0x40, 0x40, 0x60, 0x29, 2, 0xC0,
                0x60, 0x42, 0xF2, 0x13
            ]
        );
        // DFHBMASK, which programs see as the character 0.
        assert_eq!(stream_to_device(&CP037, b"\x1D0", SIZE), [0x1D, 0xF0]);
        assert_eq!(
            stream_to_device(&CP037, b"\x1D\x40\x1D\x60", SIZE),
            [0x1D, 0x40, 0x1D, 0x60]
        );
    }

    #[test]
    fn received_fields_keep_their_addresses() {
        let data = [0x11, 0x28, 0x29, 0x81, 0x82, 0x11, 0xC1, 0x50, 0xF1];
        assert_eq!(
            stream_to_program(&CP037, &data, true),
            [0x11, 0x28, 0x29, b'A', b'B', 0x11, 0xC1, 0x50, b'1']
        );
    }
}
