//! What the word of a lock says.
//!
//! Not here: what is believed of it.

/// Somebody may sleep on the word.
pub(super) const WAITERS: u64 = 1 << 31;
/// Nobody has it, and who had it died inside.
pub(super) const DIED: u64 = 1 << 30;
/// The holder; 0 = nobody. Above the three: which of the holder's turns it is.
pub(super) const OWNER: u64 = DIED - 1;

/// One turn of one holder, as a lock names it: no other has the same number, so what was found out
/// about it is never taken for true of a later one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Turn(u64);

impl Turn {
    /// The turn with this number of a holder.
    pub(super) fn new(owner: u32, number: u32) -> Self {
        Self(u64::from(number) << 32 | u64::from(owner))
    }

    /// The turn that a word names.
    pub(super) fn of(word: u64) -> Option<Self> {
        (word & OWNER != 0).then_some(Self(word & !(WAITERS | DIED)))
    }

    /// The word of a lock that nobody waits for.
    pub(super) fn word(self) -> u64 {
        self.0
    }

    pub(crate) fn owner(self) -> u32 {
        (self.0 & OWNER) as u32
    }
}
