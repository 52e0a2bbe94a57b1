//! Hashes of texts of statements.
//!
//! Why: the hash of the standard library, which withstands who chooses keys, takes as long for a
//! text as SQLite for a step. Texts are those of programs of this system, and a session keeps a
//! bounded number of them. Not here: what is kept for a text (`session`).

use std::hash::{BuildHasherDefault, Hasher};

/// Makes them.
pub(super) type Texts = BuildHasherDefault<Text>;

/// A hash that is made: eight bytes at a time.
#[derive(Default)]
pub(super) struct Text(u64);

/// Odd, and its bits are as if by chance.
const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

impl Text {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(FACTOR);
    }
}

impl Hasher for Text {
    fn write(&mut self, bytes: &[u8]) {
        let (words, rest) = bytes.as_chunks();
        for word in words {
            self.add(u64::from_le_bytes(*word));
        }
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(rest) {
            *to = *from;
        }
        self.add(u64::from_le_bytes(last));
    }

    fn finish(&self) -> u64 {
        // Low bits choose a place, and only low bits of the words have come to them.
        self.0 ^ self.0 >> 32
    }
}
