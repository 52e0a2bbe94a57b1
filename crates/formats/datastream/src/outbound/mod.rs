//! Writing what a host sends: commands, orders and characters.
//!
//! What: [`Outbound`] is one write command under construction, [`StructuredFields`] a Write
//! Structured Field. Why: each method writes a whole order, so no caller can send a truncated one,
//! and no data byte can be taken for an order; clients crash or print stray memory on such streams.
//! Not here: maps (`bms`), telnet and TN3270E framing (`server`).

mod structured;
mod wcc;

pub use structured::{ReplyMode, StructuredFields};
pub use wcc::{LineLength, Wcc};

use crate::address::ScreenSize;
use crate::attribute::{Attribute, AttributeKind, FieldAttribute};
use crate::error::{ErrorKind, StreamError};
use crate::order::{self, Command, Order, Orders};

/// The three commands that carry a WCC and orders.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WriteCommand {
    /// Leaves what is on the screen.
    Write,
    /// Erases and takes the default screen size.
    EraseWrite,
    /// Erases and takes the alternate screen size.
    EraseWriteAlternate,
}

/// What a position is filled with by Repeat to Address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fill {
    /// A character; controls that a field cannot hold become blanks.
    Character(u8),
    /// A character of the graphic escape set.
    Graphic(u8),
}

/// A write command with its orders.
///
/// ```
/// use transom_datastream::{FieldAttribute, Outbound, ScreenSize, Wcc, WriteCommand};
/// let mut screen = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, ScreenSize::MODEL_2);
/// screen
///     .set_buffer_address(80)
///     .start_field(FieldAttribute::default().with_protected(true))
///     .text(&[0xC8, 0xC9]);
/// assert_eq!(screen.bytes(), [0xF5, 0xC2, 0x11, 0xC1, 0x50, 0x1D, 0x60, 0xC8, 0xC9]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outbound {
    bytes: Vec<u8>,
    size: ScreenSize,
}

impl Outbound {
    /// `size` is the screen size in force after the command: it decides how addresses are written.
    pub fn new(command: WriteCommand, wcc: Wcc, size: ScreenSize) -> Self {
        Self {
            bytes: vec![command.command().byte(), wcc.byte()],
            size,
        }
    }

    /// Data that an application has written itself (EXEC CICS SEND without MAP), checked order by
    /// order.
    ///
    /// `wcc` is the byte as the application gave it (CTLCHAR). Addresses must be on the screen.
    ///
    /// # Errors
    /// What a terminal would refuse; the offset counts from the start of `data`.
    pub fn from_application(
        command: WriteCommand,
        wcc: u8,
        data: &[u8],
        size: ScreenSize,
    ) -> Result<Self, StreamError> {
        for item in Orders::new(data) {
            let (offset, order) = item?;
            if let Order::SetBufferAddress(address)
            | Order::EraseUnprotectedToAddress(address)
            | Order::RepeatToAddress { stop: address, .. } = order
                && usize::from(address) >= size.positions()
            {
                return Err(StreamError::new(offset, ErrorKind::BadAddress(address)));
            }
        }
        let mut bytes = vec![command.command().byte(), wcc];
        bytes.extend_from_slice(data);
        Ok(Self { bytes, size })
    }

    /// The record: command, WCC, orders; without telnet framing.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    /// The way back of [`Self::from_application`]: WCC and data, as EXEC CICS SEND takes them in
    /// CTLCHAR and FROM.
    pub fn into_application(mut self) -> (u8, Vec<u8>) {
        let data = self.bytes.split_off(2);
        (self.bytes[1], data)
    }

    pub fn size(&self) -> ScreenSize {
        self.size
    }

    /// Replaces the WCC, for example when several writes are merged.
    pub fn set_wcc(&mut self, wcc: Wcc) -> &mut Self {
        if let Some(byte) = self.bytes.get_mut(1) {
            *byte = wcc.byte();
        }
        self
    }

    /// SBA. A position beyond the screen wraps, so that "one behind the last" is position 0.
    pub fn set_buffer_address(&mut self, position: u16) -> &mut Self {
        self.address(order::SBA, position)
    }

    /// SF.
    pub fn start_field(&mut self, attribute: FieldAttribute) -> &mut Self {
        self.bytes.extend([order::SF, attribute.byte()]);
        self
    }

    /// SFE with a field attribute and extended attributes; SF if there are none. `Field` and `All`
    /// among `extended` are ignored.
    pub fn start_field_extended(
        &mut self,
        attribute: FieldAttribute,
        extended: &[Attribute],
    ) -> &mut Self {
        if !extended.iter().any(is_extended) {
            return self.start_field(attribute);
        }
        let field = Attribute::new(AttributeKind::Field, attribute.byte());
        let all = std::iter::once(field).chain(extended.iter().copied().filter(is_extended));
        self.pairs(order::SFE, all)
    }

    /// MF: changes the attributes given and leaves the others. Nothing is written if there are
    /// none.
    pub fn modify_field(
        &mut self,
        attribute: Option<FieldAttribute>,
        extended: &[Attribute],
    ) -> &mut Self {
        let field = attribute.map(|a| Attribute::new(AttributeKind::Field, a.byte()));
        let all = field
            .into_iter()
            .chain(extended.iter().copied().filter(is_extended));
        self.pairs(order::MF, all)
    }

    /// SA for the characters that follow. `Field`, validation and outlining belong to fields and
    /// are ignored.
    pub fn set_attribute(&mut self, attribute: Attribute) -> &mut Self {
        if !matches!(
            attribute.kind,
            AttributeKind::Field | AttributeKind::Validation | AttributeKind::Outlining
        ) {
            self.bytes
                .extend([order::SA, attribute.kind as u8, attribute.value]);
        }
        self
    }

    /// IC: the cursor goes to the current address.
    pub fn insert_cursor(&mut self) -> &mut Self {
        self.bytes.push(order::IC);
        self
    }

    /// PT.
    pub fn program_tab(&mut self) -> &mut Self {
        self.bytes.push(order::PT);
        self
    }

    /// RA up to, not including, `stop`; to the whole screen if `stop` is the current address.
    pub fn repeat_to_address(&mut self, stop: u16, fill: Fill) -> &mut Self {
        self.address(order::RA, stop);
        match fill {
            Fill::Character(byte) => self.bytes.push(order::one_position(byte)),
            Fill::Graphic(byte) => self.bytes.extend([order::GE, graphic(byte)]),
        }
        self
    }

    /// EUA up to, not including, `stop`.
    pub fn erase_unprotected_to_address(&mut self, stop: u16) -> &mut Self {
        self.address(order::EUA, stop)
    }

    /// GE and one character of the graphic set.
    pub fn graphic_escape(&mut self, byte: u8) -> &mut Self {
        self.bytes.extend([order::GE, graphic(byte)]);
        self
    }

    /// Characters in the terminal's code page. Nulls, DUP, FM, NL, EM, FF, CR and SUB go as they
    /// are; orders and other controls, among them SO and SI, become blanks, so that every byte
    /// takes one position.
    pub fn text(&mut self, text: &[u8]) -> &mut Self {
        self.bytes
            .extend(text.iter().map(|byte| order::one_position(*byte)));
        self
    }

    /// Characters in the code page of programs (CCSID 819), for a stream that goes to EXEC CICS
    /// SEND. Controls, which would be taken for orders there, become blanks.
    pub fn application_text(&mut self, text: &[u8]) -> &mut Self {
        let character = |byte: &u8| match byte {
            0x20..=0x7E | 0xA0..=0xFF => *byte,
            _ => b' ',
        };
        self.bytes.extend(text.iter().map(character));
        self
    }

    /// Double-byte characters between SO and SI. A last odd byte is dropped; pairs that a field
    /// cannot hold become double-byte blanks.
    pub fn double_byte_text(&mut self, text: &[u8]) -> &mut Self {
        self.bytes.push(order::SO);
        for pair in text.chunks_exact(2) {
            let valid = pair.iter().all(|byte| (0x40..0xFF).contains(byte));
            self.bytes
                .extend_from_slice(if valid { pair } else { &[0x40, 0x40] });
        }
        self.bytes.push(order::SI);
        self
    }

    /// Bytes written so far.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// True if there is nothing behind the WCC.
    pub fn is_empty(&self) -> bool {
        self.bytes.len() <= 2
    }

    fn address(&mut self, code: u8, position: u16) -> &mut Self {
        let [high, low] = self.size.encode(position);
        self.bytes.extend([code, high, low]);
        self
    }

    fn pairs(&mut self, code: u8, pairs: impl Iterator<Item = Attribute>) -> &mut Self {
        let start = self.bytes.len();
        self.bytes.extend([code, 0]);
        let mut count = 0u8;
        for pair in pairs.take(usize::from(u8::MAX)) {
            self.bytes.extend([pair.kind as u8, pair.value]);
            count += 1;
        }
        match self.bytes.get_mut(start + 1) {
            Some(byte) if count > 0 => *byte = count,
            _ => self.bytes.truncate(start),
        }
        self
    }
}

impl WriteCommand {
    pub fn command(self) -> Command {
        match self {
            Self::Write => Command::Write,
            Self::EraseWrite => Command::EraseWrite,
            Self::EraseWriteAlternate => Command::EraseWriteAlternate,
        }
    }
}

fn is_extended(attribute: &Attribute) -> bool {
    !matches!(attribute.kind, AttributeKind::Field | AttributeKind::All)
}

fn graphic(byte: u8) -> u8 {
    if byte >= 0x40 { byte } else { 0x40 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::{colour, highlight};

    fn write() -> Outbound {
        Outbound::new(WriteCommand::Write, Wcc::default(), ScreenSize::MODEL_2)
    }

    #[test]
    fn a_coloured_field_is_sfe_and_a_plain_one_sf() {
        let attribute = FieldAttribute::default();
        let red = Attribute::new(AttributeKind::Foreground, colour::RED);
        let blink = Attribute::new(AttributeKind::Highlight, highlight::BLINK);
        let mut out = write();
        out.start_field_extended(attribute, &[red, blink])
            .start_field_extended(attribute, &[]);
        assert_eq!(
            out.bytes()[2..],
            [0x29, 3, 0xC0, 0x40, 0x42, 0xF2, 0x41, 0xF1, 0x1D, 0x40]
        );
        out.modify_field(None, &[]);
        assert_eq!(out.len(), 12, "an empty MF is nothing");
    }

    #[test]
    fn data_bytes_never_become_orders() {
        for byte in 0..=255 {
            let mut out = write();
            out.text(&[byte])
                .repeat_to_address(0, Fill::Character(byte));
            let orders: Vec<_> = Orders::new(&out.bytes()[2..])
                .map(|o| o.expect("valid").1)
                .collect();
            assert!(matches!(
                orders[..],
                [
                    Order::Text([_]),
                    Order::RepeatToAddress { graphic: false, .. }
                ]
            ));
        }
    }

    #[test]
    fn application_data_is_checked() {
        let size = ScreenSize::MODEL_2;
        let good = [0x11, 0x40, 0x40, 0x13];
        let stream = Outbound::from_application(WriteCommand::Write, 0xC3, &good, size);
        assert_eq!(
            stream.expect("valid").bytes(),
            [0xF1, 0xC3, 0x11, 0x40, 0x40, 0x13]
        );
        let mut own = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK_RESET, size);
        own.set_buffer_address(80).application_text(b"(A)\x11");
        let (wcc, data) = own.into_application();
        assert_eq!((wcc, &data[..]), (0xC3, &b"\x11\xC1\x50(A) "[..]));
        let beyond = [0xC1, 0x11, 0x5E, 0x40];
        let error = Outbound::from_application(WriteCommand::Write, 0xC3, &beyond, size);
        assert_eq!(
            error.map_err(|e| e.to_string()),
            Err("offset 1: buffer address 1920 is not on the screen".to_owned())
        );
    }
}
