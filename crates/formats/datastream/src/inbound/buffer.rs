//! The answer to Read Buffer: every position of the screen.
//!
//! What: attributes and characters in order, position by position. Why: its layout depends on the
//! command, not on the record, so the reader must say that it asked. Not here: a whole screen
//! (`Screen`).

use super::{address, split_aid};
use crate::address::ScreenSize;
use crate::aid::Aid;
use crate::attribute::{Attribute, AttributeKind};
use crate::error::{ErrorKind, StreamError};
use crate::order::{Order, Orders};

/// Key, cursor and contents of the whole screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadBuffer {
    pub aid: Aid,
    pub cursor: u16,
    /// As sent: attribute changes stand in front of the characters they count for.
    pub items: Vec<BufferItem>,
}

/// One item of a Read Buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BufferItem {
    /// A field attribute and its extended attributes; takes one position.
    Field(Vec<Attribute>),
    /// Characters from here on; takes no position.
    SetAttribute(Attribute),
    /// A character; takes one position.
    Character(u8),
    /// A character of the graphic set; takes one position.
    Graphic(u8),
}

impl ReadBuffer {
    /// Positions the items take.
    pub fn positions(&self) -> usize {
        self.items
            .iter()
            .filter(|item| !matches!(item, BufferItem::SetAttribute(_)))
            .count()
    }
}

/// Takes the answer to a Read Buffer apart.
///
/// # Errors
/// As [`super::parse`]; also orders that a terminal does not send, and more positions than the
/// screen has.
pub fn parse_buffer(record: &[u8], size: ScreenSize) -> Result<ReadBuffer, StreamError> {
    let (aid, rest) = split_aid(record)?;
    let [high, low, data @ ..] = rest else {
        return Err(StreamError::truncated(1));
    };
    let cursor = address(*high, *low, size).map_err(|e| e.moved(1))?;
    let mut items = Vec::with_capacity(data.len().min(size.positions()));
    let mut positions = 0;
    for item in Orders::new(data) {
        let (offset, order) = item.map_err(|e| e.moved(3))?;
        positions += push(&mut items, order).ok_or_else(|| {
            let code = data.get(offset).copied().unwrap_or_default();
            StreamError::new(offset + 3, ErrorKind::UnknownOrder(code))
        })?;
        if positions > size.positions() {
            return Err(StreamError::new(offset + 3, ErrorKind::TooMany));
        }
    }
    Ok(ReadBuffer { aid, cursor, items })
}

/// Adds an order and says how many positions it takes; `None` if terminals do not send it.
fn push(items: &mut Vec<BufferItem>, order: Order<'_>) -> Option<usize> {
    match order {
        Order::StartField(byte) => {
            let field = Attribute::new(AttributeKind::Field, byte);
            items.push(BufferItem::Field(vec![field]));
            Some(1)
        }
        Order::StartFieldExtended(attributes) => {
            items.push(BufferItem::Field(attributes.known().collect()));
            Some(1)
        }
        Order::SetAttribute(kind, value) => {
            if let Some(kind) = AttributeKind::from_byte(kind) {
                items.push(BufferItem::SetAttribute(Attribute::new(kind, value)));
            }
            Some(0)
        }
        Order::GraphicEscape(byte) => {
            items.push(BufferItem::Graphic(byte));
            Some(1)
        }
        Order::Text(text) => {
            items.extend(text.iter().map(|byte| BufferItem::Character(*byte)));
            Some(text.len())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_and_characters_take_positions() {
        let record = [
            0x60, 0x40, 0x40, 0x29, 2, 0xC0, 0x60, 0x42, 0xF2, 0xC1, 0x28, 0x42, 0xF1, 0x08, 0x60,
            0x00,
        ];
        let buffer = parse_buffer(&record, ScreenSize::MODEL_2).expect("valid");
        assert_eq!((buffer.aid, buffer.positions()), (Aid::NONE, 4));
        assert_eq!(buffer.items[3], BufferItem::Graphic(0x60));
        let error = parse_buffer(&record[..6], ScreenSize::MODEL_2).expect_err("truncated");
        assert_eq!(error.offset, 3);
    }
}
