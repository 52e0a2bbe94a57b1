//! Runs the operations of a decoder over a record.

use super::compare;
use super::compile::Decoder;
use super::error::ConvertError;
use super::error::ErrorKind;
use super::fused::{self, Fields, Look};
use super::leaf::Leaf;
use super::program::{Extent, Info, Op, Place, Repeat, Test, Texts};
use super::{MAX_BASES, MAX_COUNTERS, text};
use crate::shape::CharVarying;
use transom_messages as messages;

type Done = Result<(), Box<ConvertError>>;

impl Decoder {
    /// Appends the JSON object of a record to `out`. The record may be longer than described; what
    /// it needs depends on its counters. On an error nothing is appended. Errors: `TXMCB0601E` (too
    /// short), `TXMCB0602E` (counter out of range), `TXMCB0603E` and `TXMCB0605E` (not a number),
    /// `TXMCB0604E` (no redefinition applies).
    pub fn decode(&self, record: &[u8], out: &mut Vec<u8>) -> Result<(), ConvertError> {
        let start = out.len();
        out.reserve(record.len() * 2 + 64);
        out.push(b'{');
        let done = self.run(record, out);
        self.settle(done, out, start)?;
        close(out, b'}');
        Ok(())
    }

    /// The same without the outer braces, to join records (containers of a channel) to one object.
    pub fn decode_members(&self, record: &[u8], out: &mut Vec<u8>) -> Result<(), ConvertError> {
        let start = out.len();
        let done = self.run(record, out);
        self.settle(done, out, start)?;
        if out.len() > start && out.last() == Some(&b',') {
            out.pop();
        }
        Ok(())
    }

    /// Length of the record with all tables full, in bytes.
    pub fn max_record_len(&self) -> usize {
        self.max_len
    }

    fn settle(&self, done: Done, out: &mut Vec<u8>, start: usize) -> Result<(), ConvertError> {
        done.map_err(|error| {
            out.truncate(start);
            *error
        })
    }

    /// Runs the operations, over a padded copy of a short record if the properties allow it.
    pub(super) fn run(&self, record: &[u8], out: &mut Vec<u8>) -> Done {
        let start = out.len();
        match self.pass(record, out) {
            Err(error)
                if self.pads
                    && error.kind == ErrorKind::ShortRecord
                    && record.len() < self.max_len =>
            {
                out.truncate(start);
                let mut padded = record.to_vec();
                padded.resize(self.max_len, 0);
                self.pass(&padded, out)
            }
            done => done,
        }
    }

    fn pass(&self, record: &[u8], out: &mut Vec<u8>) -> Done {
        let mut machine = Machine {
            record,
            infos: &self.infos,
            bases: [0; MAX_BASES],
            counts: [0; MAX_COUNTERS],
        };
        machine.run(&self.ops, out)
    }
}

struct Machine<'a> {
    record: &'a [u8],
    infos: &'a [Info],
    bases: [usize; MAX_BASES],
    counts: [usize; MAX_COUNTERS],
}

impl<'a> Machine<'a> {
    fn run(&mut self, ops: &[Op], out: &mut Vec<u8>) -> Done {
        for op in ops {
            match op {
                Op::Literal(bytes) => out.extend_from_slice(bytes),
                Op::Leaf { place, leaf, info } => {
                    let (bytes, offset) = self.bytes(*place).map_err(|e| self.named(e, *info))?;
                    leaf.put(out, bytes, offset)
                        .map_err(|e| self.named(e, *info))?;
                }
                Op::Close(bracket) => close(out, *bracket),
                Op::Count {
                    slot,
                    place,
                    leaf,
                    info,
                } => {
                    let count = self.count(*place, leaf).map_err(|e| self.named(e, *info))?;
                    self.counts[*slot] = count;
                }
                Op::Shift {
                    to,
                    from,
                    slot,
                    stride,
                    max,
                } => {
                    let missing = max.saturating_sub(self.counts[*slot]);
                    self.bases[*to] = self.bases[*from].wrapping_sub(missing * stride);
                }
                Op::Repeat(repeat) => self.repeat(repeat, out)?,
                Op::Texts(texts) => self.texts(texts, out)?,
                Op::Select { arms, info } => self.select(arms, *info, out)?,
                Op::UnlessAll { place, byte, body } => {
                    let (bytes, _) = self.bytes(*place)?;
                    if bytes.iter().any(|b| b != byte) {
                        self.run(body, out)?;
                    }
                }
                Op::UnlessEmpty { prefix, body } => {
                    let start = out.len();
                    self.run(body, out)?;
                    if matches!(
                        &out[(start + prefix).min(out.len())..],
                        b"\"\"," | b"{}," | b"[],"
                    ) {
                        out.truncate(start);
                    }
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn bytes(&self, place: Place) -> Result<(&'a [u8], usize), Box<ConvertError>> {
        let at = self.bases[place.base].wrapping_add(place.offset);
        match self.record.get(at..at.wrapping_add(place.len)) {
            Some(bytes) => Ok((bytes, at)),
            None => Err(self.too_short(at.wrapping_add(place.len))),
        }
    }

    #[cold]
    fn too_short(&self, needed: usize) -> Box<ConvertError> {
        let len = self.record.len();
        ConvertError::new(messages::cb::record_too_short(len, needed), len)
            .of_kind(ErrorKind::ShortRecord)
    }

    #[cold]
    fn named(&self, error: Box<ConvertError>, info: u32) -> Box<ConvertError> {
        match self.infos.get(info as usize) {
            Some(info) => error.of_field(&info.field).below(&info.pointer),
            None => error,
        }
    }

    fn count(&self, place: Place, leaf: &Leaf) -> Result<usize, Box<ConvertError>> {
        let (bytes, offset) = self.bytes(place)?;
        let value = match leaf {
            Leaf::Number { number, .. } => number.read(bytes),
            _ => None,
        };
        match value {
            Some(value) if !value.negative && value.magnitude <= u128::from(u32::MAX) => {
                Ok(value.magnitude as usize)
            }
            Some(_) => Err(counter_range(offset, "is negative or too large")),
            None => Err(counter_range(offset, "is not a number")),
        }
    }

    /// Place of the first element and number of elements to print.
    fn extent(&self, extent: &Extent) -> Result<(usize, usize), Box<ConvertError>> {
        let start = self.bases[extent.place.base].wrapping_add(extent.place.offset);
        let mut count = extent.max;
        if let Some(slot) = extent.slot {
            count = self.counts[slot];
            if count > extent.max || count < extent.min {
                let (min, max) = (extent.min, extent.max);
                let why = format!("is {count}; the table has {min} to {max} elements");
                return Err(self.named(counter_range(start, &why), extent.info));
            }
        }
        if let Some(nulls) = &extent.nulls {
            let element = |i: usize| {
                let at = start.wrapping_add(i * extent.stride);
                self.record.get(at..at.wrapping_add(extent.place.len))
            };
            while count > 0
                && element(count - 1).is_some_and(|e| e.iter().all(|b| nulls.contains(b)))
            {
                count -= 1;
            }
        }
        Ok((start, count))
    }

    fn repeat(&mut self, repeat: &Repeat, out: &mut Vec<u8>) -> Done {
        let (start, count) = self.extent(&repeat.extent)?;
        let mut at = start;
        for index in 0..count {
            self.bases[repeat.element_base] = at;
            if let Err(error) = self.run(&repeat.body, out) {
                return Err(self.named(error.at_index(index), repeat.extent.info));
            }
            at = self.bases[repeat.end_base].wrapping_add(repeat.extent.stride);
        }
        if let Some(behind) = repeat.behind {
            let full = repeat.extent.max * repeat.extent.stride;
            self.bases[behind] = at
                .wrapping_sub(full)
                .wrapping_sub(repeat.extent.place.offset);
        }
        Ok(())
    }

    fn texts(&mut self, texts: &Texts, out: &mut Vec<u8>) -> Done {
        let (start, count) = self.extent(&texts.extent)?;
        let Leaf::Text {
            page,
            style,
            varying,
            ..
        } = &texts.leaf
        else {
            return Ok(());
        };
        let (stride, null_ends) = (texts.extent.stride, *varying == CharVarying::Null);
        if count == 0 {
            return Ok(());
        }
        let last = start
            .wrapping_add((count - 1) * stride)
            .wrapping_add(texts.offset);
        if last.wrapping_add(texts.len) > self.record.len() || start > self.record.len() {
            let error = self.too_short(last.wrapping_add(texts.len));
            return Err(self.named(error, texts.extent.info));
        }
        let fields = Fields {
            bytes: &self.record[start..],
            stride,
            offset: texts.offset,
            len: texts.len,
            count,
        };
        if let Some(between) = texts.between.as_ref().filter(|_| fields.fit()) {
            out.extend_from_slice(&texts.before);
            fused::put(
                out,
                fields,
                Look {
                    page,
                    style: *style,
                },
                between,
            );
            // The last element is followed by its end only.
            out.truncate(out.len() - texts.before.len());
            return Ok(());
        }
        let (from, to) = (texts.offset, texts.offset + texts.len);
        out.reserve(count * (texts.before.len() + texts.len + texts.after.len()));
        for element in self.record[start..].chunks(stride).take(count) {
            let Some(field) = element.get(from..to) else {
                return Ok(());
            };
            out.extend_from_slice(&texts.before);
            text::put(out, field, page, *style, null_ends);
            out.extend_from_slice(&texts.after);
        }
        Ok(())
    }

    fn select(&mut self, arms: &[(Option<Test>, Vec<Op>)], info: u32, out: &mut Vec<u8>) -> Done {
        for (test, body) in arms {
            let taken = match test {
                Some(test) => self.test(test, out)?,
                None => true,
            };
            if taken {
                return self.run(body, out);
            }
        }
        Err(self.named(ConvertError::new(messages::cb::no_rule_holds(), 0), info))
    }

    /// The output buffer serves as scratch space, so that nothing is allocated.
    fn test(&self, test: &Test, out: &mut Vec<u8>) -> Result<bool, Box<ConvertError>> {
        let (bytes, offset) = self.bytes(test.place)?;
        let start = out.len();
        test.leaf.put(out, bytes, offset)?;
        let shown = String::from_utf8_lossy(&out[start..]);
        let holds = compare::holds(&shown, !test.leaf.is_string(), test.op, &test.value);
        out.truncate(start);
        Ok(holds)
    }
}

#[cold]
fn counter_range(offset: usize, why: &str) -> Box<ConvertError> {
    ConvertError::new(messages::cb::counter_not_usable(why), offset)
}

/// Puts a closing bracket over the comma of the last member, or behind the opening one.
#[inline]
pub(super) fn close(out: &mut Vec<u8>, bracket: u8) {
    match out.last_mut() {
        Some(last) if *last == b',' => *last = bracket,
        _ => out.push(bracket),
    }
}
