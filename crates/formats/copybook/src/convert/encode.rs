//! Stores JSON documents into records: one pass over the text, driven by the compiled shape.

use super::accept;
use super::error::ConvertError;
use super::given::{Given, given};
use super::items::{Chosen, CountField, Elements, Item, Member, Outside, Target, find};
use super::json::Cursor;
use super::leaf::Leaf;
use super::number::Value;
use super::plan::Scope;
use super::slide::compact;
use super::{MAX_COUNTERS, MAX_DOCUMENT, MAX_MEMBERS};
use crate::shape::{MAX_DEPTH, OverrideId};
use transom_messages as messages;

/// Stores documents into records. See [`Encoder::encode`].
#[derive(Debug, Clone)]
pub struct Encoder {
    pub(super) template: Vec<u8>,
    pub(super) root: Target,
    pub(super) outside: Vec<Outside>,
    pub(super) scopes: Vec<Scope>,
    /// Tables of variable length move what follows them.
    pub(super) slides: bool,
    pub(super) refuse_unknown: bool,
    pub(super) strict: bool,
}

type Done = Result<(), Box<ConvertError>>;

impl Encoder {
    /// Appends the record of a JSON object to `out`. A text of white space only counts as `{}`.
    ///
    /// Members may come in any order; missing ones keep their default or initial value, unknown
    /// ones are skipped (or refused, by property), one given twice is an error. Unless types are
    /// strict, a string may spell a number, a number may stand for characters, and `null` counts as
    /// left out; a JSON value of another type than the member's is an error. The counter of an
    /// OCCURS DEPENDING ON is set from its array. `overrides` are values from outside the document;
    /// they are texts, converted to the member's type as z/OS Connect does; ids the shape does not
    /// have are ignored. On an error nothing is appended.
    ///
    /// Errors: `TXMCB0701E` (not JSON), `TXMCB0702E` (wrong type), `TXMCB0703E` (string too long),
    /// `TXMCB0704E` (number out of range), `TXMCB0705E` (too many decimals), `TXMCB0706E`
    /// (negative), `TXMCB0707E` (too many or too few elements), `TXMCB0708E` (unknown member),
    /// `TXMCB0709E` (member given twice), `TXMCB0710E` (character not in the code page),
    /// `TXMCB0711E` (nested too deeply), `TXMCB0712E` (override is no number), `TXMCB0713E` (array
    /// and counter disagree), `TXMCB0714E` (two redefinitions of one area), `TXMCB0715E` (not
    /// hexadecimal or base 64), `TXMCB0716E` (document too large), `TXMCB0717E` (not UTF-8).
    pub fn encode(
        &self,
        json: &[u8],
        overrides: &[(OverrideId, &str)],
        out: &mut Vec<u8>,
    ) -> Result<Given, ConvertError> {
        let start = out.len();
        out.extend_from_slice(&self.template);
        match self.store(json, overrides, &mut out[start..]) {
            Ok((len, given)) => {
                out.truncate(start + len);
                Ok(given)
            }
            Err(error) => {
                out.truncate(start);
                Err(*error)
            }
        }
    }

    /// Length of the record with all tables full, in bytes.
    pub fn max_record_len(&self) -> usize {
        self.template.len()
    }

    fn store(
        &self,
        json: &[u8],
        overrides: &[(OverrideId, &str)],
        record: &mut [u8],
    ) -> Result<(usize, Given), Box<ConvertError>> {
        if json.len() > MAX_DOCUMENT {
            return Err(ConvertError::new(
                messages::cb::document_too_long(json.len(), MAX_DOCUMENT),
                0,
            ));
        }
        let mut reader = Reader {
            cursor: Cursor::new(json),
            record: &mut *record,
            bases: [0; MAX_DEPTH + 1],
            depth: 0,
            refuse_unknown: self.refuse_unknown,
            strict: self.strict,
        };
        if !reader.cursor.at_end() {
            reader.value(&self.root)?;
            if !reader.cursor.at_end() {
                return Err(reader.cursor.syntax("the end of the document"));
            }
        }
        // Most documents change the record, which tells at once that a value was used.
        let given = if *record == *self.template {
            given(&self.root, json)
        } else {
            Given::Values
        };
        for (id, text) in overrides {
            for outside in self.outside.iter().filter(|outside| outside.id == *id) {
                let item = &mut record[outside.offset..outside.offset + outside.len];
                accept::text(&outside.leaf, text, item).map_err(|mut error| {
                    error.outside = Some(*id);
                    error.of_field(&outside.field).below(&outside.pointer)
                })?;
            }
        }
        if self.slides {
            let mut counts = [0; MAX_COUNTERS];
            let len = compact(&self.scopes, 0, 0, 0, &mut counts, record);
            return Ok((len, given));
        }
        Ok((record.len(), given))
    }
}

struct Reader<'a, 'r> {
    cursor: Cursor<'a>,
    record: &'r mut [u8],
    /// Where the enclosing elements start; the innermost is `bases[depth]`.
    bases: [usize; MAX_DEPTH + 1],
    depth: usize,
    refuse_unknown: bool,
    strict: bool,
}

/// Which members an object has had.
enum Seen {
    Few(u64),
    Many([u64; MAX_MEMBERS / 64]),
}

impl Seen {
    fn of(members: usize) -> Self {
        if members <= 64 {
            Seen::Few(0)
        } else {
            Seen::Many([0; MAX_MEMBERS / 64])
        }
    }

    fn has(&self, index: usize) -> bool {
        let word = match self {
            Seen::Few(word) => word,
            Seen::Many(words) => &words[index / 64],
        };
        word >> (index % 64) & 1 == 1
    }

    /// Notes a member; true if it has been noted before.
    fn again(&mut self, index: usize) -> bool {
        let word = match self {
            Seen::Few(word) => word,
            Seen::Many(words) => &mut words[index / 64],
        };
        let bit = 1 << (index % 64);
        let again = *word & bit != 0;
        *word |= bit;
        again
    }
}

impl<'a> Reader<'a, '_> {
    #[inline]
    fn value(&mut self, target: &Target) -> Done {
        match &target.item {
            Item::Leaf { offset, len, leaf } => self.leaf(*offset, *len, leaf, &target.field),
            Item::Object(members) => self
                .object(members)
                .map_err(|error| error.of_field(&target.field)),
            Item::Array(elements) => self
                .array(elements)
                .map_err(|error| error.of_field(&target.field)),
        }
    }

    #[inline]
    fn leaf(&mut self, offset: usize, len: usize, leaf: &Leaf, field: &str) -> Done {
        let at = self.bases[self.depth] + offset;
        let item = &mut self.record[at..at + len];
        let stored = match self.cursor.peek() {
            b'"' => self
                .cursor
                .string("a string")
                .and_then(|raw| accept::string(leaf, raw, item, self.strict)),
            b'-' | b'0'..=b'9' => {
                let place = self.cursor.at;
                self.cursor
                    .number()
                    .and_then(|text| accept::number(leaf, text, place, item, self.strict))
            }
            _ => self.no_value(if leaf.is_string() {
                "a string"
            } else {
                "a number"
            }),
        };
        stored.map_err(|error| error.of_field(field))
    }

    /// `null`, which counts as left out, or an error.
    #[cold]
    fn no_value(&mut self, expected: &str) -> Done {
        if self.is_null() {
            return self.cursor.skip();
        }
        Err(self.wrong_type(expected))
    }

    fn is_null(&mut self) -> bool {
        !self.strict && self.cursor.peek() == b'n'
    }

    /// Another kind of value than expected, or no value at all.
    #[cold]
    fn wrong_type(&mut self, expected: &str) -> Box<ConvertError> {
        let place = self.cursor.at;
        let found = match self.cursor.peek() {
            b'{' => "an object",
            b'[' => "an array",
            b'"' => "a string",
            b't' | b'f' => "a truth value",
            b'n' => "null",
            b'-' | b'0'..=b'9' => "a number",
            _ => return self.cursor.syntax(expected),
        };
        match self.cursor.skip() {
            Ok(()) => ConvertError::new(messages::cb::other_type(found, expected), place),
            Err(error) => error,
        }
    }

    fn object(&mut self, members: &[Member]) -> Done {
        if !self.cursor.eat(b'{') {
            return self.no_value("an object");
        }
        if self.cursor.eat(b'}') {
            return Ok(());
        }
        let mut seen = Seen::of(members.len());
        let mut next = 0;
        loop {
            let (found, at) = self.member(members, next)?;
            match found {
                Some(index) if members[index].arm.is_some() && self.is_null() => {
                    self.cursor.skip()?;
                }
                Some(index) => {
                    next = index + 1;
                    let member = &members[index];
                    if seen.again(index) {
                        let error = ConvertError::new(messages::cb::member_twice(), at);
                        return Err(error.of_field(&member.target.field).in_member(&member.name));
                    }
                    if let Some(chosen) = &member.arm {
                        self.choose(members, index, chosen, &seen, at)
                            .map_err(|error| error.in_member(&member.name))?;
                    }
                    self.value(&member.target)
                        .map_err(|error| error.in_member(&member.name))?;
                }
                None => self.cursor.skip()?,
            }
            if !self.cursor.eat(b',') {
                return self.cursor.expect(b'}', "',' or '}'");
            }
        }
    }

    /// Reads a member name with its colon; the member, if the shape has it, and the place of the
    /// name. Most documents have the members in order and no white space before colons, which is
    /// tried first.
    #[inline]
    fn member(
        &mut self,
        members: &[Member],
        next: usize,
    ) -> Result<(Option<usize>, usize), Box<ConvertError>> {
        if let Some(member) = members.get(next)
            && self.cursor.eat_text(&member.key)
        {
            return Ok((Some(next), self.cursor.at - member.key.len()));
        }
        let name = self.cursor.string("a member name")?;
        self.cursor.expect(b':', "':'")?;
        let found = find(members, &name)?;
        if found.is_none() && self.refuse_unknown {
            let error = ConvertError::new(messages::cb::no_such_member(), name.at);
            return Err(error.in_member(&String::from_utf8_lossy(name.bytes)));
        }
        Ok((found, name.at))
    }

    /// Prepares the area of a redefinition.
    fn choose(
        &mut self,
        members: &[Member],
        index: usize,
        chosen: &Chosen,
        seen: &Seen,
        at: usize,
    ) -> Done {
        for (other, member) in members.iter().enumerate() {
            let same = member
                .arm
                .as_ref()
                .is_some_and(|arm| arm.area == chosen.area);
            if same && other != index && seen.has(other) {
                return Err(ConvertError::new(messages::cb::same_area(&member.name), at));
            }
        }
        let base = self.bases[self.depth];
        let start = base + chosen.offset;
        self.record[start..start + chosen.initial.len()].copy_from_slice(&chosen.initial);
        if let Some((up, offset, bytes)) = &chosen.mark {
            let start = self.bases[self.depth - usize::from(*up)] + offset;
            self.record[start..start + bytes.len()].copy_from_slice(bytes);
        }
        Ok(())
    }

    fn array(&mut self, elements: &Elements) -> Done {
        let place = self.cursor.at;
        if !self.cursor.eat(b'[') {
            return self.no_value("an array");
        }
        let start = self.bases[self.depth] + elements.offset;
        let mut count = 0;
        if !self.cursor.eat(b']') {
            self.depth += 1;
            loop {
                if count >= elements.max {
                    return Err(ConvertError::new(
                        messages::cb::too_many_elements(elements.max),
                        self.cursor.at,
                    )
                    .at_index(count));
                }
                self.bases[self.depth] = start + count * elements.stride;
                self.value(&elements.element)
                    .map_err(|error| error.at_index(count))?;
                count += 1;
                if !self.cursor.eat(b',') {
                    self.cursor.expect(b']', "',' or ']'")?;
                    break;
                }
            }
            self.depth -= 1;
        }
        if count < elements.min {
            return Err(ConvertError::new(
                messages::cb::too_few_elements(count, elements.min),
                place,
            ));
        }
        match &elements.counter {
            Some(counter) => self.set_counter(counter, count, place),
            None => Ok(()),
        }
    }

    fn set_counter(&mut self, counter: &CountField, count: usize, place: usize) -> Done {
        let at = self.bases[self.depth - usize::from(counter.up)] + counter.offset;
        let item = &mut self.record[at..at + counter.len];
        let present = counter.number.read(item).map_or(0, |value| value.magnitude);
        let value = Value {
            negative: false,
            magnitude: count as u128,
        };
        if present != counter.preset && present != value.magnitude {
            return Err(ConvertError::new(
                messages::cb::counter_differs(count, &counter.field, present),
                place,
            ));
        }
        if value.magnitude > counter.number.most {
            return Err(ConvertError::new(
                messages::cb::counter_too_small(count, &counter.field),
                place,
            ));
        }
        counter.number.write(value, item);
        Ok(())
    }
}
