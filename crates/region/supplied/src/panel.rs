//! Screens of supplied programs: rows of text and input fields -> orders, and fields back by name.
//!
//! What: [`Panel`] and [`Reply`]. Why: these screens have no map sources; a list of what stands
//! where is shorter. A panel is 24 by 80 or as large as the screen. Not here: sending and receiving
//! (`session`).

use super::latin::latin;
use transom_datastream::inbound::parse_application;
use transom_datastream::{Aid, FieldAttribute, Intensity, Outbound, ScreenSize, Wcc, WriteCommand};
use transom_messages::as_cics;

#[derive(Debug, Clone)]
struct Item {
    row: usize,
    column: usize,
    text: Vec<u8>,
    look: Intensity,
    /// Name and length of an input field.
    input: Option<(String, usize)>,
}

/// A screen. Rows and columns count from 1; the attribute stands one column to the left, so a field
/// begins in column 2 at the earliest.
#[derive(Debug, Clone)]
pub(crate) struct Panel {
    size: ScreenSize,
    items: Vec<Item>,
    cursor: Option<(usize, usize)>,
}

impl Panel {
    /// An empty screen of 24 by 80.
    pub(crate) fn new() -> Self {
        Self::sized(ScreenSize::MODEL_2)
    }

    /// An empty screen of another size.
    pub(crate) fn sized(size: ScreenSize) -> Self {
        Self {
            size,
            items: Vec::new(),
            cursor: None,
        }
    }

    /// Rows and columns.
    pub(crate) fn size(&self) -> ScreenSize {
        self.size
    }

    /// Protected text.
    pub(crate) fn text(&mut self, row: usize, column: usize, text: impl AsRef<str>) -> &mut Self {
        self.item(row, column, text.as_ref(), Intensity::Normal, None)
    }

    /// Protected text that stands out.
    pub(crate) fn bright(&mut self, row: usize, column: usize, text: impl AsRef<str>) -> &mut Self {
        self.item(row, column, text.as_ref(), Intensity::Bright, None)
    }

    /// A field the user may change. One with a value comes back even when it was not touched.
    pub(crate) fn input(
        &mut self,
        name: &str,
        (row, column): (usize, usize),
        length: usize,
        value: &str,
    ) -> &mut Self {
        let field = Some((name.to_owned(), length));
        self.item(row, column, value, Intensity::Bright, field)
    }

    /// A field that does not show what is typed.
    pub(crate) fn hidden(
        &mut self,
        name: &str,
        row: usize,
        column: usize,
        length: usize,
    ) -> &mut Self {
        let field = Some((name.to_owned(), length));
        self.item(row, column, "", Intensity::Dark, field)
    }

    /// Puts the cursor into an input field; without this it stands in the first one.
    pub(crate) fn cursor(&mut self, name: &str) -> &mut Self {
        let named = |item: &&Item| item.input.as_ref().is_some_and(|(known, _)| known == name);
        if let Some(item) = self.items.iter().find(named) {
            self.cursor = Some((item.row, item.column));
        }
        self
    }

    fn item(
        &mut self,
        row: usize,
        column: usize,
        text: &str,
        look: Intensity,
        input: Option<(String, usize)>,
    ) -> &mut Self {
        let room = input.as_ref().map_or(
            self.size.columns() + 1 - column.min(self.size.columns()),
            |(_, length)| *length,
        );
        let mut text = latin(text);
        text.truncate(room);
        for byte in &mut text {
            // Controls would be taken for orders.
            if *byte < b' ' || (0x7F..0xA0).contains(byte) {
                *byte = b'.';
            }
        }
        self.items.push(Item {
            row: row.clamp(1, self.size.rows()),
            column: column.clamp(2, self.size.columns()),
            text,
            look,
            input,
        });
        self
    }

    /// What EXEC CICS SEND sends of it.
    pub(crate) fn stream(&self) -> Outbound {
        let mut items: Vec<&Item> = self.items.iter().collect();
        items.sort_by_key(|item| (item.row, item.column));
        let mut out = Outbound::new(WriteCommand::EraseWrite, Wcc::UNLOCK_RESET, self.size);
        let first_input = items.iter().find(|item| item.input.is_some());
        let cursor = self
            .cursor
            .or(first_input.map(|item| (item.row, item.column)));
        let mut ends = None;
        for item in items {
            let at = self.size.position(item.row, item.column);
            self.close(&mut out, ends.take(), Some(at));
            out.set_buffer_address(at.wrapping_sub(1))
                .start_field(attribute(item));
            if cursor == Some((item.row, item.column)) {
                out.insert_cursor();
            }
            out.application_text(&item.text);
            if let Some((_, length)) = &item.input {
                ends = Some(usize::from(at) + length);
            }
        }
        self.close(&mut out, ends, None);
        if cursor.is_none() {
            out.set_buffer_address(0).insert_cursor();
        }
        out
    }

    /// Ends an input field with a protected one, unless the next field begins right there.
    fn close(&self, out: &mut Outbound, end: Option<usize>, next: Option<u16>) {
        let Some(end) = end.filter(|end| *end < self.size.positions()) else {
            return;
        };
        if next.map(usize::from) != Some(end + 1) {
            out.set_buffer_address(end as u16).start_field(protected());
        }
    }

    /// Messages with the number of a CICS message get its name.
    pub(crate) fn name_as_cics(&mut self) {
        let texts = self.items.iter_mut().filter(|item| item.input.is_none());
        for item in texts.filter(|item| item.text.starts_with(b"TXM")) {
            let text: String = item.text.iter().map(|byte| char::from(*byte)).collect();
            item.text = latin(&as_cics(&text));
        }
    }

    /// What stands in these rows, without attributes.
    pub(crate) fn rows(&self, rows: std::ops::Range<usize>) -> Vec<String> {
        let row = |row| {
            let mut text = vec![' '; self.size.columns()];
            for item in self.items.iter().filter(|item| item.row == row) {
                for (at, byte) in text.iter_mut().skip(item.column - 1).zip(&item.text) {
                    *at = char::from(*byte);
                }
            }
            let text: String = text.into_iter().skip(1).collect();
            text.trim_end().to_owned()
        };
        rows.map(row).collect()
    }

    /// What came back in an input field, without trailing blanks; `None`: the field did not come
    /// back.
    pub(crate) fn read(&self, reply: &Reply, name: &str) -> Option<String> {
        let named = |item: &&Item| item.input.as_ref().is_some_and(|(known, _)| known == name);
        let item = self.items.iter().find(named)?;
        let at = self.size.position(item.row, item.column);
        let (_, bytes) = reply.fields.iter().find(|(position, _)| *position == at)?;
        Some(text_of(bytes))
    }
}

fn attribute(item: &Item) -> FieldAttribute {
    let kind = match &item.input {
        None => protected(),
        Some(_) => FieldAttribute::default().with_modified(!item.text.is_empty()),
    };
    kind.with_intensity(item.look)
}

/// The cursor jumps over it.
fn protected() -> FieldAttribute {
    FieldAttribute::default()
        .with_protected(true)
        .with_numeric(true)
}

/// What a terminal sent.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Reply {
    /// The key.
    pub key: Key,
    /// Cursor position, counted from 0.
    pub cursor: usize,
    /// Modified fields by position.
    pub fields: Vec<(u16, Vec<u8>)>,
    /// Text typed on a screen without fields.
    pub text: String,
}

/// Keys that supplied programs know.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum Key {
    /// ENTER, or no key: the task was started otherwise.
    #[default]
    Enter,
    /// CLEAR.
    Clear,
    /// PA1 to PA3.
    Pa(u8),
    /// PF1 to PF24.
    Pf(u8),
}

impl Key {
    /// Of the byte in EIBAID, either as a 3270 sends it or as the same character of the programs'
    /// code.
    pub(crate) fn of(aid: u8) -> Self {
        const PF_LETTERS: &[u8; 24] = b"123456789:#@ABCDEFGHI\xA2.<";
        let letter = || PF_LETTERS.iter().position(|letter| *letter == aid);
        match (aid, Aid(aid).pf_number()) {
            (0x6D | b'_', _) => Self::Clear,
            (0x6C | b'%', _) => Self::Pa(1),
            (0x6E | b'>', _) => Self::Pa(2),
            (0x6B | b',', _) => Self::Pa(3),
            (_, Some(number)) => Self::Pf(number),
            _ => letter().map_or(Self::Enter, |at| Self::Pf(at as u8 + 1)),
        }
    }
}

impl Reply {
    /// Reads what RECEIVE gives: orders and characters of the modified fields, or text alone.
    pub(crate) fn new(aid: u8, cursor: u16, data: &[u8]) -> Self {
        let mut reply = Self {
            key: Key::of(aid),
            cursor: usize::from(cursor),
            ..Self::default()
        };
        let read = parse_application(data);
        let mut text = text_of(read.text);
        for field in read.fields {
            let word = text_of(field.characters);
            if !word.is_empty() {
                text = if text.is_empty() {
                    word
                } else {
                    text + " " + &word
                };
            }
            let characters = field.characters.to_vec();
            reply.fields.push((field.position, characters));
        }
        reply.text = text;
        reply
    }
}

fn text_of(bytes: &[u8]) -> String {
    let text: String = bytes
        .iter()
        .filter(|byte| **byte != 0)
        .map(|byte| char::from(*byte))
        .collect();
    text.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> Panel {
        let mut panel = Panel::new();
        panel
            .text(1, 2, "Hi")
            .input("USERID", (2, 10), 8, "BOB")
            .hidden("PASSWORD", 3, 10, 8);
        panel
    }

    #[test]
    fn orders() {
        let (wcc, stream) = panel().stream().into_application();
        assert_eq!(wcc, 0xC3);
        let user = [0x11, 0xC1, 0xD8, 0x1D, 0xC9, 0x13, b'B', b'O', b'B'];
        assert_eq!(stream[..7], [0x11, 0x40, 0x40, 0x1D, 0xF0, b'H', b'i']);
        assert_eq!(stream[7..16], user);
        assert_eq!(stream[16..21], [0x11, 0xC1, 0x61, 0x1D, 0xF0]);
        assert_eq!(stream[21..26], [0x11, 0xC2, 0xE8, 0x1D, 0x4C]);
    }

    #[test]
    fn fields_come_back_by_name() {
        let data = [
            &[0x11, 0xC1, 0xD9][..],
            b"ALICE",
            &[0x11, 0xC2, 0xE9],
            b"secret",
        ]
        .concat();
        let reply = Reply::new(0xF3, 99, &data);
        assert_eq!(reply.key, Key::Pf(3));
        assert_eq!(panel().read(&reply, "USERID").as_deref(), Some("ALICE"));
        assert_eq!(panel().read(&reply, "PASSWORD").as_deref(), Some("secret"));
        assert_eq!(panel().read(&reply, "GROUP"), None);
        assert_eq!(Reply::new(0x7D, 0, b"CEMT I TASK").text, "CEMT I TASK");
        let formatted = [&[0x11, 0x40, 0xC1][..], b"CEMT I TASK"].concat();
        assert_eq!(Reply::new(0x7D, 0, &formatted).text, "CEMT I TASK");
    }
}
