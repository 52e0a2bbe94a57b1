//! User journals.

use crate::region::Inner;
use crate::region::services::Replier;
use crate::requests::RegionAnswer;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use transom_types::Resp;

/// The journals of the region.
#[derive(Default)]
pub(super) struct Journals {
    folder: OnceLock<Option<PathBuf>>,
}

impl Journals {
    /// Where journals lie; none: there are no journals.
    pub(super) fn start(&self, folder: Option<PathBuf>) {
        let _first = self.folder.set(folder);
    }
}

/// Answers a worker.
pub(in crate::region) fn answer(_inner: &Arc<Inner>, replier: Replier, _request: &[u8]) {
    replier.answer(&RegionAnswer::refused(Resp::SYSIDERR, 0, ""));
}
