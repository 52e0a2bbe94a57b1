//! The calls of the bench, the same for the store and its peers, and clients that make them for
//! some seconds.
//!
//! What: units of work of six calls on random files and keys. Not here: who carries them out.

use crate::cpu::tree_seconds;
use crate::runs::quick;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Files of the mix.
pub(super) const FILES: usize = 32;
/// Longest record in bytes; the shortest has 100.
pub(super) const RECORD_MAX: usize = 400;
/// Calls of a unit of work.
const CALLS: usize = 6;

/// Twelve digits.
pub(super) type Key = [u8; 12];

/// One call.
pub(super) struct Call {
    pub file: usize,
    pub key: Key,
    pub step: Step,
}

/// What a call does with its key.
pub(super) enum Step {
    /// Read without lock: 79 of 100.
    Read,
    /// Read for update and rewrite, or delete when there is no record: 10 of 100, every tenth a
    /// delete.
    Change(Option<Vec<u8>>),
    /// Add: 11 of 100.
    Add(Vec<u8>),
}

/// The calls of one unit of work. Keys of loaded records are even, those of added ones odd.
pub(super) fn unit(random: &mut Random, keys: u64) -> [Call; CALLS] {
    std::array::from_fn(|_| {
        let file = random.below(FILES as u64) as usize;
        let loaded = random.below(keys) * 2;
        let (number, step) = match random.below(100) {
            0..=78 => (loaded, Step::Read),
            79..=88 if random.below(10) == 0 => (loaded, Step::Change(None)),
            79..=88 => (loaded, Step::Change(Some(record(loaded, random)))),
            _ => {
                let added = random.below(1 << 38) * 2 + 1;
                (added, Step::Add(record(added, random)))
            }
        };
        let key = key(number);
        Call { file, key, step }
    })
}

/// Key of a record.
pub(super) fn key(number: u64) -> Key {
    let mut key = [b'0'; 12];
    let mut rest = number;
    for digit in key.iter_mut().rev() {
        *digit = b'0' + (rest % 10) as u8;
        rest /= 10;
    }
    key
}

/// A record that begins with its key.
pub(super) fn record(number: u64, random: &mut Random) -> Vec<u8> {
    let mut record = key(number).to_vec();
    record.resize(100 + random.below(300) as usize, b'x');
    record
}

/// Seconds of one measurement.
pub(super) fn seconds() -> Duration {
    Duration::from_secs(if quick() { 2 } else { 5 })
}

/// Units of work per second of clients that are threads. A client says whether its unit was
/// committed.
pub(super) fn threads<C>(clients: u64, keys: u64, client: impl Fn() -> C) -> f64
where
    C: FnMut(&[Call]) -> bool + Send,
{
    let begin = Instant::now();
    let until = begin + seconds();
    let done = AtomicU64::new(0);
    std::thread::scope(|scope| {
        for number in 0..clients {
            let mut client = client();
            let done = &done;
            scope.spawn(move || {
                let mut random = Random(number + 7);
                while Instant::now() < until {
                    let committed = client(&unit(&mut random, keys));
                    done.fetch_add(u64::from(committed), Ordering::Relaxed);
                }
            });
        }
    });
    done.load(Ordering::Relaxed) as f64 / begin.elapsed().as_secs_f64()
}

/// CPU seconds of this process so far.
pub(super) fn cpu() -> f64 {
    tree_seconds(std::process::id())
}

/// A small generator; benches repeat the same sequence.
pub(super) struct Random(pub u64);

impl Random {
    pub(super) fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (x ^ (x >> 31)) % limit.max(1)
    }
}
