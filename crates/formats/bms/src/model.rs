//! A mapset as its source describes it, with all operands inherited and checked.
//!
//! Why between source and results: symbolic copybook and physical map are two views of the same
//! thing and must never disagree. Not here: offsets in program storage (`symbolic`), run time
//! (`physical`).

use crate::attribute::{ExtraSet, Extras};

/// A mapset (DFHMSD).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapset {
    /// Up to 8 characters, upper case.
    pub name: String,
    /// LANG; COBOL when not given in a way that asks for something else.
    pub language: Language,
    /// STORAGE=AUTO: maps of the mapset do not overlay each other.
    pub storage_auto: bool,
    /// BASE: name of the storage that the maps overlay.
    pub base: Option<String>,
    /// SUFFIX.
    pub suffix: Option<char>,
    /// Maps in the order of the source.
    pub maps: Vec<Map>,
}

/// LANG.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// COBOL and COBOL2.
    Cobol,
    /// Anything else; there is no symbolic copybook.
    Other,
}

/// MODE.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// Only RECEIVE MAP.
    In,
    /// Only SEND MAP.
    Out,
    /// Both.
    InOut,
}

impl Mode {
    /// Whether there is an input structure.
    pub fn is_input(self) -> bool {
        self != Self::Out
    }

    /// Whether there is an output structure.
    pub fn is_output(self) -> bool {
        self != Self::In
    }
}

/// LINE or COLUMN of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spot {
    /// A number, from 1.
    At(u16),
    /// NEXT: the next free one.
    Next,
    /// SAME: as the map before.
    Same,
}

/// Vertical part of JUSTIFY of a map.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Vertical {
    /// Not given.
    None,
    /// FIRST: begins a page.
    First,
    /// LAST: as low as it fits on a page of several maps; no effect on a map that stands alone.
    Last,
    /// BOTTOM: as low as it fits, alone as well.
    Bottom,
}

/// CTRL of a map, as it is or as a command asks for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Controls {
    /// PRINT.
    pub print: bool,
    /// FREEKB.
    pub free_keyboard: bool,
    /// ALARM.
    pub alarm: bool,
    /// FRSET.
    pub reset_modified: bool,
    /// L40, L64, L80; none is HONEOM.
    pub line: PrintLine,
}

/// Print line length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum PrintLine {
    /// HONEOM: lines end where the data says so.
    #[default]
    Honeom,
    /// 40 characters.
    L40,
    /// 64 characters.
    L64,
    /// 80 characters.
    L80,
}

/// A map (DFHMDI).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Map {
    /// Up to 7 characters, upper case.
    pub name: String,
    /// MODE.
    pub mode: Mode,
    /// Lines of SIZE.
    pub rows: u16,
    /// Columns of SIZE.
    pub columns: u16,
    /// LINE.
    pub line: Spot,
    /// COLUMN.
    pub column: Spot,
    /// JUSTIFY=RIGHT: columns count from the right margin.
    pub right: bool,
    /// JUSTIFY=FIRST, LAST, BOTTOM.
    pub vertical: Vertical,
    /// HEADER=YES.
    pub header: bool,
    /// TRAILER=YES.
    pub trailer: bool,
    /// CTRL.
    pub controls: Controls,
    /// CURSLOC=YES.
    pub cursor_location: bool,
    /// TIOAPFX=YES: 12 bytes in front of the symbolic map.
    pub prefix: bool,
    /// MAPATTS: kinds that are sent.
    pub map_attributes: ExtraSet,
    /// DSATTS: kinds with a byte in the symbolic map.
    pub symbolic_attributes: ExtraSet,
    /// Fields in the order of the source.
    pub fields: Vec<Field>,
}

/// A field (DFHMDF).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// Up to 30 characters, upper case; `None` for a constant.
    pub name: Option<String>,
    /// Attribute byte's offset from the map's upper left corner, counted along the map's lines.
    pub position: u16,
    /// Characters, without attribute byte.
    pub length: u16,
    /// Basic attribute, six bits.
    pub attribute: u8,
    /// ATTRB=IC.
    pub cursor: bool,
    /// Extended attributes, the map's and the mapset's included.
    pub extras: Extras,
    /// INITIAL, XINIT, GINIT, filled up to the length.
    pub initial: Initial,
    /// PICIN without quotes.
    pub picture_in: Option<String>,
    /// PICOUT without quotes.
    pub picture_out: Option<String>,
    /// OCCURS.
    pub occurs: Option<u16>,
    /// GRPNAME, and whether this is the group's first field (it has the attribute byte).
    pub group: Option<(String, bool)>,
    /// JUSTIFY=RIGHT on input.
    pub right: bool,
    /// JUSTIFY=ZERO on input.
    pub zero: bool,
    /// CASE=MIXED: no folding to upper case.
    pub keep_case: bool,
}

/// Default contents of a field.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Initial {
    /// None.
    #[default]
    None,
    /// Text in CCSID 819.
    Text(Vec<u8>),
    /// Bytes of the device (XINIT), sent as they are.
    Device(Vec<u8>),
}

/// Bytes a PICTURE string takes on the screen: `S`, `V` and `P` take none.
pub fn picture_length(picture: &str) -> Option<u16> {
    let mut total = 0usize;
    let mut last = 0usize;
    let mut rest = picture.chars();
    while let Some(c) = rest.next() {
        match c.to_ascii_uppercase() {
            '(' => {
                let digits: String = rest.by_ref().take_while(|c| *c != ')').collect();
                let count: usize = digits.trim().parse().ok().filter(|n| *n > 0)?;
                total = total.checked_add(last.checked_mul(count - 1)?)?;
            }
            'S' | 'V' | 'P' => last = 0,
            ' ' => return None,
            'C' | 'D' => {
                // CR and DB: two characters.
                rest.next()?;
                last = 2;
                total += last;
            }
            'N' | 'G' => {
                last = 2;
                total += last;
            }
            _ => {
                last = 1;
                total += last;
            }
        }
    }
    u16::try_from(total).ok().filter(|n| *n > 0)
}

#[cfg(test)]
mod tests {
    use super::picture_length;

    #[test]
    fn pictures() {
        assert_eq!(picture_length("+ZZZ,ZZZ,ZZZ.99"), Some(15));
        assert_eq!(picture_length("99999999999"), Some(11));
        assert_eq!(picture_length("S9(5)V99"), Some(7));
        assert_eq!(picture_length("$,$$9.99CR"), Some(10));
        assert_eq!(picture_length("9(0)"), None);
    }
}
