//! What there is of each task, by its number.
//!
//! Why: several services ask for each task that ends, and nearly always have nothing of it. Task
//! numbers are the region's own, so nobody outside can choose ones that collide, and a hash that
//! guards against that costs more than the rest. Not here: who gives numbers (`numbers`).

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// Something of each task.
pub type ByTask<T> = HashMap<u32, T, BuildHasherDefault<TaskHasher>>;

/// Spreads numbers that follow each other.
#[derive(Default)]
pub struct TaskHasher(u64);

impl Hasher for TaskHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write_u32(&mut self, number: u32) {
        // The fraction of the golden ratio; the map looks at the highest and the lowest bits.
        self.0 = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u32((self.0 as u32) << 8 ^ u32::from(*byte));
        }
    }
}
