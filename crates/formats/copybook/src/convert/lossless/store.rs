//! JSON with its noted bytes -> records.

use super::super::error::{ConvertError, push_segment};
use super::super::items::{CountField, Elements, Item, Member, Target};
use super::super::json::Cursor;
use super::super::leaf::Leaf;
use super::super::number::Value;
use super::super::slide::compact;
use super::super::{MAX_COUNTERS, MAX_DOCUMENT};
use super::marks::{self, Marks};
use super::value::{convert, stands_for};
use super::{BYTES, Lossless};
use crate::shape::MAX_DEPTH;
use transom_messages as messages;

type Done = Result<(), Box<ConvertError>>;

impl Lossless {
    /// Appends the record of a document to `out`; `true` if the document says that it ends before
    /// its data do. Members left out, and those that are `null` without noted bytes, keep their
    /// initial value; unknown members are errors, and so are redefinitions that give the same bytes
    /// different values. On an error nothing is appended. Errors as those of
    /// [`Encoder::encode`](super::super::Encoder::encode), and `TXMCB0718E` for [`BYTES`].
    pub fn encode(&self, json: &[u8], out: &mut Vec<u8>) -> Result<bool, ConvertError> {
        self.store(json, out).map_err(|error| *error)
    }

    fn store(&self, json: &[u8], out: &mut Vec<u8>) -> Result<bool, Box<ConvertError>> {
        if json.len() > MAX_DOCUMENT {
            let message = messages::cb::document_too_long(json.len(), MAX_DOCUMENT);
            return Err(ConvertError::new(message, 0));
        }
        let marks = Marks::read(json)?;
        if let Some(record) = &marks.record {
            out.extend_from_slice(record);
            return Ok(false);
        }
        let mut reader = Reader {
            cursor: Cursor::new(json),
            record: self.template.clone(),
            owners: vec![""; self.template.len()],
            bases: [0; MAX_DEPTH + 1],
            depth: 0,
            pointer: String::new(),
            marks: &marks,
            counts: Vec::new(),
        };
        reader.value(&self.root)?;
        if !reader.cursor.at_end() {
            return Err(reader.cursor.syntax("the end of the document"));
        }
        if marks.length.is_none() {
            reader.set_counters()?;
        }
        let mut record = reader.record;
        for (offset, bytes) in &marks.unnamed {
            match record.get_mut(*offset..offset.saturating_add(bytes.len())) {
                Some(place) => place.copy_from_slice(bytes),
                None => return Err(unusable(&offset.to_string(), "is behind the record")),
            }
        }
        let mut counts = [0; MAX_COUNTERS];
        let len = compact(&self.scopes, 0, 0, 0, &mut counts, &mut record);
        record.truncate(len);
        if let Some(length) = marks.length {
            if length > record.len() {
                return Err(unusable("length", "is more than the record has"));
            }
            record.truncate(length);
        }
        out.append(&mut record);
        out.extend_from_slice(&marks.end);
        Ok(marks.length.is_some())
    }
}

fn unusable(key: &str, why: &str) -> Box<ConvertError> {
    ConvertError::new(messages::cb::bytes_not_usable(key, why), 0)
}

/// A table and the number of its elements.
struct Counted<'a> {
    counter: &'a CountField,
    at: usize,
    count: usize,
    pointer: String,
    place: usize,
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    record: Vec<u8>,
    /// The field that gave each byte.
    owners: Vec<&'a str>,
    bases: [usize; MAX_DEPTH + 1],
    depth: usize,
    pointer: String,
    marks: &'a Marks,
    counts: Vec<Counted<'a>>,
}

impl<'a> Reader<'a> {
    fn value(&mut self, target: &'a Target) -> Done {
        match &target.item {
            Item::Leaf { offset, len, leaf } => {
                let at = self.bases[self.depth] + offset;
                let place = self.cursor.at;
                self.leaf(at, *len, leaf, &target.field)
                    .map_err(|error| self.named(error, &target.field, place))
            }
            Item::Object(members) => self.object(members),
            Item::Array(elements) => self.array(elements),
        }
    }

    fn named(&self, mut error: Box<ConvertError>, field: &str, place: usize) -> Box<ConvertError> {
        if error.offset == 0 {
            error.offset = place;
        }
        error.of_field(field).below(&self.pointer)
    }

    fn object(&mut self, members: &'a [Member]) -> Done {
        self.cursor.expect(b'{', "an object")?;
        if self.cursor.eat(b'}') {
            return Ok(());
        }
        let mut seen = vec![false; members.len()];
        loop {
            let raw = self.cursor.string("a member name")?;
            let name = marks::text(&raw)?;
            self.cursor.expect(b':', "':'")?;
            let pointer = self.pointer.len();
            if pointer == 0 && name == BYTES {
                self.cursor.skip()?;
            } else {
                push_segment(&mut self.pointer, &name);
                let refused = |message| ConvertError::new(message, raw.at).below(&self.pointer);
                let found = members.iter().position(|member| member.name == name);
                let index = found.ok_or_else(|| refused(messages::cb::no_such_member()))?;
                if std::mem::replace(&mut seen[index], true) {
                    return Err(refused(messages::cb::member_twice()));
                }
                self.value(&members[index].target)?;
            }
            self.pointer.truncate(pointer);
            if !self.cursor.eat(b',') {
                return self.cursor.expect(b'}', "',' or '}'");
            }
        }
    }

    fn array(&mut self, elements: &'a Elements) -> Done {
        let place = self.cursor.at;
        self.cursor.expect(b'[', "an array")?;
        let start = self.bases[self.depth] + elements.offset;
        let mut count = 0;
        if !self.cursor.eat(b']') {
            self.depth += 1;
            loop {
                if count >= elements.max {
                    let message = messages::cb::too_many_elements(elements.max);
                    return Err(ConvertError::new(message, place).below(&self.pointer));
                }
                self.bases[self.depth] = start + count * elements.stride;
                let pointer = self.pointer.len();
                push_segment(&mut self.pointer, &count.to_string());
                self.value(&elements.element)?;
                self.pointer.truncate(pointer);
                count += 1;
                if !self.cursor.eat(b',') {
                    self.cursor.expect(b']', "',' or ']'")?;
                    break;
                }
            }
            self.depth -= 1;
        }
        if let Some(counter) = &elements.counter {
            let at = self.bases[self.depth - usize::from(counter.up)] + counter.offset;
            let pointer = self.pointer.clone();
            self.counts.push(Counted {
                counter,
                at,
                count,
                pointer,
                place,
            });
        }
        Ok(())
    }

    fn leaf(&mut self, at: usize, len: usize, leaf: &Leaf, field: &'a str) -> Done {
        let value = self.cursor.token()?;
        if let Some(bytes) = self.marks.of(&self.pointer) {
            if bytes.len() > len {
                return Err(unusable(&self.pointer, "is longer than its item"));
            }
            if stands_for(leaf, bytes, len, value) {
                return self.write(at, bytes, field);
            }
        }
        if value == b"null" {
            return Ok(());
        }
        let mut item = vec![0; len];
        convert(leaf, value, &mut item)?;
        self.write(at, &item, field)
    }

    /// Redefinitions of bytes that are there must agree.
    fn write(&mut self, at: usize, bytes: &[u8], field: &'a str) -> Done {
        for (place, byte) in (at..).zip(bytes) {
            let owner = std::mem::replace(&mut self.owners[place], field);
            if !owner.is_empty() && self.record[place] != *byte {
                return Err(ConvertError::new(messages::cb::area_differs(owner), 0));
            }
            self.record[place] = *byte;
        }
        Ok(())
    }

    /// Counters that the document leaves out become the number of elements; others must be that.
    fn set_counters(&mut self) -> Done {
        for counted in std::mem::take(&mut self.counts) {
            let CountField {
                len, number, field, ..
            } = counted.counter;
            let item = &mut self.record[counted.at..counted.at + len];
            let wanted = Value {
                negative: false,
                magnitude: counted.count as u128,
            };
            let given = !self.owners[counted.at].is_empty();
            let refusal = match number.read(item) {
                Some(value) if given && value == wanted => continue,
                value if given => {
                    let value = value.map_or(0, |value| value.magnitude);
                    messages::cb::counter_differs(counted.count, field, value)
                }
                _ if wanted.magnitude > number.most => {
                    messages::cb::counter_too_small(counted.count, field)
                }
                _ => {
                    number.write(wanted, item);
                    self.owners[counted.at] = field;
                    continue;
                }
            };
            return Err(ConvertError::new(refusal, counted.place).below(&counted.pointer));
        }
        Ok(())
    }
}
