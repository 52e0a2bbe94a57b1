//! Which traces are sent, and what spans are called.

use crate::documents::TraceContext;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};

/// Identifiers that nobody else has: a keyed hash of a counter.
pub(crate) struct Ids {
    key: RandomState,
    count: u64,
}

impl Ids {
    pub(crate) fn new() -> Self {
        Self {
            key: RandomState::new(),
            count: 0,
        }
    }

    /// Of a span; never 0.
    pub(crate) fn next(&mut self) -> u64 {
        self.count = self.count.wrapping_add(1);
        let mut hasher = self.key.build_hasher();
        hasher.write_u64(self.count);
        hasher.finish().max(1)
    }

    /// The context of a span whose parent this is; without one a trace begins, of which
    /// `sampled_ppm` in 1,000,000 are sent.
    pub(crate) fn below(&mut self, parent: Option<TraceContext>, sampled_ppm: u32) -> TraceContext {
        let span = self.next();
        match parent {
            Some(parent) => TraceContext { span, ..parent },
            None => {
                let low = self.next();
                TraceContext {
                    trace: u128::from(self.next()) << 64 | u128::from(low),
                    span,
                    sampled: is_sampled(low, sampled_ppm),
                }
            }
        }
    }
}

/// By the identifier alone, as other products decide it: by its last seven bytes.
fn is_sampled(low: u64, sampled_ppm: u32) -> bool {
    let bound = (1_u128 << 56) * u128::from(sampled_ppm) / 1_000_000;
    u128::from(low & ((1 << 56) - 1)) < bound
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_traces_are_sent_and_all_or_none_where_that_is_asked_for() {
        let mut ids = Ids::new();
        let mut count = |ppm| {
            let of = (0..10_000).map(|_| ids.below(None, ppm).sampled);
            of.filter(|sampled| *sampled).count()
        };
        assert_eq!((count(0), count(1_000_000)), (0, 10_000));
        let half = count(500_000);
        assert!((4_500..5_500).contains(&half), "{half}");
    }

    #[test]
    fn a_trace_that_began_elsewhere_is_that_one() {
        let mut ids = Ids::new();
        let parent = TraceContext {
            trace: 7,
            span: 8,
            sampled: true,
        };
        let own = ids.below(Some(parent), 0);
        assert!(own.sampled && own.trace == 7 && own.span != 8);
        let other = ids.below(Some(parent), 0);
        assert_ne!(own.span, other.span);
    }
}
