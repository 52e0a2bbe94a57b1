//! Numbers that look random and come again with the same seed (SplitMix64).

/// A sequence.
#[derive(Debug, Clone)]
pub(crate) struct Rng(u64);

impl Rng {
    /// A sequence of its own for one case.
    pub(crate) fn of_case(seed: u64, part: u64, case: u64) -> Self {
        let mut rng = Self(seed ^ part.rotate_left(48) ^ case.rotate_left(16));
        rng.next();
        rng
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// From 0 to `limit` - 1; 0 for a limit of 0.
    pub(crate) fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// One of two.
    pub(crate) fn coin(&mut self) -> bool {
        self.next() & 1 == 1
    }
}
