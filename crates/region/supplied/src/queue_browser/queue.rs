//! The queue that CEBR shows, and what is read of it.

use crate::call::InternalCall;
use crate::latin::latin;
use crate::session::Session;
use transom_commands::{cmd, opt};
use transom_wire::language;

/// Characters of a name.
const QUEUE_CHARS: usize = 16;
/// Longest item that is shown.
pub(super) const ITEM_BYTES_MAX: usize = 32_763;

language! {
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub(super) struct View {
        pub queue: String,
        /// Another system's queue; empty: this one's.
        pub system: String,
        /// Current item, from 1; the screen begins with the one before it.
        pub line: usize,
        /// First column, from 1.
        pub column: usize,
        pub hex: bool,
        pub find: String,
    }
}

impl View {
    /// Another queue, from its begin.
    pub(super) fn open(&mut self, queue: String) -> String {
        self.queue = queue;
        (self.line, self.column) = (1, 1);
        String::new()
    }
}

/// A command about the queue.
pub(super) fn of(call: InternalCall, view: &View) -> InternalCall {
    let call = call.text(opt::QNAME, latin(&view.queue));
    match view.system.is_empty() {
        true => call,
        false => call.text(opt::SYSID, &view.system),
    }
}

/// Bytes of the longest item, as far as this system knows it.
pub(super) fn longest(session: &mut Session<'_>, view: &View) -> usize {
    let mut name = latin(&view.queue);
    name.resize(QUEUE_CHARS, b' ');
    let mut call = InternalCall::new(cmd::INQUIRE_TSQNAME)
        .text(opt::TSQNAME, name)
        .out(opt::MAXITEMLEN);
    if !view.system.is_empty() {
        call = call.text(opt::SYSID, &view.system);
    }
    let call = session.ran(call);
    let told = usize::try_from(call.got_number(opt::MAXITEMLEN)).unwrap_or(0);
    match call.is_normal() {
        true => told,
        false => ITEM_BYTES_MAX,
    }
}

/// Number of items and one of them.
pub(super) fn read(
    session: &mut Session<'_>,
    view: &View,
    item: usize,
) -> (usize, Option<Vec<u8>>) {
    let call = InternalCall::new(cmd::READQ_TS)
        .number(opt::ITEM, i64::try_from(item).unwrap_or(0))
        .out_bytes(opt::INTO, ITEM_BYTES_MAX)
        .number(opt::LENGTH, ITEM_BYTES_MAX as i64)
        .out(opt::NUMITEMS);
    let call = session.ran(of(call, view));
    let items = usize::try_from(call.got_number(opt::NUMITEMS)).unwrap_or(0);
    if !call.is_normal() {
        return (items, None);
    }
    let length = usize::try_from(call.got_number(opt::LENGTH)).unwrap_or(0);
    let into = call.arguments().iter().find(|a| a.option == opt::INTO);
    (
        items,
        into.and_then(|a| a.storage.get(..length))
            .map(<[u8]>::to_vec),
    )
}
