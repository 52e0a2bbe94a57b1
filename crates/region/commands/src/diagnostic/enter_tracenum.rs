//! EXEC CICS ENTER TRACENUM: a user trace entry.
//!
//! A task keeps its newest [`TRACE_ENTRIES_MAX`] entries; a transaction dump shows them.
//! Conditions: INVREQ 1 (TRACENUM not 0 to 199), 2 (nothing is traced anywhere), 3 (entries of
//! programs are switched off; neither with EXCEPTION), LENGERR 4 (FROM longer than 4,000 bytes).

use super::state::{TRACE_ENTRIES_MAX, TraceEntry};
use crate::command::{Cx, Done, NORMAL, area_in, length_of, raise};
use transom_commands::opt;
use transom_trace::{Component, Entry, Point, data_entries};
use transom_types::{Resp, TracedName};

/// Most bytes of one entry.
pub const TRACE_BYTES_MAX: usize = 4_000;

/// The command.
pub(crate) fn enter_tracenum(cx: &mut Cx<'_>) -> Done {
    let number = match cx.number(opt::TRACENUM).map(u16::try_from) {
        Some(Ok(number)) if number <= 199 => number,
        _ => return raise(Resp::INVREQ, 1),
    };
    let Some(length) = length_of(cx.call, opt::FROM, &[opt::FROMLENGTH], TRACE_BYTES_MAX) else {
        return raise(Resp::LENGERR, 4);
    };
    let resource = cx.name::<8>(opt::RESOURCE).unwrap_or([b' '; 8]);
    let exception = cx.has(opt::EXCEPTION);
    let flags = cx.host.trace_flags();
    if !(exception || flags.internal() || flags.auxiliary()) {
        return raise(Resp::INVREQ, 2);
    }
    if !(exception || flags.user()) {
        return raise(Resp::INVREQ, 3);
    }
    let entry = TraceEntry {
        number,
        program: cx.task.program(),
        resource: TracedName::from_field(&resource),
        exception,
        data: area_in(cx.host, cx.call, opt::FROM, length).to_vec(),
    };
    traced(cx, &entry);
    let trace = &mut cx.task.trace;
    if trace.len() >= TRACE_ENTRIES_MAX {
        trace.pop_front();
    }
    trace.push_back(entry);
    NORMAL
}

/// The same in the trace of the region; the data follow in entries of their own.
fn traced(cx: &mut Cx<'_>, entry: &TraceEntry) {
    let point = match entry.exception {
        true => Point::UserException,
        false => Point::User,
    };
    let line = cx.call.line();
    cx.host.trace(&Entry {
        program: *entry.program.as_bytes(),
        line,
        resource: *entry.resource.as_bytes(),
        resp: entry.number,
        resp2: entry.data.len() as u32,
        ..Entry::new(Component::AP, point)
    });
    data_entries(&entry.data).for_each(|data| cx.host.trace(&data));
}
