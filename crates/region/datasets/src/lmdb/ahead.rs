//! The data file in memory, in single pages.
//!
//! What: the file is made a little longer than the tree, and the kernel is asked to bring what is
//! there, before the tree grows into it; at a start the whole of a file that is not big. Why: ext4
//! of Linux 6.16 and later keeps in one piece what was written or read at once, up to megabytes,
//! and looks at each page of a piece whenever one of them is written. The pages of the bounded file
//! are used again one here, one there; in pieces of 64 each takes six times as long to write. What
//! the kernel is asked to bring comes in single pages, and a hole costs no look at the disk. Only
//! speed depends on it: what fails is left alone. Not here: what is written (`apply`), pages given
//! back (`punch`).

use super::structure::LEAVES_AT_OPEN_MAX;
use heed::Env;
use rustix::fs::{Advice, fadvise};
use std::fs::File;
use std::num::NonZero;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// Bytes the kernel brings at a time, whatever else it is set to.
const AT_ONCE: u64 = 128 << 10;
/// Bytes beyond the tree: an eighth of it between these bounds, and what a group may need, twice
/// its bytes up to a bound: all of it takes room in memory.
const LEAST: u64 = 64 << 10;
const MOST: u64 = 2 << 20;
const GROUP_MOST: u64 = 8 << 20;

/// How far the file is brought.
pub(super) struct Ahead {
    end: AtomicU64,
    /// Longest file.
    most: u64,
}

impl Ahead {
    /// Of a file that is opened; it is not made longer than `most`. A start reads all of it when
    /// it is not big.
    pub(super) fn of(data: &File, most: u64) -> Self {
        let end = length(data);
        if end <= LEAVES_AT_OPEN_MAX {
            bring(data, 0..end);
        }
        let end = AtomicU64::new(end);
        Self { end, most }
    }

    /// Before a group of so many bytes is committed. Called by the only writer of the file.
    pub(super) fn before(&self, env: &Env, data: &File, bytes: u64) {
        let pages = env.info().last_page_number as u64 + 1;
        let page = u64::from(env.stat().page_size);
        self.reach(data, pages.saturating_mul(page), bytes);
    }

    fn reach(&self, data: &File, tree: u64, bytes: u64) {
        let end = self.end.load(Relaxed);
        let room = (tree / 8).clamp(LEAST, MOST);
        let needed = tree.saturating_add(bytes.saturating_mul(2).min(GROUP_MOST));
        if needed.saturating_add(room / 2) <= end || end >= self.most {
            return;
        }
        let next = needed.saturating_add(room).next_multiple_of(LEAST);
        let next = next.min(self.most);
        if length(data) < next {
            // No room on the disk is taken by it.
            let _longer = data.set_len(next);
        }
        bring(data, end.min(next)..next);
        self.end.store(next, Relaxed);
    }
}

/// Brings a part of a file into memory.
fn bring(data: &File, part: Range<u64>) {
    let begin = part.start - part.start % AT_ONCE;
    for at in (begin..part.end).step_by(AT_ONCE as usize) {
        let length = NonZero::new(AT_ONCE.min(part.end - at));
        if fadvise(data, at, length, Advice::WillNeed).is_err() {
            return;
        }
    }
}

fn length(data: &File) -> u64 {
    data.metadata().map_or(0, |found| found.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::MetadataExt;

    #[test]
    fn the_file_is_longer_than_the_tree_and_no_longer_than_it_may_be() {
        let data = tempfile::tempfile().unwrap();
        data.set_len(100 << 10).unwrap();
        let ahead = Ahead::of(&data, 1 << 20);
        let after = |tree: u64, bytes: u64| {
            ahead.reach(&data, tree, bytes);
            length(&data)
        };
        assert_eq!(after(90 << 10, 0), 192 << 10);
        // There is room enough.
        assert_eq!(after(100 << 10, 10 << 10), 192 << 10);
        assert_eq!(after(120 << 10, 100 << 10), 384 << 10);
        assert_eq!(after(900 << 10, 300 << 10), 1 << 20);
        let wide = Ahead::of(&data, 1 << 40);
        wide.reach(&data, 1 << 20, 1 << 30);
        assert_eq!(length(&data), (9 << 20) + (128 << 10));
        data.set_len(1 << 20).unwrap();
        assert_eq!(after(2 << 20, 300 << 10), 1 << 20);
        assert_eq!(data.metadata().unwrap().blocks(), 0);
    }
}
