//! A task as spans: itself, its first program, and what they asked for.
//!
//! Why these names: IBM's pages say that CICS makes a span of each task and not under which names
//! its attributes are; what OpenTelemetry has a convention for is named by it, the rest is `cics.`
//! and what the monitoring facility calls it. Not here: which trace a task belongs to (`join`),
//! spans of calls (`call`).

use crate::call;
use crate::documents::{Attribute, Span, SpanKind, TraceContext};
use crate::sampling::Ids;
use transom_monitoring::{FieldId, field};
use transom_region_monitoring::TaskSeen;

/// A task that has ended.
#[derive(Debug)]
pub(crate) struct Task {
    pub(crate) seen: TaskSeen,
}

/// A mirror of a LINK from outside, in byte 1 of TRANFLAG.
const DPL_MIRROR: u64 = 0x20 << 48;

/// Counts and times among the attributes of a task, where they are not zero.
const COUNTS: [(&str, FieldId); 9] = [
    ("cics.file.requests", field::FCTOTCT),
    ("cics.db2.requests", field::DB2REQCT),
    ("cics.syncpoints", field::SPSYNCCT),
    ("cics.program.links", field::PCLINKCT),
    ("cics.temporary_storage.requests", field::TSTOTCT),
    ("cics.transient_data.requests", field::TDTOTCT),
    ("cics.cpu.time_ns", field::USRCPUT),
    ("cics.suspend.time_ns", field::SUSPTIME),
    ("cics.dispatch.delay_ns", field::DSPDELAY),
];

impl Task {
    fn number_of(&self, id: FieldId) -> u32 {
        u32::try_from(self.seen.record.number(id)).unwrap_or(0)
    }

    fn text(&self, id: FieldId) -> String {
        let text = String::from_utf8_lossy(self.seen.record.text(id));
        text.trim_end().to_owned()
    }

    pub(crate) fn number(&self) -> u32 {
        self.number_of(field::TRANNUM)
    }

    /// A client linked to its program over TCP/IP, so there is a request.
    pub(crate) fn is_of_request(&self) -> bool {
        let linked = self.seen.record.number(field::TRANFLAG) & DPL_MIRROR != 0;
        linked && !self.seen.record.text(field::CLIPADDR).is_empty()
    }

    /// The task of this region that started it.
    pub(crate) fn started_by(&self) -> Option<u32> {
        let number = self.number_of(field::PHTRANNO);
        Some(number).filter(|number| *number != 0)
    }

    /// Its spans; the first is itself.
    pub(crate) fn spans(
        &self,
        context: TraceContext,
        parent: Option<u64>,
        ids: &mut Ids,
    ) -> Vec<Span> {
        let record = &self.seen.record;
        let (start, stop) = (record.number(field::START), record.number(field::STOP));
        let abend = self.text(field::ABCODEC);
        let error = (!abend.is_empty()).then(|| format!("abend {abend}"));
        let task = Span {
            context,
            parent,
            name: self.text(field::TRAN),
            kind: match parent {
                Some(_) => SpanKind::Internal,
                None => SpanKind::Server,
            },
            start_ns: start,
            end_ns: stop,
            attributes: self.attributes(),
            error: error.clone(),
        };
        let dispatched = start.saturating_add(record.number(field::DSPDELAY));
        let name = self.text(field::PGMNAME);
        let first = Span {
            context: TraceContext {
                span: ids.next(),
                ..context
            },
            parent: Some(context.span),
            kind: SpanKind::Internal,
            start_ns: dispatched,
            end_ns: stop,
            attributes: vec![("cics.program", name.as_str().into())],
            name,
            error,
        };
        let calls = call::spans(&self.seen.calls, (first.context, dispatched), ids);
        let mut all = vec![task, first];
        all.extend(calls);
        all
    }

    fn attributes(&self) -> Vec<Attribute> {
        let mut all: Vec<Attribute> = vec![("cics.task.number", u64::from(self.number()).into())];
        for (name, id) in [
            ("cics.transaction", field::TRAN),
            ("cics.program", field::PGMNAME),
            ("cics.terminal", field::TERM),
            ("cics.luname", field::LUNAME),
            ("cics.tranclass", field::TCLSNAME),
            ("cics.start_type", field::TTYPE),
            ("enduser.id", field::USERID),
            ("client.address", field::CLIPADDR),
            ("cics.abend.code", field::ABCODEC),
            ("cics.origin.transaction", field::OTRAN),
        ] {
            let value = self.text(id);
            if !value.is_empty() {
                all.push((name, value.as_str().into()));
            }
        }
        let counts = COUNTS.map(|(name, id)| (name, self.seen.record.number(id)));
        let lost = ("cics.calls.not_shown", u64::from(self.seen.calls_lost));
        let counts = counts.into_iter().chain([lost]);
        let counts = counts.filter(|(_, number)| *number > 0);
        all.extend(counts.map(|(name, number)| (name, number.into())));
        all
    }
}
