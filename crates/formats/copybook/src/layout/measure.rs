//! Geometry: where items are and how long they are, for the largest record and for given occurrence
//! counts.
//!
//! One walk serves both. The first time it also decides on slack bytes (SYNCHRONIZED); they are
//! stored in the fields and do not change with the counts. Slack goes before the outermost group
//! that starts with the aligned item, and each occurrence of a group table is filled up to its
//! strictest boundary, on z/OS and, by FILLERs that the translator writes, in a region.

use super::{FieldId, Layout};

/// A storage boundary in bytes: 1, 2, 4 or 8.
pub(super) type Align = usize;

/// Places of all fields for given occurrence counts, indexed by field number. Bytes throughout.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Measured {
    /// From the start of the record to the first occurrence.
    pub offset: Vec<usize>,
    /// Of one occurrence.
    pub len: Vec<usize>,
    /// Of the longest record.
    pub total: usize,
}

impl Layout {
    /// Works out all places for given occurrence counts: `count` is asked for every field that has
    /// OCCURS and should return [`super::Occurs::max`] for fixed tables. Counts are taken as they
    /// are, also out of range.
    pub fn resolve(&self, count: &dyn Fn(FieldId) -> u32) -> Measured {
        measure(self, count)
    }
}

/// Measures with the slack bytes decided before.
pub(super) fn measure(layout: &Layout, count: &dyn Fn(FieldId) -> u32) -> Measured {
    let mut walk = Walk::new(layout, count, None);
    walk.records();
    walk.out
}

/// Decides on slack and fills in offsets, lengths, strides and totals at the maximum.
pub(super) fn place(layout: &mut Layout, aligns: &[Align]) {
    let tables = &|id: FieldId| layout[id].occurs.as_ref().map_or(1, |o| o.max);
    let mut walk = Walk::new(layout, tables, Some(aligns));
    walk.records();
    let Walk {
        out,
        slack,
        pad,
        slides,
        ..
    } = walk;
    for (i, field) in layout.fields.iter_mut().enumerate() {
        field.offset = out.offset[i];
        field.len = out.len[i];
        field.slack = slack[i];
        field.tail_slack = pad[i];
        field.slides = slides[i];
        if let Some(o) = &mut field.occurs {
            o.stride = out.len[i];
        }
    }
    layout.max_bytes = out.total;
}

/// A run of siblings that share storage.
#[derive(Clone, Copy, Default)]
struct Block {
    len: usize,
    varies: bool,
}

struct Walk<'a> {
    layout: &'a Layout,
    count: &'a dyn Fn(FieldId) -> u32,
    /// Given the first time only.
    aligns: Option<&'a [Align]>,
    /// Strictest boundary among the elementary items below, and that of the first one.
    strictest: Vec<Align>,
    leading: Vec<Align>,
    slack: Vec<usize>,
    pad: Vec<usize>,
    slides: Vec<bool>,
    out: Measured,
}

impl<'a> Walk<'a> {
    fn new(
        layout: &'a Layout,
        count: &'a dyn Fn(FieldId) -> u32,
        aligns: Option<&'a [Align]>,
    ) -> Walk<'a> {
        let n = layout.fields.len();
        let mut walk = Walk {
            layout,
            count,
            aligns,
            strictest: vec![1; n],
            leading: vec![1; n],
            slack: layout.fields.iter().map(|f| f.slack).collect(),
            pad: layout.fields.iter().map(|f| f.tail_slack).collect(),
            slides: vec![false; n],
            out: Measured {
                offset: vec![0; n],
                len: layout.fields.iter().map(|f| f.len).collect(),
                total: 0,
            },
        };
        walk.collect_boundaries();
        walk
    }

    /// Children come after their parents in the arena, so one backward pass is enough.
    fn collect_boundaries(&mut self) {
        let Some(aligns) = self.aligns else { return };
        for (i, field) in self.layout.fields.iter().enumerate().rev() {
            self.strictest[i] = self.strictest[i].max(aligns[i]);
            self.leading[i] = field
                .children
                .first()
                .map_or(aligns[i], |c| self.leading[c.0 as usize]);
            if let Some(parent) = field.parent {
                let p = parent.0 as usize;
                self.strictest[p] = self.strictest[p].max(self.strictest[i]);
            }
        }
    }

    fn records(&mut self) {
        let layout = self.layout;
        let mut start = 0;
        let mut block = Block::default();
        let mut varies = false;
        for &root in &layout.roots {
            let field = &layout[root];
            if matches!(field.level, 1 | 77) {
                (start, block, varies) = (0, Block::default(), false);
            }
            match field.redefines {
                Some(first) if !matches!(field.level, 1 | 77) => {
                    let at = self.out.offset[first.0 as usize];
                    let slides = self.slides[first.0 as usize];
                    self.add(root, at, slides, &mut block);
                }
                _ => {
                    start += block.len;
                    varies |= block.varies;
                    block = Block::default();
                    start += self.slack_before(root, start);
                    self.add(root, start, varies, &mut block);
                }
            }
            self.out.total = self.out.total.max(start.saturating_add(block.len));
        }
    }

    /// Measures an item with all its occurrences and takes it into the block.
    fn add(&mut self, id: FieldId, at: usize, slides: bool, block: &mut Block) {
        let i = id.0 as usize;
        let varies_inside = self.one(id, at, slides);
        let occurs = self.layout[id].occurs.as_ref();
        let times = if occurs.is_some() {
            (self.count)(id) as usize
        } else {
            1
        };
        block.len = block.len.max(self.out.len[i].saturating_mul(times));
        block.varies |= varies_inside || occurs.is_some_and(super::Occurs::is_variable);
    }

    /// Measures one occurrence; tells whether its length varies. Depth is bounded by the 49 levels.
    fn one(&mut self, id: FieldId, at: usize, slides: bool) -> bool {
        let layout = self.layout;
        let i = id.0 as usize;
        self.out.offset[i] = at;
        self.slides[i] = slides;
        let field = &layout[id];
        if field.children.is_empty() {
            return false;
        }
        let mut end = at;
        let mut block = Block::default();
        let mut varies = false;
        for &child in &field.children {
            if let Some(first) = layout[child].redefines {
                let f = first.0 as usize;
                let (start, slide) = (self.out.offset[f], self.slides[f]);
                self.add(child, start, slide, &mut block);
                continue;
            }
            end = end.saturating_add(block.len);
            varies |= block.varies;
            block = Block::default();
            end = end.saturating_add(self.slack_before(child, end));
            self.add(child, end, slides || varies, &mut block);
        }
        end = end.saturating_add(block.len);
        varies |= block.varies;
        self.out.len[i] = (end - at).saturating_add(self.fill_up(id, end - at));
        varies
    }

    fn slack_before(&mut self, id: FieldId, at: usize) -> usize {
        let i = id.0 as usize;
        if self.aligns.is_some() {
            self.slack[i] = at.next_multiple_of(self.leading[i]) - at;
        }
        self.slack[i]
    }

    /// Slack at the end of an occurrence of a group table.
    fn fill_up(&mut self, id: FieldId, len: usize) -> usize {
        let i = id.0 as usize;
        let table = self.layout[id].occurs.as_ref().is_some_and(|o| o.max > 1);
        if self.aligns.is_some() && table {
            self.pad[i] = len.next_multiple_of(self.strictest[i]) - len;
        }
        self.pad[i]
    }
}
