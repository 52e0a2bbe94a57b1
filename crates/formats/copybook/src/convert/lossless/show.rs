//! Records -> JSON with everything that is needed to make the same bytes of it.

use super::super::decode::close;
use super::super::error::{ConvertError, push_segment};
use super::super::items::{Elements, Item, Member, Target};
use super::super::leaf::Leaf;
use super::expand::Expanded;
use super::marks::Marks;
use super::value::{canonical, put};
use super::{Lossless, Shown};
use crate::shape::MAX_DEPTH;

impl Lossless {
    /// Appends the JSON object of a record to `out`. Nothing fails: a value that is none of its
    /// item is `null`, a record whose tables cannot be followed has no values; both with their
    /// bytes. Members behind the end of a short record are left out, FILLER with its initial value
    /// too. `filled`: low values behind the data are no part of the document; whoever writes the
    /// file fills its records with them.
    pub fn decode(&self, record: &[u8], filled: bool, out: &mut Vec<u8>) -> Shown {
        let start = out.len();
        let mut marks = Marks::default();
        let expanded = match Expanded::of(&self.scopes, record) {
            Ok(expanded) => expanded,
            Err(error) => {
                marks.record = Some(record.to_vec());
                out.push(b'{');
                marks.put(out);
                close(out, b'}');
                return Shown {
                    invalid: vec![*error],
                    length: record.len(),
                };
            }
        };
        let mut show = Show {
            expanded: &expanded,
            image: self.template.clone(),
            template: &self.template,
            bases: [0; MAX_DEPTH + 1],
            depth: 0,
            pointer: String::new(),
            out,
            marks,
            invalid: Vec::new(),
        };
        show.out.push(b'{');
        if let Item::Object(members) = &self.root.item {
            show.members(members);
        }
        show.unnamed();
        let Show {
            out,
            mut marks,
            invalid,
            ..
        } = show;
        if record.len() < expanded.length {
            marks.length = Some(record.len());
        } else {
            let end = &record[expanded.length..];
            if !(filled && end.iter().all(|b| *b == 0)) {
                marks.end = end.to_vec();
            }
        }
        marks.put(out);
        close(out, b'}');
        debug_assert!(out.len() > start);
        Shown {
            invalid,
            length: expanded.length,
        }
    }
}

struct Show<'a> {
    expanded: &'a Expanded,
    /// What the values alone give.
    image: Vec<u8>,
    template: &'a [u8],
    bases: [usize; MAX_DEPTH + 1],
    depth: usize,
    pointer: String,
    out: &'a mut Vec<u8>,
    marks: Marks,
    invalid: Vec<ConvertError>,
}

impl Show<'_> {
    /// Prints a value; `false` if there is none to print.
    fn value(&mut self, target: &Target) -> bool {
        match &target.item {
            Item::Leaf { offset, len, leaf } => self.leaf(*offset, *len, leaf, target),
            Item::Object(members) => {
                let start = self.out.len();
                self.out.push(b'{');
                self.members(members);
                close(self.out, b'}');
                self.out.len() > start + 2
            }
            Item::Array(elements) => self.array(elements),
        }
    }

    fn members(&mut self, members: &[Member]) {
        for member in members {
            let start = self.out.len();
            let pointer = self.pointer.len();
            super::super::constant::put_quoted(self.out, &member.name);
            self.out.push(b':');
            push_segment(&mut self.pointer, &member.name);
            if self.value(&member.target) {
                self.out.push(b',');
            } else {
                self.out.truncate(start);
            }
            self.pointer.truncate(pointer);
        }
    }

    fn array(&mut self, elements: &Elements) -> bool {
        let start = self.bases[self.depth] + elements.offset;
        let (mut count, mut counted) = (elements.max, false);
        if let Some(counter) = &elements.counter {
            let at = self.bases[self.depth - usize::from(counter.up)] + counter.offset;
            let bytes = &self.expanded.bytes[at..at + counter.len];
            let value = counter.number.read(bytes).map_or(0, |v| v.magnitude);
            count = usize::try_from(value).unwrap_or(0).min(elements.max);
            counted = self.expanded.touches(at, counter.len);
        }
        self.out.push(b'[');
        self.depth += 1;
        for index in 0..count {
            let at = start + index * elements.stride;
            if !self.expanded.touches(at, elements.stride) {
                count = index;
                break;
            }
            self.bases[self.depth] = at;
            let pointer = self.pointer.len();
            push_segment(&mut self.pointer, &index.to_string());
            if !self.value(&elements.element) && matches!(elements.element.item, Item::Leaf { .. })
            {
                // FILLER: the place of an element must be kept.
                self.out.extend_from_slice(b"null");
            }
            self.out.push(b',');
            self.pointer.truncate(pointer);
        }
        self.depth -= 1;
        close(self.out, b']');
        count > 0 || counted
    }

    fn leaf(&mut self, offset: usize, len: usize, leaf: &Leaf, target: &Target) -> bool {
        let at = self.bases[self.depth] + offset;
        let place = at..at + len;
        let available = self.expanded.available(at, len);
        let bytes = &self.expanded.bytes[at..at + available];
        if available < len {
            if available == 0 {
                return false;
            }
            // Cut off by the end of the record.
            self.image[at..at + available].copy_from_slice(bytes);
            self.marks.value(&self.pointer, bytes);
            self.out.extend_from_slice(b"null");
            return true;
        }
        if target.field == "FILLER" && *bytes == self.template[place.clone()] {
            return false;
        }
        self.image[place].copy_from_slice(bytes);
        let start = self.out.len();
        if let Err(error) = put(leaf, bytes, at, self.out) {
            self.out.truncate(start);
            self.out.extend_from_slice(b"null");
            self.marks.value(&self.pointer, bytes);
            let error = error.of_field(&target.field).below(&self.pointer);
            self.invalid.push(*error);
        } else if canonical(leaf, &self.out[start..], len).is_none_or(|same| same != bytes) {
            self.marks.value(&self.pointer, bytes);
        }
        true
    }

    /// Notes bytes that no member shows.
    fn unnamed(&mut self) {
        let differs =
            |at: usize| self.expanded.filled[at] && self.image[at] != self.expanded.bytes[at];
        let mut at = 0;
        while at < self.image.len() {
            let len = (at..self.image.len()).take_while(|at| differs(*at)).count();
            if len > 0 {
                let bytes = self.expanded.bytes[at..at + len].to_vec();
                self.marks.unnamed.push((at, bytes));
            }
            at += len + 1;
        }
    }
}
