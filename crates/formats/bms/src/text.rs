//! SEND TEXT: text in lines and pages, with headers, trailers and page numbers.
//!
//! What: [`TextBuilder`] takes one text after the other and gives finished pages. A line begins
//! with an attribute byte; lines break between words; a text goes on one position behind the one
//! before unless it is justified. Why apart from maps (`page`): text makes its own page breaks, the
//! program is not asked. Not here: keeping and sending of pages.

use crate::model::Controls;
use crate::screen::{Device, Erase, Order, ScreenWrite};
use std::fmt;

/// Bytes of LL, P and C in front of the text of a header or trailer.
const BAND_PREFIX_BYTES: usize = 4;
/// Digits a page number takes at most.
const NUMBER_DIGITS_MAX: usize = 5;

/// HEADER or TRAILER of a program.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Band {
    text: Vec<u8>,
    /// The character that stands for digits of the page number.
    number: Option<u8>,
}

impl Band {
    /// Bytes of the area that a band begins with, to learn its length from.
    pub const PREFIX_BYTES: usize = BAND_PREFIX_BYTES;

    /// Length of the text behind the prefix; `None`: the area is too short or the length negative.
    pub fn text_bytes(prefix: &[u8]) -> Option<usize> {
        let length = prefix.first_chunk::<2>()?;
        usize::try_from(i16::from_be_bytes(*length)).ok()
    }

    /// From the area of a program: length of the text as a halfword, page number character (blank:
    /// none), a reserved byte, text.
    pub fn from_program(area: &[u8]) -> Option<Self> {
        let bytes = Self::text_bytes(area)?;
        let number = area.get(2).copied().filter(|c| !matches!(c, 0 | b' '));
        let text = area.get(BAND_PREFIX_BYTES..)?.get(..bytes)?.to_vec();
        Some(Self { text, number })
    }

    /// Lines at a width, with the page's number.
    fn lines(&self, width: usize, page: u16) -> Vec<Vec<u8>> {
        let mut text = self.text.clone();
        if let Some(mark) = self.number {
            put_number(&mut text, mark, page);
        }
        wrap(&text, width, width)
    }
}

/// Puts the page number into each run of the mark, right-justified; leading places become blanks.
fn put_number(text: &mut [u8], mark: u8, page: u16) {
    let digits = page.to_string().into_bytes();
    let mut at = 0;
    while at < text.len() {
        let rest = text.get_mut(at..).unwrap_or_default();
        let run = rest.iter().take_while(|byte| **byte == mark).count();
        let run = run.min(NUMBER_DIGITS_MAX);
        let places = rest.get_mut(..run).unwrap_or_default();
        places.fill(b' ');
        for (place, digit) in places.iter_mut().rev().zip(digits.iter().rev()) {
            *place = *digit;
        }
        at += run.max(1);
    }
}

/// JUSTIFY, JUSFIRST, JUSLAST.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Justify {
    /// The first line behind the header.
    First,
    /// This line of the page, from 1.
    Line(u16),
    /// As low as text and trailer fit.
    Last,
}

/// How a text is sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct TextOptions<'a> {
    /// Stands on top of each page begun from now on.
    pub header: Option<&'a Band>,
    /// Stands at the bottom of each page completed by this text.
    pub trailer: Option<&'a Band>,
    /// Where the text begins; without it, behind the text before.
    pub justify: Option<Justify>,
    /// ERASE.
    pub erase: Erase,
    /// PRINT, FREEKB and so on.
    pub controls: Controls,
    /// CURSOR.
    pub cursor: Option<u16>,
}

/// Why a text is on no page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextError {
    /// Header and trailer leave no line for text (ABM7).
    Band,
    /// JUSTIFY names no line of the page, or one of header or trailer (ABM8).
    Justify,
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Band => "header and trailer leave no line of the page for text",
            Self::Justify => "JUSTIFY names no line of the page that text can take",
        })
    }
}

impl std::error::Error for TextError {}

/// Pages of text under construction.
#[derive(Debug, Clone)]
pub struct TextBuilder {
    device: Device,
    /// Number of the page being built, from 1.
    page: u16,
    /// Pieces of the page: line, column of the attribute byte, text.
    pieces: Vec<(u16, u16, Vec<u8>)>,
    /// A header or text is on the page.
    begun: bool,
    /// Where text goes on, from 0; column 0 is a new line.
    row: u16,
    column: u16,
    erase: Erase,
    controls: Controls,
    cursor: Option<u16>,
    done: Vec<ScreenWrite>,
}

impl TextBuilder {
    /// An empty first page.
    pub fn new(device: Device) -> Self {
        Self {
            device,
            page: 1,
            pieces: Vec::new(),
            begun: false,
            row: 0,
            column: 0,
            erase: Erase::Keep,
            controls: Controls::default(),
            cursor: None,
            done: Vec::new(),
        }
    }

    /// Number of the page being built, from 1.
    pub fn page_number(&self) -> u16 {
        self.page
    }

    /// Adds a text.
    ///
    /// # Errors
    /// Nothing was added: header, trailer or JUSTIFY do not go with the size of a page.
    pub fn add(&mut self, text: &[u8], options: &TextOptions<'_>) -> Result<(), TextError> {
        let width = self.width();
        let rows = self.device.rows();
        let lines_of =
            |band: Option<&Band>| band.map_or(0, |band| clamp(band.lines(width, self.page).len()));
        let (top, low) = (lines_of(options.header), lines_of(options.trailer));
        let bottom = rows.saturating_sub(low);
        if top >= bottom {
            return Err(TextError::Band);
        }
        if let Some(Justify::Line(line)) = options.justify
            && (line == 0 || line > bottom || line <= top)
        {
            return Err(TextError::Justify);
        }
        self.look(options);
        self.begin(options.header);
        self.justify(text, options, bottom);
        self.fill(text, options, bottom);
        Ok(())
    }

    /// SEND CONTROL within a message of text.
    pub fn control(&mut self, erase: Erase, controls: Controls, cursor: Option<u16>) {
        self.look(&TextOptions {
            erase,
            controls,
            cursor,
            ..TextOptions::default()
        });
    }

    /// Pages that are full.
    pub fn take_done(&mut self) -> Vec<ScreenWrite> {
        std::mem::take(&mut self.done)
    }

    /// The last pages; a trailer that does not fit any more gets a page of its own.
    pub fn finish(mut self, trailer: Option<&Band>) -> Vec<ScreenWrite> {
        let lines = trailer.map_or(0, |band| clamp(band.lines(self.width(), self.page).len()));
        let used = self.row + u16::from(self.column > 0);
        if used > self.device.rows().saturating_sub(lines) {
            self.end_page(None);
        }
        if self.begun || lines > 0 {
            self.end_page(trailer);
        }
        self.done
    }

    /// Characters of a line, without the attribute byte.
    fn width(&self) -> usize {
        usize::from(self.device.columns()).saturating_sub(1).max(1)
    }

    fn look(&mut self, options: &TextOptions<'_>) {
        if options.erase != Erase::Keep {
            self.erase = options.erase;
        }
        if options.controls != Controls::default() {
            self.controls = options.controls;
        }
        self.cursor = options.cursor.or(self.cursor);
    }

    /// A page begins with its header.
    fn begin(&mut self, header: Option<&Band>) {
        if self.begun {
            return;
        }
        self.begun = true;
        for line in header.map_or_else(Vec::new, |h| h.lines(self.width(), self.page)) {
            self.pieces.push((self.row, 0, line));
            self.row += 1;
        }
    }

    /// Goes to the line where a justified text begins, on a new page if that line is taken.
    fn justify(&mut self, text: &[u8], options: &TextOptions<'_>, bottom: u16) {
        let Some(justify) = options.justify else {
            return;
        };
        let top = options
            .header
            .map_or(0, |h| clamp(h.lines(self.width(), self.page).len()));
        let line = match justify {
            Justify::First => top,
            Justify::Line(line) => line - 1,
            Justify::Last => {
                let lines = clamp(wrap(text, self.width(), self.width()).len());
                bottom.saturating_sub(lines).max(top)
            }
        };
        if line < self.row + u16::from(self.column > 0) {
            self.end_page(options.trailer);
            self.begin(options.header);
        }
        (self.row, self.column) = (line, 0);
    }

    fn fill(&mut self, text: &[u8], options: &TextOptions<'_>, bottom: u16) {
        let width = self.width();
        // An attribute byte and one character at least.
        let room = (width + 1).saturating_sub(usize::from(self.column) + 1);
        if self.column > 0 && room == 0 {
            (self.row, self.column) = (self.row + 1, 0);
        }
        let first = if self.column > 0 { room } else { width };
        let lines = wrap(text, first, width);
        let last = lines.len().saturating_sub(1);
        for (nth, line) in lines.into_iter().enumerate() {
            if nth > 0 {
                (self.row, self.column) = (self.row + 1, 0);
            }
            if nth > 0 && nth == last && line.is_empty() {
                // The text ended its line; what follows begins one.
                return;
            }
            if self.row >= bottom {
                self.end_page(options.trailer);
                self.begin(options.header);
            }
            let end = self.column + 1 + clamp(line.len());
            self.pieces.push((self.row, self.column, line));
            self.column = end;
        }
        if usize::from(self.column) > width {
            (self.row, self.column) = (self.row + 1, 0);
        }
    }

    fn end_page(&mut self, trailer: Option<&Band>) {
        let lines = trailer.map_or_else(Vec::new, |band| band.lines(self.width(), self.page));
        let first = self.device.rows().saturating_sub(clamp(lines.len()));
        let trailer = lines
            .into_iter()
            .enumerate()
            .map(|(nth, line)| (first + clamp(nth), 0, line));
        self.pieces.extend(trailer);
        let mut orders = Vec::with_capacity(3 * self.pieces.len());
        let pieces = std::mem::take(&mut self.pieces);
        for (at, (row, column, line)) in pieces.iter().enumerate() {
            let line_goes_on = pieces.get(at + 1).is_some_and(|next| next.0 == *row);
            orders.extend(self.piece(*row, *column, line, line_goes_on));
        }
        self.done.push(ScreenWrite {
            erase: self.erase,
            controls: self.controls,
            orders,
            cursor: Some(self.cursor.unwrap_or(0)),
        });
        self.page = self.page.saturating_add(1);
        (self.begun, self.row, self.column) = (false, 0, 0);
    }

    fn piece(&self, row: u16, column: u16, line: &[u8], goes_on: bool) -> [Order; 3] {
        let columns = self.device.columns();
        let mut text = line.to_vec();
        if !self.erase.is_whole() && !goes_on {
            // What the screen had there goes.
            let end = columns.saturating_sub(column + 1);
            text.resize(text.len().max(usize::from(end)), 0);
        }
        [
            Order::SetAddress(row.saturating_mul(columns) + column),
            Order::StartField(0, Vec::new()),
            Order::Text(text),
        ]
    }
}

fn clamp(count: usize) -> u16 {
    u16::try_from(count).unwrap_or(u16::MAX / 2)
}

/// Breaks text into lines: the first of at most `first` bytes, the others of `width`. Breaks are
/// between words, else in a word that is longer than a line; one blank at a break is left out. A
/// new line begins at X'15' and at a line feed.
fn wrap(text: &[u8], first: usize, width: usize) -> Vec<Vec<u8>> {
    let (mut room, width) = (first.max(1), width.max(1));
    let mut lines = Vec::new();
    for part in text.split(|byte| matches!(byte, 0x15 | b'\n')) {
        let mut rest = part;
        while rest.len() > room {
            let (at, next) = break_at(rest, room, room < width);
            lines.push(rest.get(..at).unwrap_or_default().to_vec());
            rest = rest.get(next..).unwrap_or_default();
            room = width;
        }
        lines.push(rest.to_vec());
        room = width;
    }
    lines
}

/// End of a line and beginning of the next in text that is longer than a line. In the rest of a
/// line (`partial`) a word that does not fit goes to the next line whole.
fn break_at(text: &[u8], width: usize, partial: bool) -> (usize, usize) {
    if text.get(width) == Some(&b' ') {
        // One blank between two words is left out at the end of a line.
        let single = text.get(width + 1).is_none_or(|byte| *byte != b' ');
        return (width, width + usize::from(single));
    }
    let line = text.get(..width).unwrap_or(text);
    match line.iter().rposition(|byte| *byte == b' ') {
        Some(blank) => (blank, blank + 1),
        None if partial => (0, 0),
        None => (width, width),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attribute::ExtraSet;
    use transom_datastream::ScreenSize;

    fn device() -> Device {
        Device {
            size: ScreenSize::MODEL_2,
            extras: ExtraSet::default(),
        }
    }

    fn band(text: &[u8], number: u8) -> Band {
        let mut area = (text.len() as u16).to_be_bytes().to_vec();
        area.extend([number, 0]);
        area.extend(text);
        Band::from_program(&area).unwrap()
    }

    fn lines(text: &str, width: usize) -> Vec<String> {
        let show = |line: Vec<u8>| String::from_utf8_lossy(&line).into_owned();
        let lines = wrap(text.as_bytes(), width, width);
        lines.into_iter().map(show).collect()
    }

    fn rows(page: &ScreenWrite) -> Vec<String> {
        let rows = page.rows(&device());
        rows.iter().map(|row| row.trim_end().to_owned()).collect()
    }

    #[test]
    fn lines_break_between_words() {
        assert_eq!(lines("THE QUICK BROWN FOX", 10), ["THE QUICK", "BROWN FOX"]);
        assert_eq!(lines("THE QUICK BROWN", 9), ["THE QUICK", "BROWN"]);
        assert_eq!(lines("ABCDEFGHIJKL MN", 5), ["ABCDE", "FGHIJ", "KL MN"]);
        assert_eq!(lines("A\nB", 5), ["A", "B"]);
    }

    #[test]
    fn a_text_goes_on_behind_the_one_before() {
        let mut pages = TextBuilder::new(device());
        let options = TextOptions::default();
        for text in ["ONE", "TWO", &"X".repeat(75), "END"] {
            pages.add(text.as_bytes(), &options).unwrap();
        }
        let done = pages.finish(None);
        let rows = rows(&done[0]);
        assert_eq!((done.len(), rows[0].as_str()), (1, " ONE TWO"));
        assert_eq!(rows[1], format!(" {} END", "X".repeat(75)));
    }

    #[test]
    fn headers_and_trailers_number_the_pages() {
        let header = band(b"STOCK\x15ITEMS", b' ');
        let trailer = band(b"PAGE @@ OF MANY", b'@');
        let options = TextOptions {
            header: Some(&header),
            trailer: Some(&trailer),
            ..TextOptions::default()
        };
        let mut pages = TextBuilder::new(device());
        for _ in 0..230 {
            pages.add(b"LINE\n", &options).unwrap();
        }
        assert_eq!(pages.take_done().len(), 10, "21 lines a page");
        assert_eq!(pages.page_number(), 11);
        let done = pages.finish(Some(&trailer));
        let rows = rows(&done[0]);
        assert_eq!((rows[0].as_str(), rows[1].as_str()), (" STOCK", " ITEMS"));
        assert_eq!(rows[2], " LINE");
        assert_eq!(rows[23], " PAGE 11 OF MANY");
    }

    #[test]
    fn justified_text_begins_on_its_line_or_on_a_new_page() {
        let trailer = band(b"END", b' ');
        let with = |justify| TextOptions {
            trailer: Some(&trailer),
            justify: Some(justify),
            ..TextOptions::default()
        };
        let mut pages = TextBuilder::new(device());
        pages.add(b"TOP", &with(Justify::First)).unwrap();
        pages.add(b"TEN", &with(Justify::Line(10))).unwrap();
        pages.add(b"LOW\nER", &with(Justify::Last)).unwrap();
        pages.add(b"NEXT", &with(Justify::Line(10))).unwrap();
        let done = pages.finish(None);
        let (one, two) = (rows(&done[0]), rows(&done[1]));
        assert_eq!((one[0].as_str(), one[9].as_str()), (" TOP", " TEN"));
        assert_eq!((one[21].as_str(), one[22].as_str()), (" LOW", " ER"));
        assert_eq!((one[23].as_str(), two[9].as_str()), (" END", " NEXT"));
        let mut pages = TextBuilder::new(device());
        assert_eq!(
            pages.add(b"X", &with(Justify::Line(25))),
            Err(TextError::Justify)
        );
        assert_eq!(
            pages.add(b"X", &with(Justify::Line(24))),
            Err(TextError::Justify),
            "the trailer's"
        );
    }
}
