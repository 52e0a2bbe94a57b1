//! Whether a piece of shared memory is as its owner left it.
//!
//! What: a checksum over owner and bytes, and numbers with a check over their owner. Why: a program
//! can store anywhere in the segment; what it changed is found when it is used. A program that
//! means to deceive can make both: its worker knows them. Not here: blocks (`owned`).

use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Release};

/// An odd number without pattern, to mix others with.
pub(super) const MIX: u64 = 0x9E37_79B9_7F4A_7C15;

/// Most words that say whose something is.
const OWNER_WORDS: usize = 4;

/// A checksum in the making.
pub(crate) struct Seal(crc32fast::Hasher);

impl Seal {
    /// Of something of this owner.
    pub(crate) fn of(owner: &[u64]) -> Self {
        let mut bytes = [0; OWNER_WORDS * 8];
        let (words, _) = bytes.as_chunks_mut::<8>();
        for (to, word) in words.iter_mut().zip(owner) {
            *to = word.to_le_bytes();
        }
        let mut sum = crc32fast::Hasher::new();
        sum.update(&bytes[..owner.len().min(OWNER_WORDS) * 8]);
        Self(sum)
    }

    pub(crate) fn add(mut self, bytes: &[u8]) -> Self {
        self.0.update(bytes);
        self
    }

    /// Never 0, which is what memory is that nobody wrote.
    pub(crate) fn end(self) -> u32 {
        self.0.finalize() | 1
    }
}

/// A number of at most 40 bits in shared memory, with a check over it and whose it is. All zero is
/// none.
#[repr(transparent)]
pub(crate) struct Sealed(AtomicU64);

const NUMBER_BITS: u32 = 40;
const NUMBER: u64 = (1 << NUMBER_BITS) - 1;

impl Sealed {
    /// `None`: it is not what this owner stored.
    pub(crate) fn get(&self, owner: u64) -> Option<u64> {
        opened(owner, self.0.load(Acquire))
    }

    pub(crate) fn set(&self, owner: u64, number: u64) {
        self.0.store(closed(owner, number), Release);
    }

    /// Stores a number; answers the one before.
    pub(crate) fn replace(&self, owner: u64, number: u64) -> Option<u64> {
        opened(owner, self.0.swap(closed(owner, number), AcqRel))
    }
}

fn closed(owner: u64, number: u64) -> u64 {
    (number & NUMBER) | check(owner, number & NUMBER) << NUMBER_BITS
}

fn opened(owner: u64, word: u64) -> Option<u64> {
    (word >> NUMBER_BITS == check(owner, word & NUMBER)).then_some(word & NUMBER)
}

/// A check of 24 bits; never 0.
pub(crate) fn check(owner: u64, number: u64) -> u64 {
    (owner.rotate_left(17) ^ number).wrapping_mul(MIX) >> 40 | 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_its_owners() {
        let word = Sealed(AtomicU64::new(0));
        assert_eq!(word.get(7), None);
        word.set(7, 0);
        assert_eq!((word.get(7), word.get(8)), (Some(0), None));
        assert_eq!(word.replace(7, NUMBER), Some(0));
        for bit in 0..64 {
            let bad = word.0.load(Acquire) ^ 1 << bit;
            assert_eq!(opened(7, bad), None, "bit {bit}");
        }
    }

    #[test]
    fn a_seal_is_of_owner_and_bytes() {
        let seal = |owner: u64, bytes: &[u8]| Seal::of(&[owner]).add(bytes).end();
        assert_ne!(seal(1, b"abc"), seal(2, b"abc"));
        assert_ne!(seal(1, b"abc"), seal(1, b"abc\0"));
        assert_ne!(seal(1, b""), seal(1, &[0; 16]));
        assert_ne!(Seal::of(&[1, 2]).end(), Seal::of(&[2, 1]).end());
    }

    #[test]
    fn it_is_the_same_however_the_bytes_come() {
        let bytes: Vec<u8> = (0..300_u32).map(|n| ((n * n) >> 3) as u8).collect();
        let whole = Seal::of(&[7]).add(&bytes).end();
        for first in 0..=bytes.len() {
            let (one, two) = bytes.split_at(first);
            let (two, three) = two.split_at(two.len() / 3);
            let parts = Seal::of(&[7]).add(one).add(two).add(three).end();
            assert_eq!(parts, whole, "{first}");
        }
    }

    #[test]
    fn each_bit_counts() {
        for bytes in [vec![0; 200], vec![b' '; 77], b"DFHEIBLK".repeat(9)] {
            let whole = Seal::of(&[7]).add(&bytes).end();
            for bit in 0..bytes.len() * 8 {
                let mut bad = bytes.clone();
                bad[bit / 8] ^= 1 << (bit % 8);
                assert_ne!(Seal::of(&[7]).add(&bad).end(), whole, "bit {bit}");
            }
        }
    }
}
