//! The member of a document that holds bytes its values do not give back.

use super::super::constant::put_quoted;
use super::super::error::ConvertError;
use super::super::json::{Chars, Cursor, Raw};
use super::super::text::put_hex;
use super::BYTES;
use std::collections::HashMap;
use transom_messages as messages;

/// Keys that are neither a JSON pointer nor an offset.
const END: &str = "end";
const LENGTH: &str = "length";
const RECORD: &str = "record";

/// What [`BYTES`] holds.
#[derive(Debug, Default)]
pub(super) struct Marks {
    /// Bytes of values, by JSON pointer, in the order of the record.
    pub(super) values: Vec<(String, Vec<u8>)>,
    by_pointer: HashMap<String, usize>,
    /// Bytes no item names, by their place in the record with all tables full.
    pub(super) unnamed: Vec<(usize, Vec<u8>)>,
    /// What is behind the data.
    pub(super) end: Vec<u8>,
    /// Where the record ends, if that is before its data do.
    pub(super) length: Option<usize>,
    /// A record without values.
    pub(super) record: Option<Vec<u8>>,
}

impl Marks {
    pub(super) fn value(&mut self, pointer: &str, bytes: &[u8]) {
        self.by_pointer
            .insert(pointer.to_owned(), self.values.len());
        self.values.push((pointer.to_owned(), bytes.to_vec()));
    }

    pub(super) fn of(&self, pointer: &str) -> Option<&[u8]> {
        let at = self.by_pointer.get(pointer)?;
        Some(&self.values[*at].1)
    }

    /// Appends the member with a comma behind it, if there is anything to say.
    pub(super) fn put(&self, out: &mut Vec<u8>) {
        let start = out.len();
        put_quoted(out, BYTES);
        out.extend_from_slice(b":{");
        let empty = out.len();
        for (pointer, bytes) in &self.values {
            put(out, pointer, bytes);
        }
        for (offset, bytes) in &self.unnamed {
            put(out, &offset.to_string(), bytes);
        }
        if let Some(length) = self.length {
            put_quoted(out, LENGTH);
            out.extend_from_slice(format!(":\"{length}\",").as_bytes());
        }
        if !self.end.is_empty() {
            put(out, END, &self.end);
        }
        if let Some(record) = &self.record {
            put(out, RECORD, record);
        }
        if out.len() == empty {
            out.truncate(start);
            return;
        }
        out.pop();
        out.extend_from_slice(b"},");
    }

    /// Those of a document, which may have none.
    pub(super) fn read(json: &[u8]) -> Result<Marks, Box<ConvertError>> {
        let mut marks = Marks::default();
        let mut cursor = Cursor::new(json);
        if !cursor.eat(b'{') || cursor.eat(b'}') {
            return Ok(marks);
        }
        loop {
            let name = cursor.string("a member name")?;
            cursor.expect(b':', "':'")?;
            if name.bytes == BYTES.as_bytes() {
                marks.object(&mut cursor)?;
            } else {
                cursor.skip()?;
            }
            if !cursor.eat(b',') {
                return Ok(marks);
            }
        }
    }

    fn object(&mut self, cursor: &mut Cursor<'_>) -> Result<(), Box<ConvertError>> {
        cursor.expect(b'{', "an object")?;
        if cursor.eat(b'}') {
            return Ok(());
        }
        loop {
            let name = text(&cursor.string("a member name")?)?;
            cursor.expect(b':', "':'")?;
            let value = cursor.string("a string")?;
            self.entry(&name, &text(&value)?, value.at)?;
            if !cursor.eat(b',') {
                return cursor.expect(b'}', "',' or '}'");
            }
        }
    }

    fn entry(&mut self, name: &str, value: &str, at: usize) -> Result<(), Box<ConvertError>> {
        let unusable = |why| ConvertError::new(messages::cb::bytes_not_usable(name, why), at);
        if name == LENGTH {
            let length = value.parse().map_err(|_| unusable("is no number"))?;
            self.length = Some(length);
            return Ok(());
        }
        let bytes = hex(value).ok_or_else(|| unusable("is not hexadecimal"))?;
        match name {
            END => self.end = bytes,
            RECORD => self.record = Some(bytes),
            name if name.starts_with('/') => self.value(name, &bytes),
            name => {
                let offset = name
                    .parse()
                    .map_err(|_| unusable("is neither a pointer nor an offset"))?;
                self.unnamed.push((offset, bytes));
            }
        }
        Ok(())
    }
}

fn put(out: &mut Vec<u8>, name: &str, bytes: &[u8]) {
    put_quoted(out, name);
    out.extend_from_slice(b":\"");
    put_hex(out, bytes);
    out.extend_from_slice(b"\",");
}

/// The characters of a string.
pub(super) fn text(raw: &Raw<'_>) -> Result<String, Box<ConvertError>> {
    Chars::of(raw)?.collect()
}

fn hex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text
        .chars()
        .map(|c| c.to_digit(16).map(|d| d as u8))
        .collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|p| p[0] << 4 | p[1]).collect())
}
