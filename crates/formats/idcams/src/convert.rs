//! Records between the code page of the outside and ISO 8859-1, the code of data inside programs.
//!
//! Without a copybook every byte is a character. With one, packed and binary fields stay as they
//! are (COMP-5 is turned round: programs here have it in the order of the machine), zoned numbers
//! keep their digits and signs in every national code page, and floating point is hexadecimal
//! outside and IEEE inside. Not here: JSON, files.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use transom_copybook::convert::turn_float;
use transom_copybook::layout::FieldId;
use transom_copybook::shape::FloatFormat;
use transom_copybook::{CodePage, FieldKind, Layout};
use transom_messages as messages;

/// Largest number of field occurrences of one copybook record.
const MAX_RUNS: usize = 100_000;
/// Code page in which zoned numbers are written whatever the page of the text: digits X'F0'..X'F9',
/// signs `{A-I}J-R`.
const ZONED_CCSID: u32 = 37;

/// Formats of floating point outside and inside.
const HOST_TO_HERE: (FloatFormat, FloatFormat) =
    (FloatFormat::Hexadecimal, FloatFormat::IeeeLittle);

/// Turns records around, in place.
#[derive(Debug)]
pub struct Converter {
    inward: Tables,
    outward: Tables,
    /// `None`: the whole record is characters.
    runs: Option<Vec<Run>>,
    /// Bytes the copybook describes.
    described: usize,
    warnings: Vec<String>,
    /// Floating point items that stayed as they were.
    unturned: AtomicU64,
}

#[derive(Debug)]
struct Tables {
    text: Box<[u8; 256]>,
    zoned: Box<[u8; 256]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Treatment {
    Text,
    Zoned,
    Leave,
    /// COMP-5: big-endian outside, little-endian inside.
    Reverse,
    /// COMP-1 and COMP-2: System/360 hexadecimal outside, IEEE little-endian inside.
    Float,
}

#[derive(Debug, Clone, PartialEq, Eq)]
struct Run {
    range: Range<usize>,
    treatment: Treatment,
}

/// Why a conversion cannot be set up.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ConverterError {
    /// No single-byte code page has this CCSID.
    Ccsid(u32),
    /// The copybook has no record of this name.
    NoRecord(String),
    /// A table whose length varies is followed by other fields, or the record is too complex.
    Unusable(String),
}

impl fmt::Display for ConverterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ConverterError::Ccsid(ccsid) => write!(f, "{}", messages::id::ccsid_not_usable(ccsid)),
            ConverterError::NoRecord(name) => {
                write!(f, "{}", messages::id::copybook_without_record(name))
            }
            ConverterError::Unusable(why) => {
                write!(f, "{}", messages::id::copybook_not_usable(why))
            }
        }
    }
}

impl std::error::Error for ConverterError {}

impl Converter {
    /// Every byte is a character of the code page. CCSID 819: nothing changes.
    pub fn characters(ccsid: u32) -> Result<Self, ConverterError> {
        let page = CodePage::by_ccsid(ccsid).ok_or(ConverterError::Ccsid(ccsid))?;
        let zoned = CodePage::by_ccsid(ZONED_CCSID)
            .filter(|_| page.ebcdic)
            .unwrap_or(page);
        let tables = |text: [u8; 256], zoned: [u8; 256]| Tables {
            text: Box::new(text),
            zoned: Box::new(zoned),
        };
        Ok(Self {
            inward: tables(high_values(page, page.to_latin1), zoned.to_latin1),
            outward: tables(high_values(page, page.from_latin1), zoned.from_latin1),
            runs: None,
            described: 0,
            warnings: Vec::new(),
            unturned: AtomicU64::new(0),
        })
    }

    /// Fields of a copybook's record; `record` names its 01 level, `None` means the first.
    pub fn fields(
        ccsid: u32,
        layout: &Layout,
        record: Option<&str>,
    ) -> Result<Self, ConverterError> {
        let mut converter = Self::characters(ccsid)?;
        let roots = match record {
            None => first_record(layout),
            Some(name) => {
                let named = |id: &&FieldId| layout[**id].name.eq_ignore_ascii_case(name);
                let found = layout.roots.iter().find(named).copied();
                vec![found.ok_or_else(|| ConverterError::NoRecord(name.to_owned()))?]
            }
        };
        let mut collector = Collector {
            layout,
            ebcdic: CodePage::by_ccsid(ccsid).is_some_and(|page| page.ebcdic),
            runs: Vec::new(),
            warnings: Vec::new(),
        };
        for root in &roots {
            collector.field(*root, layout[*root].offset)?;
        }
        converter.described = roots
            .iter()
            .map(|r| layout[*r].offset + layout[*r].extent())
            .max()
            .unwrap_or(0);
        converter.runs = Some(collector.runs);
        converter.warnings = collector.warnings;
        Ok(converter)
    }

    /// What the user should know about the copybook, with message ids.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Bytes of the longest record the copybook describes; 0 without one.
    pub fn described(&self) -> usize {
        self.described
    }

    /// Floating point items so far that the other side has no value for; their bytes stayed as they
    /// were.
    pub fn unturned(&self) -> u64 {
        self.unturned.load(Ordering::Relaxed)
    }

    /// Outside -> inside.
    pub fn inward(&self, record: &mut [u8]) {
        self.apply(&self.inward, HOST_TO_HERE, record);
    }

    /// Inside -> outside.
    pub fn outward(&self, record: &mut [u8]) {
        self.apply(&self.outward, (HOST_TO_HERE.1, HOST_TO_HERE.0), record);
    }

    /// The blank of the outside.
    pub fn outside_space(&self) -> u8 {
        self.outward.text[usize::from(b' ')]
    }

    fn apply(&self, tables: &Tables, floats: (FloatFormat, FloatFormat), record: &mut [u8]) {
        let Some(runs) = &self.runs else {
            translate(record, &tables.text);
            return;
        };
        for run in runs {
            let table = match run.treatment {
                Treatment::Text => &tables.text,
                Treatment::Zoned => &tables.zoned,
                Treatment::Leave => continue,
                Treatment::Float => {
                    // A field that is cut off stays.
                    if let Some(bytes) = record.get_mut(run.range.clone())
                        && !turn_float(bytes, floats.0, floats.1)
                    {
                        self.unturned.fetch_add(1, Ordering::Relaxed);
                    }
                    continue;
                }
                Treatment::Reverse => {
                    if let Some(bytes) = record.get_mut(run.range.clone()) {
                        bytes.reverse();
                    }
                    continue;
                }
            };
            let end = run.range.end.min(record.len());
            if let Some(bytes) = record.get_mut(run.range.start..end) {
                translate(bytes, table);
            }
        }
        // What the copybook does not describe is filler.
        if let Some(rest) = record.get_mut(self.described..) {
            translate(rest, &tables.text);
        }
    }
}

/// X'FF' is HIGH-VALUES on both sides. The control character that it would be takes the place of
/// the letter of the other side's X'FF', so that all bytes still come back.
fn high_values(page: &CodePage, mut table: [u8; 256]) -> [u8; 256] {
    const HIGH: u8 = 0xFF;
    if page.ebcdic
        && let Some(other) = table.iter().position(|byte| *byte == HIGH)
    {
        table.swap(other, usize::from(HIGH));
    }
    table
}

fn translate(bytes: &mut [u8], table: &[u8; 256]) {
    for byte in bytes {
        *byte = table[usize::from(*byte)];
    }
}

/// The first 01 or, where a copybook has none, all its items together.
fn first_record(layout: &Layout) -> Vec<FieldId> {
    match layout.roots.first() {
        Some(first) if matches!(layout[*first].level, 1 | 77) => vec![*first],
        _ => layout.roots.clone(),
    }
}

struct Collector<'a> {
    layout: &'a Layout,
    /// The outside is a mainframe's: floating point has its format.
    ebcdic: bool,
    runs: Vec<Run>,
    warnings: Vec<String>,
}

impl Collector<'_> {
    /// A field with all its occurrences; `at` is the place of the first one.
    fn field(&mut self, id: FieldId, at: usize) -> Result<(), ConverterError> {
        let field = &self.layout[id];
        if field.slides {
            let why = format!(
                "{} follows a table of variable length",
                self.layout.path(id)
            );
            return Err(ConverterError::Unusable(why));
        }
        let (count, stride) = field
            .occurs
            .as_ref()
            .map_or((1, 0), |o| (o.max as usize, o.stride));
        for index in 0..count {
            self.occurrence(id, at + index * stride)?;
        }
        Ok(())
    }

    fn occurrence(&mut self, id: FieldId, at: usize) -> Result<(), ConverterError> {
        let field = &self.layout[id];
        let treatment = match &field.kind {
            FieldKind::Group => {
                for child in &field.children {
                    let inner = &self.layout[*child];
                    if inner.redefines.is_some() {
                        self.redefinition(*child);
                        continue;
                    }
                    self.field(*child, at + inner.offset.saturating_sub(field.offset))?;
                }
                return Ok(());
            }
            FieldKind::Zoned { .. } => Treatment::Zoned,
            FieldKind::Alphanumeric { .. }
            | FieldKind::AlphanumericEdited { .. }
            | FieldKind::NumericEdited { .. } => Treatment::Text,
            FieldKind::Binary { native: true, .. } => Treatment::Reverse,
            FieldKind::Float4 | FieldKind::Float8 if self.ebcdic => Treatment::Float,
            _ => Treatment::Leave,
        };
        self.push(at..at + field.len, treatment)
    }

    /// The first description of a place counts; another one that would be treated differently is
    /// worth a word.
    fn redefinition(&mut self, id: FieldId) {
        let only_text = |id: FieldId| {
            let mut below = vec![id];
            let mut text = true;
            while let Some(id) = below.pop() {
                let field = &self.layout[id];
                below.extend(&field.children);
                let plain = matches!(
                    field.kind,
                    FieldKind::Group
                        | FieldKind::Zoned { .. }
                        | FieldKind::Alphanumeric { .. }
                        | FieldKind::AlphanumericEdited { .. }
                        | FieldKind::NumericEdited { .. }
                );
                text &= plain;
            }
            text
        };
        let base = self.layout[id].redefines;
        if !only_text(id) || base.is_some_and(|b| !only_text(b)) {
            let text = messages::id::redefinition_converted(self.layout.path(id)).to_string();
            self.warn(text);
        }
    }

    fn warn(&mut self, text: String) {
        if !self.warnings.contains(&text) {
            self.warnings.push(text);
        }
    }

    fn push(&mut self, range: Range<usize>, treatment: Treatment) -> Result<(), ConverterError> {
        if let Some(last) = self.runs.last_mut()
            && last.treatment == treatment
            && !matches!(treatment, Treatment::Reverse | Treatment::Float)
            && last.range.end == range.start
        {
            last.range.end = range.end;
            return Ok(());
        }
        if self.runs.len() >= MAX_RUNS {
            return Err(ConverterError::Unusable(format!(
                "it has more than {MAX_RUNS} fields"
            )));
        }
        self.runs.push(Run { range, treatment });
        Ok(())
    }
}
