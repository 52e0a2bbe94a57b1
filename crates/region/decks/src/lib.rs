//! The decks of a running region: what CEDA reads, and the one it writes.
//!
//! What: [`Decks`] has the definitions of all decks, read again when one changed; [`change`] tries
//! a statement on them and adds it to the region's own deck, unless another user has locked what it
//! is about; [`operate`] does the same for a program, with conditions, and [`Session`] for many
//! commands. Begin at [`Decks::read`]. Not here: the syntax (`formats/csd`), the decks of a start
//! (`region/system`), installing (`region/server`).

#![forbid(unsafe_code)]

mod change;
mod kept;
mod locks;
mod session;

pub use change::{change, operate};
pub use kept::{Decks, KEPT, watch};
pub use session::Session;

use std::path::PathBuf;

/// Decks of a region.
#[derive(Debug, Clone, Default)]
pub struct CsdConfig {
    /// Decks in the order in which they count.
    pub decks: Vec<PathBuf>,
    /// The deck that CEDA writes; `None`: definitions cannot be changed. It counts after the
    /// others.
    pub local: Option<PathBuf>,
}
