//! What follows from a terminal's Query Replies.
//!
//! What: sizes, colours, highlighting, code page in one value. Why: replies differ between
//! emulators, so each fact has an order of sources: implicit partition, usable area, terminal type.
//! Not here: terminal definitions, which may forbid what a terminal can do.

use super::{InboundField, QueryReply};
use crate::address::ScreenSize;
use crate::outbound::ReplyMode;

/// What a terminal can do. Without a query: nothing beyond its sizes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capabilities {
    /// Size after Erase/Write.
    pub default: ScreenSize,
    /// Size after Erase/Write Alternate.
    pub alternate: ScreenSize,
    /// It answered a query: extended data stream.
    pub extended: bool,
    /// More than one colour.
    pub colour: bool,
    /// Blink, reverse or underscore.
    pub highlight: bool,
    /// Graphic escape.
    pub graphic_escape: bool,
    /// Field outlining (X'8C') and validation (X'8A').
    pub outlining: bool,
    pub validation: bool,
    /// Background transparency and colour.
    pub transparency: bool,
    /// Double-byte characters between SO and SI.
    pub double_byte: bool,
    /// Character mode of Set Reply Mode.
    pub character_mode: bool,
    /// File transfer by structured fields.
    pub distributed_data: bool,
    /// Graphic character set and code page of the base set: (697, 37).
    pub code_page: Option<(u16, u16)>,
}

impl Capabilities {
    /// A terminal that was not or could not be queried.
    pub fn basic(default: ScreenSize, alternate: ScreenSize) -> Self {
        Self {
            default,
            alternate,
            extended: false,
            colour: false,
            highlight: false,
            graphic_escape: false,
            outlining: false,
            validation: false,
            transparency: false,
            double_byte: false,
            character_mode: false,
            distributed_data: false,
            code_page: None,
        }
    }

    /// Adds what the replies say. The alternate size comes from Implicit Partition, else from
    /// Usable Area.
    pub fn learn(&mut self, fields: &[InboundField<'_>]) {
        let replies = fields.iter().filter_map(|field| match field {
            InboundField::QueryReply(reply) => Some(reply),
            _ => None,
        });
        let mut implicit = false;
        for reply in replies {
            self.extended |= *reply != QueryReply::Null;
            match reply {
                QueryReply::ImplicitPartition { default, alternate } => {
                    implicit = true;
                    (self.default, self.alternate) = (*default, *alternate);
                }
                QueryReply::UsableArea { size, .. } if !implicit => self.alternate = *size,
                reply => self.learn_feature(reply),
            }
        }
    }

    fn learn_feature(&mut self, reply: &QueryReply) {
        match reply {
            QueryReply::Summary(codes) => {
                let has = |code| codes.contains(&code);
                self.validation |= has(0x8A);
                self.outlining |= has(0x8C);
                self.transparency |= has(0xA8);
                self.double_byte |= has(0x91);
            }
            QueryReply::CharacterSets {
                graphic_escape,
                sets,
                ..
            } => {
                self.graphic_escape = *graphic_escape;
                let base = sets.iter().find(|set| set.local_id == 0);
                self.code_page = base.and_then(|set| set.cgcsgid);
            }
            // A monochrome display answers too: every colour shown as green or as the default.
            QueryReply::Colour(pairs) => {
                self.colour = pairs
                    .iter()
                    .any(|(asked, shown)| *asked != 0 && !matches!(shown, 0x00 | 0xF4));
            }
            QueryReply::Highlighting(pairs) => {
                self.highlight = pairs
                    .iter()
                    .any(|(_, shown)| matches!(shown, 0xF1 | 0xF2 | 0xF4));
            }
            QueryReply::ReplyModes(modes) => {
                self.character_mode = modes.contains(&ReplyMode::Character);
            }
            QueryReply::DistributedData { .. } => self.distributed_data = true,
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_implicit_partition_wins_over_the_usable_area() {
        let usable = QueryReply::UsableArea {
            size: ScreenSize::MODEL_5,
            wide_addresses: false,
            buffer_bytes: 0,
        };
        let implicit = QueryReply::ImplicitPartition {
            default: ScreenSize::MODEL_2,
            alternate: ScreenSize::MODEL_4,
        };
        for order in [[&usable, &implicit], [&implicit, &usable]] {
            let fields = order.map(|reply| InboundField::QueryReply(reply.clone()));
            let mut found = Capabilities::basic(ScreenSize::MODEL_2, ScreenSize::MODEL_2);
            found.learn(&fields);
            assert_eq!(found.alternate, ScreenSize::MODEL_4);
        }
        let mut found = Capabilities::basic(ScreenSize::MODEL_2, ScreenSize::MODEL_2);
        found.learn(&[InboundField::QueryReply(usable)]);
        assert_eq!(found.alternate, ScreenSize::MODEL_5);
        assert!(found.extended && !found.colour);
    }
}
