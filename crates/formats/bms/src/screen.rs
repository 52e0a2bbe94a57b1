//! One write to a screen as BMS means it: orders by position, text still in the program's code
//! page.
//!
//! Why not the data stream at once: SEND MAP ACCUM puts several maps on a page, SET and PAGING keep
//! pages, tests want to read positions. Not here: how orders look on the wire
//! (`transom_datastream`).

use crate::attribute::{DARK, Extra, ExtraSet};
use crate::model::{Controls, PrintLine};
use transom_datastream::inbound::Capabilities;
use transom_datastream::{
    Attribute, FieldAttribute, LineLength, Outbound, ScreenSize, Wcc, WriteCommand,
};

/// A blank of the device.
const BLANK: u8 = 0x40;

/// What of the terminal matters to a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Device {
    /// Screen size that is in force after the write.
    pub size: ScreenSize,
    /// Extended attributes that the terminal reported; only these are sent.
    pub extras: ExtraSet,
}

impl Device {
    /// A terminal with the given screen size in force.
    pub fn new(capabilities: &Capabilities, size: ScreenSize) -> Self {
        let c = capabilities;
        let reported = [
            (Extra::Color, c.colour),
            (Extra::Symbols, c.graphic_escape),
            (Extra::Highlight, c.highlight),
            (Extra::Validation, c.validation),
            (Extra::Outline, c.outlining),
            (Extra::ShiftOut, c.double_byte),
            (Extra::Transparency, c.transparency),
        ];
        let known = reported.into_iter().filter(|(_, yes)| *yes && c.extended);
        Self {
            size,
            extras: known.fold(ExtraSet::default(), |set, (kind, _)| set.with(kind)),
        }
    }

    /// Lines.
    pub fn rows(&self) -> u16 {
        self.size.rows() as u16
    }

    /// Columns.
    pub fn columns(&self) -> u16 {
        self.size.columns() as u16
    }

    /// Positions of the screen, at least 1.
    pub fn cells(&self) -> u32 {
        self.size.positions() as u32
    }

    /// A position brought onto the screen.
    pub(crate) fn wrap(&self, position: u32) -> u16 {
        u16::try_from(position % self.cells()).unwrap_or(0)
    }
}

/// Which of map and program a SEND MAP takes its contents from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Content {
    /// Both: the program's where it has any.
    #[default]
    Merged,
    /// MAPONLY.
    MapOnly,
    /// DATAONLY.
    DataOnly,
}

/// CURSOR of SEND MAP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Cursor {
    /// No option: IC of the map, else where the device leaves it (position 0 after ERASE).
    #[default]
    NotGiven,
    /// CURSOR without a value: the first field whose length is -1.
    Symbolic,
    /// CURSOR(n): a position of the screen, from 0. Positions beyond the screen have no effect.
    At(u16),
}

/// What happens to the screen before the write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Erase {
    /// Nothing.
    #[default]
    Keep,
    /// ERASE with the default screen size.
    Default,
    /// ERASE with the alternate screen size.
    Alternate,
    /// ERASEAUP: unprotected fields only.
    Unprotected,
}

impl Erase {
    /// Whether the whole screen is erased.
    pub fn is_whole(self) -> bool {
        matches!(self, Self::Default | Self::Alternate)
    }
}

/// Options of SEND MAP.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SendOptions {
    /// MAPONLY, DATAONLY.
    pub content: Content,
    /// CURSOR.
    pub cursor: Cursor,
    /// ERASE, ERASEAUP.
    pub erase: Erase,
    /// PRINT, FREEKB, ALARM, FRSET, L40 and so on. If any is given, the map's CTRL has no effect.
    pub controls: Controls,
}

/// One step of a write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// The next order or text stands at this position, from 0.
    SetAddress(u16),
    /// A field begins: six attribute bits and extended attributes.
    StartField(u8, Vec<Attribute>),
    /// The field that begins here gets other attributes; what is not named stays.
    ModifyField(Option<u8>, Vec<Attribute>),
    /// Text in CCSID 819; X'00' are nulls.
    Text(Vec<u8>),
    /// Bytes of the device.
    Device(Vec<u8>),
}

/// One write to a screen.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScreenWrite {
    /// What happens before.
    pub erase: Erase,
    /// Write control character.
    pub controls: Controls,
    /// In the order of the map.
    pub orders: Vec<Order>,
    /// Where the cursor goes; `None` leaves it.
    pub cursor: Option<u16>,
}

impl ScreenWrite {
    /// The write as a 3270 data stream. `table` translates CCSID 819 to the terminal's code page.
    pub fn to_stream(&self, device: &Device, table: &[u8; 256]) -> Outbound {
        let command = match self.erase {
            Erase::Keep | Erase::Unprotected => WriteCommand::Write,
            Erase::Default => WriteCommand::EraseWrite,
            Erase::Alternate => WriteCommand::EraseWriteAlternate,
        };
        let mut out = Outbound::new(command, self.wcc(), device.size);
        if self.erase == Erase::Unprotected {
            // From a position to itself is the whole screen.
            out.set_buffer_address(0).erase_unprotected_to_address(0);
        }
        for order in &self.orders {
            match order {
                Order::SetAddress(position) => out.set_buffer_address(*position),
                Order::StartField(bits, extras) => {
                    out.start_field_extended(FieldAttribute::from_byte(*bits), extras)
                }
                Order::ModifyField(bits, extras) => {
                    out.modify_field(bits.map(FieldAttribute::from_byte), extras)
                }
                Order::Text(text) => out.text(&translated(text, table)),
                Order::Device(bytes) => out.text(bytes),
            };
        }
        if let Some(cursor) = self.cursor {
            out.set_buffer_address(cursor).insert_cursor();
        }
        out
    }

    /// The write for a printer as lines (NLEOM): text with blanks, a new line behind each line and
    /// an end of message behind the last. It always erases the buffer; what is dark prints as
    /// blanks.
    pub fn to_lines(&self, device: &Device, table: &[u8; 256]) -> Outbound {
        const NEW_LINE: u8 = 0x15;
        const END_OF_MESSAGE: u8 = 0x19;
        let mut cells = vec![BLANK; device.cells() as usize];
        let (mut at, mut dark) = (0u32, false);
        let put = |cells: &mut Vec<u8>, at: u32, byte: u8| {
            if let Some(cell) = cells.get_mut(usize::from(device.wrap(at))) {
                *cell = byte;
            }
        };
        for order in &self.orders {
            let text = match order {
                Order::SetAddress(position) => {
                    at = u32::from(*position);
                    continue;
                }
                Order::StartField(bits, _) => {
                    dark = bits & DARK == DARK;
                    vec![0]
                }
                Order::ModifyField(..) => vec![0],
                Order::Text(text) => translated(text, table),
                Order::Device(bytes) => bytes.clone(),
            };
            for byte in text {
                let shown = byte > BLANK && !dark;
                put(&mut cells, at, if shown { byte } else { BLANK });
                at += 1;
            }
        }
        let mut text = Vec::with_capacity(cells.len());
        let used = cells.iter().rposition(|byte| *byte != BLANK);
        let used = used.map_or(0, |last| last / device.size.columns() + 1);
        for row in cells.chunks(device.size.columns()).take(used) {
            let end = row.iter().rposition(|byte| *byte != BLANK);
            text.extend(row.iter().take(end.map_or(0, |at| at + 1)));
            text.push(NEW_LINE);
        }
        text.push(END_OF_MESSAGE);
        let mut out = Outbound::new(WriteCommand::EraseWrite, self.wcc(), device.size);
        out.text(&text);
        out
    }

    fn wcc(&self) -> Wcc {
        Wcc {
            reset_modified: self.controls.reset_modified,
            unlock: self.controls.free_keyboard,
            alarm: self.controls.alarm,
            start_print: self.controls.print,
            line: match self.controls.line {
                PrintLine::Honeom => LineLength::AsWritten,
                PrintLine::L40 => LineLength::L40,
                PrintLine::L64 => LineLength::L64,
                PrintLine::L80 => LineLength::L80,
            },
        }
    }

    /// The text of the screen if nothing was on it before: one string per line, nulls and attribute
    /// bytes as blanks, unknown device bytes as `?`. For logs and tests.
    pub fn rows(&self, device: &Device) -> Vec<String> {
        let mut cells = vec![' '; device.cells() as usize];
        let mut at = 0u32;
        let mut put = |at: &mut u32, c: char| {
            if let Some(cell) = cells.get_mut(usize::from(device.wrap(*at))) {
                *cell = c;
            }
            *at += 1;
        };
        for order in &self.orders {
            match order {
                Order::SetAddress(position) => at = u32::from(*position),
                Order::StartField(..) | Order::ModifyField(..) => put(&mut at, ' '),
                Order::Text(text) => {
                    for byte in text {
                        put(&mut at, if *byte < b' ' { ' ' } else { char::from(*byte) });
                    }
                }
                Order::Device(bytes) => {
                    for byte in bytes {
                        put(&mut at, if *byte <= 0x40 { ' ' } else { '?' });
                    }
                }
            }
        }
        cells
            .chunks(device.size.columns())
            .map(|row| row.iter().collect::<String>())
            .collect()
    }
}

/// Text in the terminal's code page; nulls stay nulls whatever the table says.
fn translated(text: &[u8], table: &[u8; 256]) -> Vec<u8> {
    let one = |byte: &u8| match byte {
        0 => 0,
        b => table.get(usize::from(*b)).copied().unwrap_or(0),
    };
    text.iter().map(one).collect()
}
