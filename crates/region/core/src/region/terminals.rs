//! Terminals: sessions, input, output, pseudo-conversations.

use super::Inner;
use super::services::Replier;
use crate::requests::RegionAnswer;
use std::sync::Arc;
use transom_types::Resp;

/// State of the service.
#[derive(Default)]
pub(crate) struct Terminals {}

/// Answers a worker.
pub(super) fn answer(_inner: &Arc<Inner>, replier: Replier, _request: &[u8]) {
    replier.answer(&RegionAnswer::refused(Resp::SYSIDERR, 0, ""));
}
