//! The same work for many archives, on all processors.
//!
//! Why: a start reads and compiles thousands of archives that have nothing to do with each other.
//! Not here: anything that must happen in order.

use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::thread;

/// Most threads, however many processors there are.
const THREADS_MAX: usize = 16;

/// The results of `work`, in the order of the items.
pub(super) fn side_by_side<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let some = || {
        let mut done = Vec::new();
        while let Some((at, item)) = {
            let at = next.fetch_add(1, Relaxed);
            items.get(at).map(|item| (at, item))
        } {
            done.push((at, work(item)));
        }
        done
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut done = thread::scope(|scope| {
        let others = threads.min(THREADS_MAX).min(items.len()).saturating_sub(1);
        // A thread that cannot be had leaves its work to the others.
        let others: Vec<_> = (0..others)
            .filter_map(|_| thread::Builder::new().spawn_scoped(scope, some).ok())
            .collect();
        let mut done = some();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_unstable_by_key(|(at, _)| *at);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::side_by_side;

    #[test]
    fn results_are_in_the_order_of_the_items() {
        let items: Vec<u32> = (0..1_000).collect();
        let doubled: Vec<u32> = items.iter().map(|n| n * 2).collect();
        assert_eq!(side_by_side(&items, |n| n * 2), doubled);
        assert!(side_by_side(&[], |n: &u32| *n).is_empty());
    }
}
