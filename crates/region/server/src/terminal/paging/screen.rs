//! The message on a screen: its first page, the page again, its end.
//!
//! Not here: what a user does with it (`session`).

use super::super::record::Terminal;
use super::state::{Message, Retained, Shown};
use transom_wire::inbound::InboundRecord;

/// Shows the first page of a message.
pub(super) fn begin(terminal: &mut Terminal, message: Message, retained: Option<Retained>) {
    terminal.paging.shown = Some(Shown {
        message,
        at: 0,
        retained,
    });
    redisplay(terminal);
}

/// Shows the page again.
pub(super) fn redisplay(terminal: &mut Terminal) {
    let shown = terminal.paging.shown.as_ref();
    let page = shown.and_then(|shown| shown.message.pages.records.get(shown.at).cloned());
    terminal.write_and_unlock(page.into_iter().collect());
}

/// The message on the screen is over. A task that waited for that goes on with this input;
/// without one the input comes back.
pub(super) fn end(terminal: &mut Terminal, record: Option<InboundRecord>) -> Option<InboundRecord> {
    let shown = terminal.paging.shown.take();
    match shown.and_then(|shown| shown.retained) {
        Some(task) => task.send(record).err().flatten(),
        None => record,
    }
}
