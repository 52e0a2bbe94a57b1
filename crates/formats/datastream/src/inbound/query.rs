//! Query Replies: what a terminal says it can do.
//!
//! What: the replies a CICS-like host looks at, taken apart. Why: size, colours and code page of a
//! session come from here and are never assumed. A reply with a body we cannot read is kept as
//! [`QueryReply::Other`] instead of costing the session. Not here: what follows from them
//! (`Capabilities`).

use crate::address::ScreenSize;
use crate::outbound::ReplyMode;

/// One Query Reply.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum QueryReply {
    /// X'80': codes of all replies the terminal has.
    Summary(Vec<u8>),
    /// X'81': size of the usable area and of a character cell.
    UsableArea {
        size: ScreenSize,
        /// 14-bit and 16-bit addressing, not only 12/14-bit.
        wide_addresses: bool,
        /// Bytes of the buffer; 0 where the terminal does not say.
        buffer_bytes: u16,
    },
    /// X'84': most partitions, storage in bytes.
    Partitions { count: u8, storage_bytes: u16 },
    /// X'85': character sets.
    CharacterSets {
        /// Graphic escape works.
        graphic_escape: bool,
        /// Cell width and height in units of the display.
        cell: (u8, u8),
        sets: Vec<CharacterSet>,
    },
    /// X'86': pairs of colour asked for and colour shown.
    Colour(Vec<(u8, u8)>),
    /// X'87': pairs of highlight asked for and highlight shown.
    Highlighting(Vec<(u8, u8)>),
    /// X'88': reply modes.
    ReplyModes(Vec<ReplyMode>),
    /// X'95': file transfer; most bytes inbound and outbound.
    DistributedData { inbound: u16, outbound: u16 },
    /// X'A1': device type, model and name, in EBCDIC.
    RpqNames {
        device: [u8; 4],
        model: [u8; 4],
        name: Vec<u8>,
    },
    /// X'A6': default and alternate size of the one partition.
    ImplicitPartition {
        default: ScreenSize,
        alternate: ScreenSize,
    },
    /// X'FF': the terminal has none of the replies asked for.
    Null,
    /// Another reply, or one whose body does not fit its code: code and body.
    Other(u8, Vec<u8>),
}

/// One character set of a terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CharacterSet {
    /// Number of the set in the device.
    pub set: u8,
    /// Local id: 0 is the base set, X'F1' the one of graphic escape.
    pub local_id: u8,
    /// Graphic character set and code page of the base, as registered (697 and 37); none if the
    /// reply has none.
    pub cgcsgid: Option<(u16, u16)>,
}

impl QueryReply {
    /// A reply from its code and body (behind length, X'81' and code).
    pub fn parse(code: u8, body: &[u8]) -> Self {
        let known = match code {
            0x80 => Some(Self::Summary(body.to_vec())),
            0x81 => usable_area(body),
            0x84 => partitions(body),
            0x85 => character_sets(body),
            0x86 => colour(body),
            0x87 => highlighting(body),
            0x88 => Some(Self::ReplyModes(
                body.iter()
                    .filter_map(|c| ReplyMode::from_code(*c))
                    .collect(),
            )),
            0x95 => distributed_data(body),
            0xA1 => rpq_names(body),
            0xA6 => implicit_partition(body),
            0xFF => Some(Self::Null),
            _ => None,
        };
        known.unwrap_or_else(|| Self::Other(code, body.to_vec()))
    }
}

fn u16_at(body: &[u8], at: usize) -> Option<u16> {
    let bytes = body.get(at..at + 2)?;
    Some(u16::from_be_bytes([*bytes.first()?, *bytes.last()?]))
}

/// Width, then height, two bytes each.
fn size_at(body: &[u8], at: usize) -> Option<ScreenSize> {
    let columns = u8::try_from(u16_at(body, at)?).ok()?;
    let rows = u8::try_from(u16_at(body, at + 2)?).ok()?;
    ScreenSize::new(rows, columns)
}

fn usable_area(body: &[u8]) -> Option<QueryReply> {
    Some(QueryReply::UsableArea {
        wide_addresses: body.first()? & 0x0F == 0x03,
        size: size_at(body, 2)?,
        buffer_bytes: u16_at(body, 17).unwrap_or(0),
    })
}

fn partitions(body: &[u8]) -> Option<QueryReply> {
    Some(QueryReply::Partitions {
        count: *body.first()?,
        storage_bytes: u16_at(body, 1)?,
    })
}

fn character_sets(body: &[u8]) -> Option<QueryReply> {
    let flags = *body.first()?;
    let cell = (*body.get(2)?, *body.get(3)?);
    let length = usize::from(*body.get(8)?);
    // A descriptor has number, flags and local id; the code page is its last four bytes if bit 6 is
    // set.
    let has_code_page = flags & 0x02 != 0 && length >= 7;
    let descriptors = body.get(9..)?;
    let sets = match length {
        0..3 => Vec::new(),
        _ => descriptors
            .chunks_exact(length)
            .map(|d| CharacterSet {
                set: d.first().copied().unwrap_or_default(),
                local_id: d.get(2).copied().unwrap_or_default(),
                cgcsgid: has_code_page
                    .then(|| Some((u16_at(d, length - 4)?, u16_at(d, length - 2)?)))
                    .flatten(),
            })
            .collect(),
    };
    Some(QueryReply::CharacterSets {
        graphic_escape: flags & 0x80 != 0,
        cell,
        sets,
    })
}

fn pairs(body: &[u8]) -> Vec<(u8, u8)> {
    let pair = |p: &[u8]| Some((*p.first()?, *p.get(1)?));
    body.chunks_exact(2).filter_map(pair).collect()
}

fn colour(body: &[u8]) -> Option<QueryReply> {
    let count = usize::from(*body.get(1)?);
    let mut all = pairs(body.get(2..)?);
    all.truncate(count);
    Some(QueryReply::Colour(all))
}

fn highlighting(body: &[u8]) -> Option<QueryReply> {
    let count = usize::from(*body.first()?);
    let mut all = pairs(body.get(1..)?);
    all.truncate(count);
    Some(QueryReply::Highlighting(all))
}

fn distributed_data(body: &[u8]) -> Option<QueryReply> {
    Some(QueryReply::DistributedData {
        inbound: u16_at(body, 2)?,
        outbound: u16_at(body, 4)?,
    })
}

fn rpq_names(body: &[u8]) -> Option<QueryReply> {
    let device = body.get(..4)?.try_into().ok()?;
    let model = body.get(4..8)?.try_into().ok()?;
    // The length counts itself.
    let end = 8 + usize::from(body.get(8).copied().unwrap_or(1));
    let name = body.get(9..end).unwrap_or_default().to_vec();
    Some(QueryReply::RpqNames {
        device,
        model,
        name,
    })
}

/// The self-defining parameter X'01' behind two reserved bytes.
fn implicit_partition(body: &[u8]) -> Option<QueryReply> {
    let mut at = 2;
    loop {
        let length = usize::from(*body.get(at)?);
        let parameter = body.get(at..at + length)?;
        if *parameter.get(1)? == 0x01 {
            return Some(QueryReply::ImplicitPartition {
                default: size_at(parameter, 3)?,
                alternate: size_at(parameter, 7)?,
            });
        }
        at += length.max(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_and_code_page_of_a_model_4() {
        let usable = [
            0x01, 0x00, 0x00, 0x50, 0x00, 0x2B, 0x01, 0x00, 0x0A, 0x02, 0xE5, 0x00, 0x02, 0x00,
            0x6F, 0x09, 0x0C, 0x0D, 0x70,
        ];
        let expected = QueryReply::UsableArea {
            size: ScreenSize::MODEL_4,
            wide_addresses: false,
            buffer_bytes: 3440,
        };
        assert_eq!(QueryReply::parse(0x81, &usable), expected);
        let implicit = [
            0, 0, 0x0B, 0x01, 0x00, 0x00, 0x50, 0x00, 0x18, 0x00, 0x50, 0x00, 0x2B,
        ];
        let expected = QueryReply::ImplicitPartition {
            default: ScreenSize::MODEL_2,
            alternate: ScreenSize::MODEL_4,
        };
        assert_eq!(QueryReply::parse(0xA6, &implicit), expected);
        let sets = [
            0x82, 0x00, 0x09, 0x0C, 0, 0, 0, 0, 0x07, 0x00, 0x10, 0x00, 0x02, 0xB9, 0x00, 0x25,
            0x01, 0x00, 0xF1, 0x03, 0xC3, 0x01, 0x36,
        ];
        let QueryReply::CharacterSets {
            graphic_escape,
            sets,
            ..
        } = QueryReply::parse(0x85, &sets)
        else {
            panic!("character sets")
        };
        assert!(graphic_escape);
        assert_eq!(sets[0].cgcsgid, Some((697, 37)));
        assert_eq!(
            (sets[1].local_id, sets[1].cgcsgid),
            (0xF1, Some((963, 310)))
        );
    }

    #[test]
    fn a_damaged_reply_is_kept_as_it_is() {
        assert_eq!(
            QueryReply::parse(0xA6, &[0, 0, 0]),
            QueryReply::Other(0xA6, vec![0, 0, 0])
        );
        assert_eq!(
            QueryReply::parse(0x81, &[]),
            QueryReply::Other(0x81, vec![])
        );
    }
}
