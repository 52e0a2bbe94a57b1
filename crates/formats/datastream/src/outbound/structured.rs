//! Write Structured Field: queries, reply modes, Outbound 3270DS.
//!
//! What: a WSF record, field by field with its length. Why: lengths are counted here and nowhere
//! else. Not here: the replies (`inbound`).

use super::Outbound;
use crate::attribute::AttributeKind;
use crate::order::Command;

/// What a terminal sends with the characters of a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum ReplyMode {
    /// Characters only.
    #[default]
    Field,
    /// Read Buffer shows extended field attributes.
    ExtendedField,
    /// Also the character attributes that were asked for.
    Character,
}

/// A Write Structured Field record under construction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StructuredFields {
    bytes: Vec<u8>,
}

/// Partition id of all partitions, for queries.
const ALL_PARTITIONS: u8 = 0xFF;

impl Default for StructuredFields {
    fn default() -> Self {
        Self {
            bytes: vec![Command::WriteStructuredField.byte()],
        }
    }
}

impl StructuredFields {
    pub fn new() -> Self {
        Self::default()
    }

    /// Read Partition (Query): the terminal answers with all its Query Replies.
    pub fn query(&mut self) -> &mut Self {
        self.field(&[0x01, ALL_PARTITIONS, 0x02])
    }

    /// Read Partition (Query List) for some Query Replies, by their codes; all of them if `codes`
    /// is empty.
    pub fn query_list(&mut self, codes: &[u8]) -> &mut Self {
        let request = if codes.is_empty() { 0x80 } else { 0x00 };
        let mut body = vec![0x01, ALL_PARTITIONS, 0x03, request];
        body.extend(codes.iter().take(255));
        self.field(&body)
    }

    /// Read Partition with Read Buffer, Read Modified or Read Modified All on partition 0. Other
    /// commands write nothing.
    pub fn read_partition(&mut self, command: Command) -> &mut Self {
        match command {
            Command::ReadBuffer | Command::ReadModified | Command::ReadModifiedAll => {
                self.field(&[0x01, 0x00, command.byte()])
            }
            _ => self,
        }
    }

    /// Erase/Reset: an erased screen of the default or the alternate size.
    pub fn erase_reset(&mut self, alternate: bool) -> &mut Self {
        self.field(&[0x03, if alternate { 0x80 } else { 0x00 }])
    }

    /// Set Reply Mode of partition 0; `kinds` matter in character mode only.
    pub fn set_reply_mode(&mut self, mode: ReplyMode, kinds: &[AttributeKind]) -> &mut Self {
        let mut body = vec![0x09, 0x00, mode.code()];
        if mode == ReplyMode::Character {
            body.extend(kinds.iter().take(16).map(|kind| *kind as u8));
        }
        self.field(&body)
    }

    /// Outbound 3270DS to partition 0.
    ///
    /// # Errors
    /// The stream back if it is longer than a structured field can be, 65,531 bytes.
    pub fn outbound_3270(&mut self, stream: Outbound) -> Result<&mut Self, Outbound> {
        if stream.len() > usize::from(u16::MAX) - 4 {
            return Err(stream);
        }
        let mut body = vec![0x40, 0x00];
        body.extend_from_slice(stream.bytes());
        Ok(self.field(&body))
    }

    /// The record, without telnet framing.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    pub fn into_bytes(self) -> Vec<u8> {
        self.bytes
    }

    fn field(&mut self, body: &[u8]) -> &mut Self {
        let length = (body.len() + 2).min(usize::from(u16::MAX)) as u16;
        self.bytes.extend(length.to_be_bytes());
        self.bytes.extend_from_slice(body);
        self
    }
}

impl ReplyMode {
    pub fn code(self) -> u8 {
        match self {
            Self::Field => 0x00,
            Self::ExtendedField => 0x01,
            Self::Character => 0x02,
        }
    }

    pub fn from_code(code: u8) -> Option<Self> {
        match code {
            0x00 => Some(Self::Field),
            0x01 => Some(Self::ExtendedField),
            0x02 => Some(Self::Character),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::address::ScreenSize;
    use crate::outbound::{Wcc, WriteCommand};

    #[test]
    fn a_query_is_five_bytes() {
        let mut fields = StructuredFields::new();
        fields.query();
        assert_eq!(fields.bytes(), [0xF3, 0x00, 0x05, 0x01, 0xFF, 0x02]);
    }

    #[test]
    fn several_fields_have_their_lengths() {
        let screen = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK, ScreenSize::MODEL_2);
        let mut fields = StructuredFields::new();
        fields
            .erase_reset(true)
            .set_reply_mode(ReplyMode::Character, &[AttributeKind::Foreground]);
        fields.outbound_3270(screen).expect("short");
        assert_eq!(
            fields.bytes(),
            [
                0xF3, 0, 4, 3, 0x80, 0, 6, 9, 0, 2, 0x42, 0, 6, 0x40, 0, 0xF5, 0xC2
            ]
        );
    }
}
