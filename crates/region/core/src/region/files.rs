//! File control: what needs a lock, a unit of work or the only writer.

use super::Inner;
use super::services::Replier;
use crate::requests::RegionAnswer;
use std::sync::Arc;
use transom_types::Resp;

/// State of the service.
#[derive(Default)]
pub(crate) struct Files {}

/// Answers a worker.
pub(super) fn answer(_inner: &Arc<Inner>, replier: Replier, _request: &[u8]) {
    replier.answer(&RegionAnswer::refused(Resp::SYSIDERR, 0, ""));
}

/// Answers a worker's journal request.
pub(super) fn answer_journal(_inner: &Arc<Inner>, replier: Replier, _request: &[u8]) {
    replier.answer(&RegionAnswer::refused(Resp::SYSIDERR, 0, ""));
}
