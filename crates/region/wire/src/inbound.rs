//! A record of a 3270 with what was found in it.
//!
//! What: [`InboundRecord`], the bytes a terminal sent and the places of its fields in them. Why:
//! the region reads a record once, when it arrives and the size of its screen is known; choosing a
//! transaction, turning pages, RECEIVE and RECEIVE MAP then take key, cursor and fields as they
//! were found. Not here: the data stream (`transom_datastream`), what an input means.

use crate::language;
use std::borrow::Cow;
use transom_datastream::inbound::{Characters, Inbound, ModifiedField, Read, ReadData, parse};
use transom_datastream::{Aid, ScreenSize, decode_address};

/// Bytes in front of the data: AID and cursor address.
const HEAD_BYTES: usize = 3;
/// Bytes in front of the characters of a field: SBA and address.
const ORDER_BYTES: usize = 3;

language! {
    /// A record of a terminal.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub struct InboundRecord {
        /// AID, cursor address and data as the terminal sent them.
        pub bytes: Vec<u8>,
        /// Cursor position; none where the record has no position of its screen.
        pub cursor: Option<u16>,
        pub contents: Contents,
    }

    /// What a record brings.
    #[derive(Debug, Clone, PartialEq, Eq, Default)]
    pub enum Contents {
        /// No key with data: structured fields, a status, the contents of a whole screen, or
        /// what no terminal should send.
        #[default]
        0 = Other,
        /// AID only.
        1 = Short,
        /// The characters of a screen without fields.
        2 = Unformatted,
        /// The modified fields, in the order they were sent.
        3 = Fields(fields: Vec<Place>),
    }

    /// Where the characters of a field lie.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Place {
        /// Position on the screen of the first one.
        pub position: u16,
        /// Offset in the record.
        pub start: u32,
        /// Bytes, with the orders between the characters.
        pub length: u32,
    }
}

impl InboundRecord {
    /// Reads a record of a screen of this size.
    pub fn read(bytes: Vec<u8>, size: ScreenSize) -> Self {
        let contents = match parse(&bytes, size) {
            Ok(Inbound::Read(read)) => contents(&read),
            _ => Contents::Other,
        };
        let cursor = cursor(&bytes, size);
        Self {
            bytes,
            cursor,
            contents,
        }
    }

    /// The key; an empty record has none.
    pub fn aid(&self) -> Option<Aid> {
        self.bytes.first().map(|byte| Aid(*byte))
    }

    /// A key was pressed, or the terminal was asked for its modified fields.
    pub fn is_read(&self) -> bool {
        self.contents != Contents::Other
    }

    /// What follows AID and cursor address.
    pub fn data(&self) -> &[u8] {
        self.bytes.get(HEAD_BYTES..).unwrap_or_default()
    }

    /// The modified fields.
    pub fn fields(&self) -> impl Iterator<Item = ModifiedField<'_>> {
        let places = match &self.contents {
            Contents::Fields(places) => places.as_slice(),
            Contents::Other | Contents::Short | Contents::Unformatted => &[],
        };
        places.iter().map(|place| ModifiedField {
            position: place.position,
            characters: self.characters(place),
        })
    }

    /// The characters of the first field, or of a screen without fields.
    pub fn typed(&self) -> Option<Cow<'_, [u8]>> {
        match &self.contents {
            Contents::Other | Contents::Short => None,
            Contents::Unformatted => Some(Characters::new(self.data()).text()),
            Contents::Fields(places) => Some(self.characters(places.first()?).text()),
        }
    }

    /// A place beyond the record, which no region tells, is one without characters.
    fn characters(&self, place: &Place) -> Characters<'_> {
        let start = place.start as usize;
        let end = start.saturating_add(place.length as usize);
        Characters::new(self.bytes.get(start..end).unwrap_or_default())
    }
}

/// Nothing stands between one field and the next.
fn contents(read: &Read<'_>) -> Contents {
    let fields = match &read.data {
        ReadData::Short => return Contents::Short,
        ReadData::Unformatted(_) => return Contents::Unformatted,
        ReadData::Fields(fields) => fields,
    };
    let mut end = HEAD_BYTES;
    let place = |field: &ModifiedField<'_>| {
        let start = end + ORDER_BYTES;
        let length = field.characters.raw().len();
        end = start + length;
        Place {
            position: field.position,
            start: start as u32,
            length: length as u32,
        }
    };
    Contents::Fields(fields.iter().map(place).collect())
}

/// Programs see the cursor of a record whose data cannot be read, too.
fn cursor(bytes: &[u8], size: ScreenSize) -> Option<u16> {
    let [aid, high, low, ..] = *bytes else {
        return None;
    };
    let cursor = decode_address(high, low).ok();
    let cursor = cursor.filter(|_| aid != Aid::STRUCTURED_FIELD.0);
    cursor.filter(|cursor| usize::from(*cursor) < size.positions())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: ScreenSize = ScreenSize::MODEL_2;

    fn read(bytes: &[u8]) -> InboundRecord {
        InboundRecord::read(bytes.to_vec(), SIZE)
    }

    #[test]
    fn fields_are_found_again_after_the_way_to_a_worker() {
        // ENTER, cursor 80; position 1 with AB, the B in another colour; position 80 erased.
        let record = read(&[
            0x7D, 0xC1, 0x50, 0x11, 0x40, 0xC1, 0xC1, 0x28, 0x42, 0xF2, 0xC2, 0x11, 0xC1, 0x50,
        ]);
        let there = InboundRecord::decode(&record.encode()).expect("a record");
        assert_eq!(there, record);
        assert_eq!((there.aid(), there.cursor), (Some(Aid::ENTER), Some(80)));
        let fields: Vec<_> = there
            .fields()
            .map(|field| (field.position, field.characters.text().into_owned()))
            .collect();
        assert_eq!(fields, [(1, vec![0xC1, 0xC2]), (80, vec![])]);
        assert_eq!(there.typed().as_deref(), Some(&[0xC1, 0xC2][..]));
    }

    #[test]
    fn keys_and_screens_without_fields() {
        let clear = read(&[0x6D]);
        assert_eq!((&clear.contents, clear.cursor), (&Contents::Short, None));
        assert_eq!((clear.typed(), clear.data()), (None, &[][..]));
        let typed = read(&[0x7D, 0x40, 0xC4, 0xC3, 0xC3, 0xF0, 0xF0]);
        assert_eq!(typed.contents, Contents::Unformatted);
        assert_eq!(
            typed.typed().as_deref(),
            Some(&[0xC3, 0xC3, 0xF0, 0xF0][..])
        );
        assert_eq!(typed.fields().count(), 0);
    }

    #[test]
    fn what_cannot_be_read_keeps_its_bytes_and_cursor() {
        // A field beyond the screen.
        let damaged = read(&[0x7D, 0x40, 0x40, 0x11, 0x5E, 0x40, 0xC1]);
        assert_eq!((damaged.is_read(), damaged.cursor), (false, Some(0)));
        assert_eq!(damaged.data(), [0x11, 0x5E, 0x40, 0xC1]);
        let structured = read(&[0x88, 0x00, 0x04, 0x81, 0xFF]);
        assert_eq!((structured.is_read(), structured.cursor), (false, None));
        assert_eq!(read(&[]), InboundRecord::default());
    }

    #[test]
    fn a_place_beyond_the_record_is_empty() {
        let far = Place {
            position: 1,
            start: u32::MAX,
            length: u32::MAX,
        };
        let record = InboundRecord {
            bytes: vec![0x7D, 0x40, 0x40],
            cursor: Some(0),
            contents: Contents::Fields(vec![far]),
        };
        assert_eq!(record.typed().as_deref(), Some(&[][..]));
    }
}
