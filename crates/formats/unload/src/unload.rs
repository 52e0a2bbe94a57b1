//! Records of a table, and the LOAD statement for them.
//!
//! What: records of equal length, as DSNTIAUL and the UNLOAD utility write them. Not here: rows
//! (region/sql).

use crate::text::Characters;
use crate::{Value, Wrong, hexfloat, numbers};
use std::fmt::Write as _;
use transom_sql::{Name, TableDefinition, Type};

/// Whose records they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// A `?` behind a field that is NULL.
    Dsntiaul,
    /// X'FF' in front of a field that is NULL; without a header (HEADER NONE).
    Unload,
}

/// What a table is written as.
#[derive(Debug)]
pub struct Unload {
    columns: Vec<Out>,
    style: Style,
    characters: Characters,
    length: usize,
}

#[derive(Debug)]
struct Out {
    name: String,
    kind: Type,
    start: usize,
    size: usize,
    /// Place of the null byte.
    null: Option<usize>,
}

/// Longest record of a data set.
const RECORD_MAX: usize = 32_760;

impl Unload {
    /// The error says what of the table is not done.
    pub fn new(
        table: &TableDefinition,
        style: Style,
        characters: Characters,
    ) -> Result<Self, String> {
        let mut unload = Self {
            columns: Vec::with_capacity(table.columns.len()),
            style,
            characters,
            length: 0,
        };
        for column in &table.columns {
            let (name, kind) = (column.name.clone(), column.kind);
            let size = size(kind).ok_or_else(|| format!("{name} is {kind}, which is not done"))?;
            let byte = usize::from(column.nullable);
            let (start, null) = match style {
                Style::Dsntiaul => (unload.length, unload.length + size),
                Style::Unload => (unload.length + byte, unload.length),
            };
            unload.length += size + byte;
            unload.columns.push(Out {
                name,
                kind,
                start,
                size,
                null: column.nullable.then_some(null),
            });
        }
        match unload.length {
            0..=RECORD_MAX => Ok(unload),
            length => Err(format!("a record of {length} bytes is too long")),
        }
    }

    /// Bytes of a record.
    pub fn length(&self) -> usize {
        self.length
    }

    /// Adds the record of a row: its values in the order of the columns.
    pub fn record(&self, values: &[Value], out: &mut Vec<u8>) -> Result<(), Wrong> {
        let begin = out.len();
        out.resize(begin + self.length, 0);
        let record = &mut out[begin..];
        for (column, value) in self.columns.iter().zip(values) {
            if *value == Value::Null {
                let Some(null) = column.null else {
                    return Err(Wrong::new(&column.name, "it is NULL, and may not be"));
                };
                record[null] = self.null_byte();
                continue;
            }
            let bytes = self.bytes(column, value);
            let bytes = bytes.map_err(|what| Wrong::new(&column.name, what))?;
            record[column.start..column.start + bytes.len()].copy_from_slice(&bytes);
        }
        Ok(())
    }

    /// The LOAD statement for the records.
    pub fn control(&self, table: &Name) -> String {
        let mut out = String::new();
        let coding = match self.characters {
            Characters::Utf8 => "UNICODE CCSID(00367,01208,01200)".to_owned(),
            Characters::Page(page) => {
                let word = if page.ebcdic { "EBCDIC" } else { "ASCII" };
                format!("{word} CCSID({:05},00000,00000)", page.ccsid)
            }
        };
        let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
        let name = match &table.qualifier {
            Some(own) => format!("{}.{}", quoted(own), quoted(&table.name)),
            None => quoted(&table.name),
        };
        match self.style {
            Style::Dsntiaul => {
                let _ = writeln!(out, "  LOAD DATA LOG NO INDDN SYSREC00");
                let _ = writeln!(out, "   {coding} INTO TABLE\n      {name}\n   (");
            }
            Style::Unload => {
                let _ = writeln!(out, "LOAD DATA INDDN SYSREC LOG NO");
                let _ = writeln!(out, " {coding}\n INTO TABLE {name}\n (");
            }
        }
        let last = self.columns.len() - 1;
        for (n, column) in self.columns.iter().enumerate() {
            let comma = if n == last { "" } else { " ," };
            self.card(column, comma, &mut out);
        }
        out += match self.style {
            Style::Dsntiaul => "   )\n",
            Style::Unload => " )\n",
        };
        out
    }

    fn card(&self, column: &Out, comma: &str, out: &mut String) {
        let (first, last) = (column.start + 1, column.start + column.size);
        let kind = field(column.kind);
        let null = column.null.map(|at| at + 1);
        let _ = match self.style {
            Style::Dsntiaul => {
                let name = plain(&column.name);
                let at = match column.kind {
                    Type::Decimal { .. } => format!("{first:8}:{last:8}"),
                    _ => format!("{first:8}         "),
                };
                let null = null.map(|at| format!("\n   NULLIF({at:8})='?'"));
                let null = null.unwrap_or_default();
                writeln!(out, "   {name:<38} POSITION({at})\n   {kind}{null}{comma}")
            }
            Style::Unload => {
                let name = format!("\"{}\"", column.name.replace('"', "\"\""));
                let null = null.map(|at| format!("\n     NULLIF({at:05})=X'FF'"));
                let null = null.unwrap_or_default();
                let at = format!("{first:05}:{last:05}");
                writeln!(out, "   {name} POSITION({at})\n     {kind}{null}{comma}")
            }
        };
    }

    fn null_byte(&self) -> u8 {
        match self.style {
            Style::Unload => 0xFF,
            // Each code has it.
            Style::Dsntiaul => self.characters.encode("?").map_or(0xFF, |bytes| bytes[0]),
        }
    }

    fn bytes(&self, column: &Out, value: &Value) -> Result<Vec<u8>, String> {
        let bytes = match value {
            Value::Text(text) => {
                let encoded = self.characters.encode(text);
                encoded.map_err(|c| format!("SQLCODE -330: '{c}' is not in the code page"))?
            }
            Value::Bytes(bytes) => bytes.clone(),
            Value::Integer(number) => {
                let all = number.to_be_bytes();
                return match column.kind {
                    Type::Decimal { precision, scale } => packed(*number, 0, (precision, scale)),
                    Type::Real | Type::Double => float(*number as f64, column.size),
                    _ => Ok(all[8 - column.size..].to_vec()),
                };
            }
            Value::Decimal { digits, scale, .. } => {
                let Type::Decimal {
                    precision,
                    scale: own,
                } = column.kind
                else {
                    return Err("its value is not of its type".to_owned());
                };
                return packed(*digits, *scale, (precision, own));
            }
            Value::Double(number) => return float(*number, column.size),
            Value::Null => Vec::new(),
        };
        let most = match is_varying(column.kind) {
            true => column.size - 2,
            false => column.size,
        };
        if bytes.len() > most {
            return Err(format!("it has {} bytes, and {most} at most", bytes.len()));
        }
        if is_varying(column.kind) {
            let length = u16::try_from(bytes.len()).unwrap_or(u16::MAX);
            return Ok([&length.to_be_bytes()[..], &bytes].concat());
        }
        let fill = match value {
            Value::Text(_) => self.characters.blank(),
            _ => 0,
        };
        let mut bytes = bytes;
        bytes.resize(most, fill);
        Ok(bytes)
    }
}

fn packed(
    digits: impl Into<i128>,
    scale: u8,
    (precision, own): (u8, u8),
) -> Result<Vec<u8>, String> {
    let too_large = || format!("it has more digits than DECIMAL({precision}, {own})");
    let power = |n: u8| 10_i128.checked_pow(n.into());
    let digits = digits.into();
    let digits = match own.checked_sub(scale) {
        Some(more) => power(more).and_then(|power| digits.checked_mul(power)),
        None => power(scale - own).map(|power| digits / power),
    };
    let bytes = digits.and_then(|digits| numbers::pack(digits, precision));
    bytes.ok_or_else(too_large)
}

fn float(value: f64, size: usize) -> Result<Vec<u8>, String> {
    let bytes = hexfloat::write(value, size);
    bytes.ok_or_else(|| format!("{value} is no number of System/390"))
}

const fn is_varying(kind: Type) -> bool {
    matches!(
        kind,
        Type::VarChar(_) | Type::VarCharBit(_) | Type::VarBinary(_)
    )
}

/// Bytes of a column; `None`: it is not done.
fn size(kind: Type) -> Option<usize> {
    Some(match kind {
        Type::SmallInt => 2,
        Type::Integer | Type::Real => 4,
        Type::BigInt | Type::Double => 8,
        Type::Decimal { precision, .. } => usize::from(precision) / 2 + 1,
        Type::Char(n) | Type::CharBit(n) | Type::Binary(n) => n as usize,
        Type::VarChar(n) | Type::VarCharBit(n) | Type::VarBinary(n) => n as usize + 2,
        Type::Date => 10,
        Type::Time => 8,
        Type::Timestamp(0) => 19,
        Type::Timestamp(digits) => 20 + usize::from(digits),
        _ => return None,
    })
}

/// The type of a field.
fn field(kind: Type) -> String {
    match kind {
        Type::Char(n) | Type::CharBit(n) => format!("CHAR({n:23})"),
        Type::Binary(n) => format!("BINARY({n:21})"),
        Type::VarChar(_) | Type::VarCharBit(_) => "VARCHAR".to_owned(),
        Type::VarBinary(_) => "VARBINARY".to_owned(),
        Type::Decimal { .. } => "DECIMAL".to_owned(),
        Type::Real => "FLOAT(21)".to_owned(),
        Type::Double => "FLOAT(53)".to_owned(),
        Type::Date => "DATE EXTERNAL(            10)".to_owned(),
        Type::Time => "TIME EXTERNAL(             8)".to_owned(),
        Type::Timestamp(_) => format!("TIMESTAMP EXTERNAL({:9})", size(kind).unwrap_or(26)),
        other => other.to_string(),
    }
}

/// A name as it is, where it is an ordinary one.
fn plain(name: &str) -> String {
    let first = |c: char| c.is_ascii_uppercase() || matches!(c, '@' | '#' | '$');
    let other = |c: char| first(c) || c.is_ascii_digit() || c == '_';
    match name.starts_with(first) && name.chars().all(other) {
        true => name.to_owned(),
        false => format!("\"{}\"", name.replace('"', "\"\"")),
    }
}
