//! Which pages of the data file a state of the tree uses.
//!
//! What: a bit for each page. Why bits: two states are compared, and what is new in the second one
//! is found without walking either. All pages but the free ones are used; LMDB keeps the free tree
//! exact. Not here: what is done with new pages (`sums`), when free ones become holes (`upkeep`).

use super::fields::long;
use super::free::each_freed;
use super::header::{LAST_PAGE, page_bytes};
use std::fs::File;
use std::ops::Range;

/// Pages of headers.
const HEADERS: u64 = 2;
const BITS: u64 = u64::BITS as u64;

/// The pages of a state.
pub(super) struct Used {
    words: Vec<u64>,
    end: u64,
}

impl Used {
    /// Of the state of a header, whose pages nobody writes over meanwhile. None: its free tree is
    /// not what it should be.
    pub(super) fn of(file: &File, header: &[u8]) -> Option<Self> {
        let mut used = Self::all(file, header);
        each_freed(file, header, u64::MAX, &mut |page| used.free(page))?;
        Some(used)
    }

    /// All pages there are, free ones too.
    pub(super) fn all(file: &File, header: &[u8]) -> Self {
        let bytes = file.metadata().map_or(0, |found| found.len());
        let there = bytes / page_bytes(header).map_or(u64::MAX, |size| size as u64);
        let end = long(header, LAST_PAGE).map_or(0, |last| last.saturating_add(1).min(there));
        let words = usize::try_from(end.div_ceil(BITS)).unwrap_or(0);
        let mut used = Self {
            words: vec![u64::MAX; words],
            end,
        };
        (0..HEADERS).for_each(|page| used.free(page));
        used
    }

    fn free(&mut self, page: u64) {
        if let Some(word) = self.words.get_mut((page / BITS) as usize) {
            *word &= !(1 << (page % BITS));
        }
    }

    /// Behind the last page.
    pub(super) fn end(&self) -> u64 {
        self.end
    }

    /// Pages from `begin` on that are used and were not used `before`, in order and as runs.
    pub(super) fn runs<'a>(
        &'a self,
        before: Option<&'a Self>,
        begin: u64,
    ) -> impl Iterator<Item = Range<u64>> + 'a {
        let mut at = begin;
        std::iter::from_fn(move || {
            let first = self.next(before, at, true);
            at = self.next(before, first, false);
            (first < at).then_some(first..at)
        })
    }

    /// The first page from `at` on that is wanted, or is not.
    fn next(&self, before: Option<&Self>, mut at: u64, wanted: bool) -> u64 {
        while at < self.end {
            let place = (at / BITS) as usize;
            let old = before.and_then(|b| b.words.get(place).copied());
            // What is behind the end of the state before is new, whatever its last word says.
            let old = old.map_or(0, |word| word & before.map_or(0, |b| b.within(place)));
            let word = self.words.get(place).copied().unwrap_or(0) & !old;
            let rest = if wanted { word } else { !word } >> (at % BITS);
            if rest != 0 {
                return (at + u64::from(rest.trailing_zeros())).min(self.end);
            }
            at = (at / BITS + 1) * BITS;
        }
        self.end
    }

    /// Bits of a word that stand for pages.
    fn within(&self, place: usize) -> u64 {
        match self.end.saturating_sub(place as u64 * BITS) {
            bits if bits >= BITS => u64::MAX,
            bits => (1 << bits) - 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn used(end: u64, free: &[u64]) -> Used {
        let words = vec![u64::MAX; end.div_ceil(BITS) as usize];
        let mut used = Used { words, end };
        free.iter().for_each(|page| used.free(*page));
        used
    }

    #[test]
    fn runs_are_what_is_used_and_was_not() {
        let before = used(70, &[0, 1, 5, 6, 63, 64]);
        let now = used(200, &[0, 1, 6, 130]);
        let all: Vec<_> = now.runs(None, 0).collect();
        assert_eq!(all, [2..6, 7..130, 131..200]);
        let new: Vec<_> = now.runs(Some(&before), 0).collect();
        assert_eq!(new, [5..6, 63..65, 70..130, 131..200]);
        let rest: Vec<_> = now.runs(Some(&before), 100).collect();
        assert_eq!(rest, [100..130, 131..200]);
        assert_eq!(before.runs(Some(&now), 0).count(), 0);
        assert_eq!(used(0, &[]).runs(None, 0).count(), 0);
    }
}
