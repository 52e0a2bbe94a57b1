//! Calls of a task as spans.
//!
//! What: a command is named by its own name and, for files, programs and the like, the resource's.
//! Why not by a temporary storage queue: programs make up names for those, one for each user. Not
//! here: which calls there are (`region/task`).

use crate::documents::{Attribute, Span, SpanKind, TraceContext};
use crate::sampling::Ids;
use transom_commands::CommandId;
use transom_region_monitoring::{Called, Doing};
use transom_types::Resp;

/// First byte of EIBFN, the attribute that EIBRSRCE becomes, whether the resource is among names.
const RESOURCES: [(u8, &str, bool); 6] = [
    (0x06, "cics.file", true),
    (0x08, "cics.transient_data.queue", true),
    (0x0A, "cics.temporary_storage.queue", false),
    (0x0E, "cics.program", true),
    (0x10, "cics.transaction", true),
    (0x14, "cics.journal", true),
];

/// Spans of calls in a program that was dispatched then.
pub(crate) fn spans(
    calls: &[Called],
    (program, dispatched_ns): (TraceContext, u64),
    ids: &mut Ids,
) -> Vec<Span> {
    let names: Vec<u64> = calls.iter().map(|_| ids.next()).collect();
    let spans = calls.iter().zip(&names).map(|(called, span)| {
        let above = usize::from(called.below).checked_sub(1);
        let above = above.and_then(|place| names.get(place)).copied();
        let start_ns = dispatched_ns.saturating_add(called.at_ns);
        let (name, attributes) = shown(called);
        Span {
            context: TraceContext {
                span: *span,
                ..program
            },
            parent: Some(above.unwrap_or(program.span)),
            name,
            kind: match called.doing {
                Doing::Sql => SpanKind::Client,
                _ => SpanKind::Internal,
            },
            start_ns,
            end_ns: start_ns.saturating_add(called.took_ns),
            attributes,
            error: None,
        }
    });
    spans.collect()
}

fn shown(called: &Called) -> (String, Vec<Attribute>) {
    let resource = called.resource.map(|byte| match byte {
        b' '..=b'~' => char::from(byte),
        0 => ' ',
        _ => '.',
    });
    let resource: String = resource.iter().collect();
    let resource = resource.trim_end();
    let resp = Resp(u16::try_from(called.code).unwrap_or(u16::MAX)).to_string();
    let resp: Attribute = ("cics.resp", resp.as_str().into());
    match called.doing {
        Doing::Command { id } => command(id, resource, resp),
        Doing::Sql => {
            let code = called.code.to_string();
            let attributes = vec![
                ("db.system.name", "ibm.db2".into()),
                ("db.operation.name", resource.into()),
                ("db.response.status_code", code.as_str().into()),
            ];
            (resource.to_owned(), attributes)
        }
        Doing::Commit => ("commit".to_owned(), vec![resp]),
        Doing::Backout => ("backout".to_owned(), vec![resp]),
    }
}

fn command(id: u16, resource: &str, resp: Attribute) -> (String, Vec<Attribute>) {
    let Some(command) = transom_commands::command(CommandId(id)) else {
        return (format!("command {id}"), vec![resp]);
    };
    let mut attributes = vec![("cics.command", command.name.into()), resp];
    let group = command.fn_code_with(|_| false).unwrap_or_default()[0];
    let kind = RESOURCES.iter().find(|(of, ..)| *of == group);
    let Some((_, attribute, named)) = kind.filter(|_| !resource.is_empty()) else {
        return (command.name.to_owned(), attributes);
    };
    attributes.push((attribute, resource.into()));
    let name = match named {
        true => format!("{} {resource}", command.name),
        false => command.name.to_owned(),
    };
    (name, attributes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_commands::cmd;

    fn called(doing: Doing, resource: &[u8; 8], code: i32, below: u16) -> Called {
        Called {
            doing,
            resource: *resource,
            code,
            at_ns: 10,
            took_ns: 5,
            below,
        }
    }

    #[test]
    fn calls_are_named_and_below_the_link_they_were_made_in() {
        let of = |id: CommandId| Doing::Command { id: id.0 };
        let calls = [
            called(of(cmd::LINK), b"PAYSUB  ", 0, 0),
            called(of(cmd::READ), b"ACCOUNT ", 13, 1),
            called(Doing::Sql, b"SELECT  ", 100, 1),
            called(of(cmd::WRITEQ_TS), b"T\x01\xff001  ", 0, 0),
            called(Doing::Commit, b"        ", 0, 0),
        ];
        let program = TraceContext {
            trace: 1,
            span: 2,
            sampled: true,
        };
        let spans = spans(&calls, (program, 100), &mut Ids::new());
        let names: Vec<_> = spans.iter().map(|span| span.name.as_str()).collect();
        let wanted = [
            "LINK PAYSUB",
            "READ ACCOUNT",
            "SELECT",
            "WRITEQ TS",
            "commit",
        ];
        assert_eq!(names, wanted);
        assert_eq!(spans[0].parent, Some(2));
        assert_eq!(spans[1].parent, Some(spans[0].context.span));
        assert_eq!((spans[1].start_ns, spans[1].end_ns), (110, 115));
        let has = |span: usize, name, value: &str| {
            let wanted = (name, value.into());
            assert!(spans[span].attributes.contains(&wanted), "{spans:?}");
        };
        has(1, "cics.file", "ACCOUNT");
        has(1, "cics.resp", "NOTFND");
        has(2, "db.response.status_code", "100");
        has(3, "cics.temporary_storage.queue", "T..001");
    }
}
