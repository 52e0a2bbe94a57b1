//! EXEC CICS QUERY CHANNEL: how many containers a channel has.
//!
//! Conditions: INVREQ 4 (no current channel), CHANNELERR 1, 2.

use super::named::existing_channel;
use crate::command::{Cx, Done, NORMAL};
use transom_commands::opt;

/// The command.
pub(crate) fn query_channel(cx: &mut Cx<'_>) -> Done {
    let id = existing_channel(cx, opt::CHANNEL)?;
    let count = cx
        .task
        .channels
        .get(id)
        .map_or(0, |channel| channel.containers.len());
    cx.set_number(opt::CONTAINERCNT, count as i64);
    NORMAL
}
