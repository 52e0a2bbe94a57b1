//! The inner loop over tables of one text per element, the most frequent shape of large records.
//!
//! Elements are written optimistically in batches: literals as whole blocks of 32 bytes (what is
//! too much is overwritten by what follows), characters through the code page's table, without
//! looking at them. One pass over the batch's output then tells whether any character needed more
//! care; only such a batch is printed again by the careful path. No byte is looked at twice by
//! scalar code.

use super::page::{Page, all_plain, translate};
use super::text::{self, Style};

/// Elements per batch; a batch's output stays in the first-level cache.
const BATCH: usize = 32;
/// Bytes per block.
const BLOCK: usize = 32;
/// Longest joined literal, in blocks, and longest field of the fast path; others take the careful
/// path.
const MAX_BLOCKS: usize = 8;
const MAX_FIELD: usize = 1024;

/// A literal cut into blocks.
#[derive(Debug, Clone)]
pub(super) struct Blocks {
    blocks: Box<[[u8; BLOCK]]>,
    len: usize,
}

impl Blocks {
    pub(super) fn of(literal: &[u8]) -> Option<Blocks> {
        let blocks: Box<[[u8; BLOCK]]> = literal
            .chunks(BLOCK)
            .map(|chunk| {
                let mut block = [0; BLOCK];
                block[..chunk.len()].copy_from_slice(chunk);
                block
            })
            .collect();
        let fits = literal.is_ascii() && blocks.len() <= MAX_BLOCKS;
        fits.then_some(Blocks {
            blocks,
            len: literal.len(),
        })
    }

    /// Writes the literal and up to 31 bytes more.
    #[inline]
    fn put(&self, out: &mut [u8], at: usize) {
        let mut to = at;
        for block in &*self.blocks {
            out[to..to + BLOCK].copy_from_slice(block);
            to += BLOCK;
        }
    }
}

/// The fields of consecutive elements.
#[derive(Clone, Copy)]
pub(super) struct Fields<'a> {
    /// From the first element on.
    pub(super) bytes: &'a [u8],
    pub(super) stride: usize,
    pub(super) offset: usize,
    pub(super) len: usize,
    pub(super) count: usize,
}

impl<'a> Fields<'a> {
    fn field(&self, index: usize) -> Option<&'a [u8]> {
        let start = index * self.stride + self.offset;
        self.bytes.get(start..start + self.len)
    }

    pub(super) fn fit(&self) -> bool {
        self.len <= MAX_FIELD
    }
}

/// How the fields look.
#[derive(Clone, Copy)]
pub(super) struct Look<'a> {
    pub(super) page: &'a Page,
    pub(super) style: Style,
}

/// Appends every field with `between` (what closes an element, the comma, what opens the next)
/// behind it.
pub(super) fn put(out: &mut Vec<u8>, fields: Fields<'_>, look: Look<'_>, between: &Blocks) {
    let room = fields.len + between.blocks.len() * BLOCK;
    let mut first = 0;
    while first < fields.count {
        let count = BATCH.min(fields.count - first);
        let start = out.len();
        out.resize(start + count * room, 0);
        match batch(&mut out[start..], fields, first, count, look, between) {
            Some(len) => out.truncate(start + len),
            None => {
                out.truncate(start);
                careful(out, fields, first, count, look, between);
            }
        }
        first += count;
    }
}

/// Fills a batch; `None` if a character cannot be copied or translated.
fn batch(
    out: &mut [u8],
    fields: Fields<'_>,
    first: usize,
    count: usize,
    look: Look<'_>,
    between: &Blocks,
) -> Option<usize> {
    let (page, trims) = (look.page, look.style.trim_end);
    let mut at = 0;
    for index in first..first + count {
        let mut field = fields.field(index)?;
        if trims {
            field = &field[..text::trimmed_len(field, page.cp.space)];
        }
        let place = &mut out[at..at + field.len()];
        if page.identity {
            if !all_plain(field) {
                return None;
            }
            place.copy_from_slice(field);
        } else {
            translate(place, field, &page.plain);
        }
        at += field.len();
        between.put(out, at);
        at += between.len;
    }
    let copied = page.identity || out[..at].iter().fold(0, |all, b| all | b) < 0x80;
    copied.then_some(at)
}

#[cold]
fn careful(
    out: &mut Vec<u8>,
    fields: Fields<'_>,
    first: usize,
    count: usize,
    look: Look<'_>,
    between: &Blocks,
) {
    for index in first..first + count {
        if let Some(field) = fields.field(index) {
            text::put(out, field, look.page, look.style, false);
        }
        let start = out.len();
        between
            .blocks
            .iter()
            .for_each(|block| out.extend_from_slice(block));
        out.truncate(start + between.len);
    }
}
