//! Write Structured Field, carried out.
//!
//! What: queries, reply modes, Erase/Reset, Outbound 3270DS for partition 0. Why: these are what
//! hosts send to a terminal without partitions. Not here: file transfer (DDM), which answers
//! Unsupported.

use super::{Applied, Screen};
use crate::attribute::AttributeKind;
use crate::error::{ErrorKind, StreamError};
use crate::order::Command;
use crate::outbound::ReplyMode;

impl Screen {
    pub(super) fn structured(&mut self, data: &[u8]) -> Result<Applied, StreamError> {
        if !self.options.extended {
            let byte = Command::WriteStructuredField.byte();
            return Err(StreamError::new(0, ErrorKind::Unsupported(byte)));
        }
        let mut all = Applied::default();
        let mut at = 0;
        while at < data.len() {
            let rest = data.get(at..).unwrap_or_default();
            let [high, low, id, ..] = *rest else {
                return Err(StreamError::truncated(at));
            };
            let stated = u16::from_be_bytes([high, low]);
            let length = if stated == 0 {
                rest.len()
            } else {
                usize::from(stated)
            };
            let body = rest
                .get(3..length)
                .ok_or(StreamError::new(at, ErrorKind::BadLength(stated)))?;
            let one = self
                .structured_field(id, body)
                .map_err(|e| e.moved(at + 3))?;
            all.reply = one.reply.or(all.reply);
            all.alarm |= one.alarm;
            all.print |= one.print;
            all.unlocked |= one.unlocked;
            at += length;
        }
        Ok(all)
    }

    fn structured_field(&mut self, id: u8, body: &[u8]) -> Result<Applied, StreamError> {
        // The answer locks the keyboard (enter inhibit) until the host unlocks it, also that to a
        // query.
        self.locked |= id == 0x01;
        match (id, body) {
            // Read Partition.
            (0x01, [0xFF, 0x02, ..]) => Ok(reply(self.query_replies(None))),
            (0x01, [0xFF, 0x03, request, codes @ ..]) => {
                // 00: the list; 40: the list and what is equivalent; 80: all.
                let listed = (request & 0xC0 == 0).then_some(codes);
                Ok(reply(self.query_replies(listed)))
            }
            (0x01, [0x00, command, ..]) => self.read_partition(*command),
            (0x03, [flags, ..]) => {
                let alternate = flags & 0x80 != 0;
                let size = if alternate {
                    self.options.alternate
                } else {
                    self.options.default
                };
                self.erase(size);
                Ok(Applied::default())
            }
            (0x09, [0x00, mode, kinds @ ..]) => self.set_reply_mode(*mode, kinds),
            (0x40, [0x00, command, rest @ ..]) => match Command::from_byte(*command) {
                Some(command) => self.command(command, rest).map_err(|e| e.moved(2)),
                None => Err(StreamError::new(1, ErrorKind::UnknownCommand(*command))),
            },
            (0x01 | 0x03 | 0x09 | 0x40, [] | [_]) => Err(StreamError::truncated(0)),
            (0x01 | 0x09 | 0x40, [partition, ..]) => {
                Err(StreamError::new(0, ErrorKind::Unsupported(*partition)))
            }
            _ => Err(StreamError::new(0, ErrorKind::Unsupported(id))),
        }
    }

    /// Reads of partition 0 answer with an Inbound 3270DS.
    fn read_partition(&mut self, command: u8) -> Result<Applied, StreamError> {
        let record = match Command::from_byte(command) {
            Some(Command::ReadBuffer) => self.read_buffer(),
            Some(Command::ReadModified) => self.read_modified(false),
            Some(Command::ReadModifiedAll) => self.read_modified(true),
            _ => return Err(StreamError::new(1, ErrorKind::UnknownCommand(command))),
        };
        let mut answer = vec![0x88];
        // A length of 0 means "to the end", for what is longer than a length can say.
        let length = u16::try_from(record.len() + 4).unwrap_or(0);
        answer.extend(length.to_be_bytes());
        answer.extend([0x80, 0x00]);
        answer.extend(record);
        Ok(reply(answer))
    }

    fn set_reply_mode(&mut self, mode: u8, kinds: &[u8]) -> Result<Applied, StreamError> {
        self.reply_mode =
            ReplyMode::from_code(mode).ok_or(StreamError::new(1, ErrorKind::Unsupported(mode)))?;
        self.reply_kinds.clear();
        if self.reply_mode == ReplyMode::Character {
            for kind in kinds.iter().filter_map(|k| AttributeKind::from_byte(*k)) {
                if !self.reply_kinds.contains(&kind) {
                    self.reply_kinds.push(kind);
                }
            }
        }
        Ok(Applied::default())
    }
}

fn reply(record: Vec<u8>) -> Applied {
    Applied {
        reply: Some(record),
        ..Applied::default()
    }
}
