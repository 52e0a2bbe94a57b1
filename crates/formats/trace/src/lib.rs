//! Trace entries: what they say, the data sets of the auxiliary trace, lists for people.
//!
//! What: [`Entry`] with its [`Point`] and [`Component`], the [`Flags`] that say which are made, the
//! auxiliary trace data set ([`file`]) and how an entry is shown ([`show`]). Why a fixed length: an
//! entry is eight words, so that a worker stores it in shared memory without a lock, and a reader
//! sees by its number whether it is whole. Not here: the memory they lie in (`region/workers`), who
//! writes them to disk (`region/trace`).

#![forbid(unsafe_code)]

mod component;
mod entry;
pub mod file;
mod flags;
pub mod show;

pub use component::{COMPONENTS, Component};
pub use entry::{DATA_BYTES, ENTRY_WORDS, Entry, Made, Point, data_entries};
pub use flags::Flags;

/// Where the entries of a region are: a ring for each worker.
pub trait Rings: Send + Sync {
    /// What is traced.
    fn flags(&self) -> Flags;
    /// Says what is traced from now on.
    fn set_flags(&self, flags: Flags);
    /// How many rings there are.
    fn count(&self) -> usize;
    /// Entries that a ring keeps.
    fn length(&self) -> usize;
    /// Number of the newest entry of a ring; 0: it has none.
    fn newest(&self, ring: usize) -> u64;
    /// An entry; `None`: it was overwritten, or is being written.
    fn entry(&self, ring: usize, number: u64) -> Option<Entry>;
    /// Entries up to this one were taken by the auxiliary trace: they may be overwritten.
    fn taken(&self, ring: usize, number: u64);
}
