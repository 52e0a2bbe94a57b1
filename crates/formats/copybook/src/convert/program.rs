//! The operations of a compiled decoder.
//!
//! Each member is printed with a comma behind it; what closes an object or array takes the last
//! comma back, so members that are left out need no bookkeeping. Literals are joined at compile
//! time as far as no condition stands between them.

use super::fused::Blocks;
use super::leaf::Leaf;
use crate::shape::{CharVarying, Op as Comparison, Rule};

/// A place: a base and what is added to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) base: usize,
    pub(super) offset: usize,
    pub(super) len: usize,
}

/// Names for error messages, looked up only then.
#[derive(Debug, Clone, Default)]
pub(super) struct Info {
    /// JSON pointer from the enclosing element.
    pub(super) pointer: String,
    pub(super) field: String,
}

#[derive(Debug, Clone)]
pub(super) enum Op {
    /// Prints punctuation, names, constants.
    Literal(Box<[u8]>),
    /// Prints a value; quotes belong to the literals around it.
    Leaf { place: Place, leaf: Leaf, info: u32 },
    /// Prints `}` or `]`, over the comma of the last member if there is one.
    Close(u8),
    /// Reads a counter.
    Count {
        slot: usize,
        place: Place,
        leaf: Leaf,
        info: u32,
    },
    /// Sets the base behind a table whose elements all have the same length.
    Shift {
        to: usize,
        from: usize,
        slot: usize,
        stride: usize,
        max: usize,
    },
    /// Runs the body for each element.
    Repeat(Box<Repeat>),
    /// Prints a table of elements that have one text and nothing conditional.
    Texts(Box<Texts>),
    /// Runs the first arm whose rule holds.
    Select {
        arms: Vec<(Option<Test>, Vec<Op>)>,
        info: u32,
    },
    /// Runs the body unless all bytes have the value.
    UnlessAll {
        place: Place,
        byte: u8,
        body: Vec<Op>,
    },
    /// Runs the body and takes it back if the value it printed after `prefix` bytes is empty.
    UnlessEmpty { prefix: usize, body: Vec<Op> },
}

/// How many elements to print.
#[derive(Debug, Clone)]
pub(super) struct Extent {
    /// Base and offset of the first element; `len` is that of one element as far as it must be
    /// there.
    pub(super) place: Place,
    pub(super) stride: usize,
    pub(super) max: usize,
    /// Fewest, if the counter is to be checked against it.
    pub(super) min: usize,
    pub(super) slot: Option<usize>,
    /// Bytes of null elements at the end of the table.
    pub(super) nulls: Option<Box<[u8]>>,
    pub(super) info: u32,
}

#[derive(Debug, Clone)]
pub(super) struct Repeat {
    pub(super) extent: Extent,
    /// Base of the element, and the one at its end once the body has run.
    pub(super) element_base: usize,
    pub(super) end_base: usize,
    /// Base to set behind the table, if its elements vary in length.
    pub(super) behind: Option<usize>,
    pub(super) body: Vec<Op>,
}

/// The fused group for one text per element.
#[derive(Debug, Clone)]
pub(super) struct Texts {
    pub(super) extent: Extent,
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) leaf: Leaf,
    pub(super) before: Box<[u8]>,
    /// Including the comma.
    pub(super) after: Box<[u8]>,
    /// `after` and `before` joined, for the fast path.
    pub(super) between: Option<Blocks>,
}

/// A rule of an arm.
#[derive(Debug, Clone)]
pub(super) struct Test {
    pub(super) place: Place,
    pub(super) leaf: Leaf,
    pub(super) op: Comparison,
    pub(super) value: String,
}

impl Test {
    pub(super) fn new(rule: &Rule, place: Place, leaf: Leaf) -> Self {
        Self {
            place,
            leaf,
            op: rule.op,
            value: rule.value.clone(),
        }
    }
}

/// Collects operations and joins literals.
#[derive(Debug, Default)]
pub(super) struct Tape {
    ops: Vec<Op>,
    pending: Vec<u8>,
}

impl Tape {
    pub(super) fn literal(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    pub(super) fn op(&mut self, op: Op) {
        self.flush();
        self.ops.push(op);
    }

    /// Closes an object or array, at compile time if the last member is always there.
    pub(super) fn close(&mut self, bracket: u8) {
        match self.pending.last() {
            Some(b',') => {
                self.pending.pop();
                self.pending.push(bracket);
            }
            Some(_) => self.pending.push(bracket),
            None => self.op(Op::Close(bracket)),
        }
    }

    /// Keeps a value text such as `"` or `}` from being joined with what follows.
    pub(super) fn flush(&mut self) {
        if !self.pending.is_empty() {
            let bytes = std::mem::take(&mut self.pending);
            self.ops.push(Op::Literal(bytes.into_boxed_slice()));
        }
    }

    pub(super) fn finish(mut self) -> Vec<Op> {
        self.flush();
        self.ops
    }
}

/// Turns the loop over one text into its fused form.
pub(super) fn fuse(repeat: Repeat) -> Op {
    if repeat.behind.is_none()
        && let [
            Op::Literal(before),
            Op::Leaf { place, leaf, .. },
            Op::Literal(after),
        ] = &repeat.body[..]
        && matches!(leaf, Leaf::Text { .. })
        && place.base == repeat.element_base
    {
        let plain = matches!(leaf, Leaf::Text { style, varying, .. }
            if !style.trim_start && *varying != CharVarying::Null);
        let joined = [&after[..], &before[..]].concat();
        return Op::Texts(Box::new(Texts {
            between: Blocks::of(&joined).filter(|_| plain),
            extent: repeat.extent.clone(),
            offset: place.offset,
            len: place.len,
            leaf: leaf.clone(),
            before: before.clone(),
            after: after.clone(),
        }));
    }
    Op::Repeat(Box::new(repeat))
}
