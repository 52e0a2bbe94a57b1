//! Outbound commands and orders, carried out.
//!
//! What: writes, erases, reads of the host. Why: what an order does stands next to what it looks
//! like (`order`). An error leaves what came before it on the screen, as terminals do. Not here:
//! structured fields (`structured`).

use super::{Applied, Screen};
use crate::attribute::{AttributeKind, Extended, FieldAttribute};
use crate::error::{ErrorKind, StreamError};
use crate::order::{Command, Order, Orders};
use crate::outbound::{ReplyMode, Wcc};

/// Bit of the WCC byte that also resets the reply mode on erasing writes.
const WCC_RESET: u8 = 0x40;

/// State of one write: where the next character goes, and what it looks like.
struct Write {
    at: usize,
    character: Extended,
    /// The last item was characters.
    after_data: bool,
    /// The last item was a PT that filled with nulls and wrapped to 0.
    wrapped_tab: bool,
}

impl Screen {
    /// Carries out one outbound record (without TN3270E header and telnet framing).
    ///
    /// # Errors
    /// What a terminal refuses, with the offset in the record; the orders before it took effect.
    pub fn apply(&mut self, record: &[u8]) -> Result<Applied, StreamError> {
        // Hosts send empty records to pass the direction; they change nothing.
        let Some((first, rest)) = record.split_first() else {
            return Ok(Applied::default());
        };
        let command = Command::from_byte(*first)
            .ok_or(StreamError::new(0, ErrorKind::UnknownCommand(*first)))?;
        if command == Command::WriteStructuredField {
            return self.structured(rest).map_err(|e| e.moved(1));
        }
        self.command(command, rest).map_err(|e| e.moved(1))
    }

    pub(super) fn command(
        &mut self,
        command: Command,
        rest: &[u8],
    ) -> Result<Applied, StreamError> {
        let mut applied = Applied::default();
        match command {
            Command::Write | Command::EraseWrite | Command::EraseWriteAlternate => {
                return self.write(command, rest);
            }
            Command::EraseAllUnprotected => {
                self.erase_all_unprotected();
                applied.unlocked = true;
            }
            Command::ReadBuffer => applied.reply = Some(self.read_buffer()),
            Command::ReadModified => applied.reply = Some(self.read_modified(false)),
            Command::ReadModifiedAll => applied.reply = Some(self.read_modified(true)),
            Command::NoOperation => {}
            Command::WriteStructuredField => {
                let error = ErrorKind::UnknownCommand(command.byte());
                return Err(StreamError::new(0, error));
            }
        }
        Ok(applied)
    }

    fn write(&mut self, command: Command, rest: &[u8]) -> Result<Applied, StreamError> {
        let size = match command {
            Command::EraseWrite => Some(self.options.default),
            Command::EraseWriteAlternate => Some(self.options.alternate),
            _ => None,
        };
        if let Some(size) = size {
            self.erase(size);
        }
        // A command without WCC is taken by terminals: nothing more to do.
        let Some((byte, data)) = rest.split_first() else {
            return Ok(Applied::default());
        };
        if size.is_some() && byte & WCC_RESET != 0 {
            self.reply_mode = ReplyMode::Field;
            self.reply_kinds.clear();
        }
        let wcc = Wcc::from_byte(*byte);
        if wcc.reset_modified {
            for bits in self.field.iter_mut().filter(|bits| **bits != 0) {
                *bits &= !0x01;
            }
        }
        self.orders(data).map_err(|e| e.moved(1))?;
        if wcc.unlock {
            self.unlock();
        }
        Ok(Applied {
            reply: None,
            alarm: wcc.alarm,
            print: wcc.start_print,
            unlocked: wcc.unlock,
        })
    }

    fn orders(&mut self, data: &[u8]) -> Result<(), StreamError> {
        let mut write = Write {
            at: usize::from(self.cursor),
            character: Extended::DEFAULT,
            after_data: false,
            wrapped_tab: false,
        };
        for item in Orders::new(data) {
            let (offset, order) = item?;
            self.order(&mut write, order)
                .map_err(|kind| StreamError::new(offset, kind))?;
            write.wrapped_tab &= order == Order::ProgramTab;
            write.after_data = matches!(order, Order::Text(_) | Order::GraphicEscape(_));
        }
        Ok(())
    }

    fn order(&mut self, write: &mut Write, order: Order<'_>) -> Result<(), ErrorKind> {
        match order {
            Order::SetBufferAddress(address) => write.at = self.checked(address)?,
            Order::StartField(byte) => {
                self.set_field(write.at, FieldAttribute::from_byte(byte), Extended::DEFAULT);
                self.advance(write);
            }
            Order::StartFieldExtended(attributes) => {
                self.set_field(write.at, FieldAttribute::default(), Extended::DEFAULT);
                self.modify_field(write.at, attributes.known());
                self.advance(write);
            }
            Order::ModifyField(attributes) => {
                if self.field_bits(write.at).is_none() {
                    return Err(ErrorKind::NotAField(write.at as u16));
                }
                self.modify_field(write.at, attributes.known());
                self.advance(write);
            }
            Order::SetAttribute(kind, value) => {
                if let Some(kind) = AttributeKind::from_byte(kind) {
                    write.character.set(kind, value);
                }
            }
            Order::InsertCursor => self.cursor = write.at as u16,
            Order::ProgramTab => self.program_tab(write),
            Order::RepeatToAddress {
                stop,
                byte,
                graphic,
            } => {
                self.repeat(write, stop, byte, graphic)?;
            }
            Order::EraseUnprotectedToAddress(stop) => {
                let stop = self.checked(stop)?;
                self.erase_unprotected(write.at, stop);
                write.at = stop;
            }
            Order::GraphicEscape(byte) => {
                self.put(write, byte, true);
            }
            Order::Text(text) => {
                for byte in text {
                    self.put(write, *byte, false);
                }
            }
        }
        Ok(())
    }

    fn checked(&self, address: u16) -> Result<usize, ErrorKind> {
        let at = usize::from(address);
        if at < self.positions() {
            Ok(at)
        } else {
            Err(ErrorKind::BadAddress(address))
        }
    }

    fn advance(&self, write: &mut Write) {
        write.at = self.wrapped(write.at + 1);
    }

    fn put(&mut self, write: &mut Write, byte: u8, graphic: bool) {
        let mut extended = write.character;
        if graphic {
            extended.set(AttributeKind::CharacterSet, Extended::GRAPHIC);
        }
        self.set_byte(write.at, byte, extended);
        self.advance(write);
    }

    fn repeat(
        &mut self,
        write: &mut Write,
        stop: u16,
        byte: u8,
        graphic: bool,
    ) -> Result<(), ErrorKind> {
        let stop = self.checked(stop)?;
        loop {
            self.put(write, byte, graphic);
            if write.at == stop {
                return Ok(());
            }
        }
    }

    fn program_tab(&mut self, write: &mut Write) {
        let here = self.field_bits(write.at);
        if here.is_some_and(|bits| !FieldAttribute::from_byte(bits).is_protected()) {
            self.advance(write);
            write.wrapped_tab = false;
            return;
        }
        // The attribute must stand at or behind the current address, and not beyond the end of the
        // screen.
        let target = (write.at..self.positions())
            .find(|at| self.is_input_start(*at))
            .map_or(0, |start| self.wrapped(start + 1));
        let fill = write.after_data || write.wrapped_tab;
        if fill {
            let mut at = write.at;
            while at != target && self.field_bits(at).is_none() {
                self.set_byte(at, 0, Extended::DEFAULT);
                at = self.wrapped(at + 1);
            }
        }
        write.wrapped_tab = fill && target == 0;
        write.at = target;
    }

    /// Nulls in unprotected positions from `from` to before `stop`; the whole screen if they are
    /// equal.
    fn erase_unprotected(&mut self, from: usize, stop: usize) {
        let mut protected = self.is_protected(from);
        let mut at = from;
        loop {
            match self.field_bits(at) {
                Some(bits) => protected = FieldAttribute::from_byte(bits).is_protected(),
                None if !protected => self.set_byte(at, 0, Extended::DEFAULT),
                None => {}
            }
            at = self.wrapped(at + 1);
            if at == stop {
                return;
            }
        }
    }

    pub(super) fn erase_all_unprotected(&mut self) {
        self.erase_unprotected(0, 0);
        for bits in &mut self.field {
            if *bits != 0 && !FieldAttribute::from_byte(*bits).is_protected() {
                *bits &= !0x01;
            }
        }
        self.cursor = self.first_input() as u16;
        self.unlock();
    }
}
