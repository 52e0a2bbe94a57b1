//! What a reader of records must know besides them.

use std::time::{SystemTime, UNIX_EPOCH};
use transom_messages::mn;
use transom_monitoring::stream::Item;

/// What a reader must know besides the records.
pub(crate) fn note(item: &Item) -> Option<String> {
    Some(match item {
        Item::Lost(records) => mn::lost(records).to_string(),
        Item::Damaged(bytes) => mn::damaged(bytes).to_string(),
        Item::Missing(frames) => mn::missing(frames).to_string(),
        Item::Begin(_) | Item::Task(_) | Item::Statistics(_) | Item::Excluded(_) => return None,
    })
}

pub(crate) fn now_ns() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| u64::try_from(since.as_nanos()).unwrap_or(0))
}
