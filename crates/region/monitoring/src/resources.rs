//! Statistics records of what is counted in shared memory.
//!
//! What: transactions, programs, files, temporary storage and enqueues, as they were counted since
//! the region started. Why here: workers count them by themselves, and no service knows more. Not
//! here: records of services (the server), what counts since a reset ([`Recording`]).
//!
//! [`Recording`]: crate::Recording

use transom_monitoring::statistics::{self as table, Counted, Layout, Value};
use transom_region_api::StatisticsGroup;
use transom_types::{FileName, TransId};
use transom_wire::asked::{Asked, Enq};
use transom_wire::definitions::{
    Db2Connection, FileEntry, FileUse, Installed as _, TransactionEntry, use_count,
};
use transom_wire::task::{ENQ_ADDRESS, Lock};
use transom_wire::{Shared, Space};

/// The records of a layout: of all resources there are, or of the one with this name, padded or
/// not. None of a layout that is not known here.
pub fn counted(shared: &dyn Shared, layout: &'static Layout, of: Option<&[u8]>) -> Vec<Counted> {
    let each = |space, counted: &dyn Fn(&[u8]) -> Option<Counted>| {
        let names = named(shared, space, of);
        names.iter().filter_map(|name| counted(name)).collect()
    };
    match layout.name {
        "DFHXMRDS" => each(Space::Transaction, &|name| transaction(shared, name)),
        "DFHLDRDS" => each(Space::Program, &|name| Some(program(shared, name))),
        "DFHA17DS" => each(Space::File, &|name| file(shared, name)),
        "DFHTSGDS" => vec![temporary_storage(shared)],
        "DFHNQGDS" => vec![enqueue(shared)],
        _ => Vec::new(),
    }
}

/// The records of a layout that figures of services are in; none of any other.
pub fn of_services(
    shared: &dyn Shared,
    layout: &'static Layout,
    groups: &[StatisticsGroup],
) -> Vec<Counted> {
    let figure = |group: &str, name: &str| {
        let group = groups.iter().find(|one| one.name == group);
        let value = group.and_then(|group| group.values.iter().find(|value| value.name == name));
        Value::Number(value.map_or(0, |value| value.value))
    };
    let values = match layout.name {
        "DFHRMGDS" => ["committed", "backed_out"]
            .map(|name| figure("units of work", name))
            .to_vec(),
        "DFHD2GDS" => {
            let Some(connection) = Db2Connection::only(shared) else {
                return Vec::new();
            };
            let threads = |name| figure("threads of DB2CONN and DB2ENTRY", name);
            vec![
                Value::Number(connection.tcb_limit.into()),
                threads("now"),
                threads("peak"),
                threads("waiting"),
                Value::Number(connection.thread_limit.into()),
                Value::Text(connection.name.to_vec()),
            ]
        }
        _ => return Vec::new(),
    };
    vec![Counted::new(layout, values)]
}

/// Names of a space in order: all, or the one that is this, padded or not.
pub fn named(shared: &dyn Shared, space: Space, of: Option<&[u8]>) -> Vec<Vec<u8>> {
    let mut names = shared.group_names(space);
    names.retain(|name| of.is_none_or(|of| of.trim_ascii_end() == name.trim_ascii_end()));
    names.sort();
    names
}

fn transaction(shared: &dyn Shared, name: &[u8]) -> Option<Counted> {
    let entry = TransactionEntry::find(shared, TransId::from_field(name))?;
    let values = vec![
        Value::Text(name.to_vec()),
        Value::Text(entry.program.as_bytes().to_vec()),
        Value::Text(entry.class.as_bytes().to_vec()),
        Value::Number(entry.priority.into()),
        Value::Number(use_count(shared, Space::Transaction, name)),
    ];
    Some(Counted::new(&table::TRANSACTION, values))
}

fn program(shared: &dyn Shared, name: &[u8]) -> Counted {
    let used = use_count(shared, Space::Program, name);
    let values = vec![Value::Text(name.to_vec()), Value::Number(used)];
    Counted::new(&table::PROGRAM, values)
}

fn file(shared: &dyn Shared, name: &[u8]) -> Option<Counted> {
    let file = FileName::from_field(name);
    let entry = FileEntry::find(shared, file)?;
    let counts = FileEntry::counts(shared, file);
    let uses = [
        FileUse::Read,
        FileUse::ReadUpdate,
        FileUse::Browse,
        FileUse::Add,
        FileUse::Update,
        FileUse::Delete,
    ];
    let mut values = vec![
        Value::Text(name.to_vec()),
        Value::Text(entry.dsname.into_bytes()),
    ];
    let of = |used: FileUse| counts.get(used as usize).copied().unwrap_or(0);
    values.extend(uses.into_iter().map(|used| Value::Number(of(used))));
    Some(Counted::new(&table::FILE, values))
}

fn temporary_storage(shared: &dyn Shared) -> Counted {
    let asked = [
        Asked::TsPutMain,
        Asked::TsGetMain,
        Asked::TsPutAux,
        Asked::TsGetAux,
        Asked::TsMade,
    ];
    let values = asked.map(|asked| Value::Number(asked.so_far(shared)));
    Counted::new(&table::TEMPORARY_STORAGE, values.to_vec())
}

fn enqueue(shared: &dyn Shared) -> Counted {
    let mut waiting = [0; 2];
    for name in shared.group_names(Space::Enqueue) {
        shared.with_group(Space::Enqueue, &name, &mut |group| {
            let kind = usize::from(name.first() == Some(&ENQ_ADDRESS));
            waiting[kind] += Lock::read(group).waiters.len() as u64;
        });
    }
    let mut values = vec![Value::Number(waiting.len() as u64)];
    values.extend(pool(shared, b"EXECSTRN", Asked::EnqText, waiting[0]));
    values.extend(pool(shared, b"EXECADDR", Asked::EnqAddress, waiting[1]));
    Counted::new(&table::ENQUEUE, values)
}

fn pool(shared: &dyn Shared, name: &[u8], asked: fn(Enq) -> Asked, waiting: u64) -> [Value; 7] {
    let so_far = |what| Value::Number(asked(what).so_far(shared));
    [
        Value::Text(name.to_vec()),
        so_far(Enq::Issued),
        so_far(Enq::Waited),
        Value::Number(waiting),
        so_far(Enq::Busy),
        so_far(Enq::Purged),
        so_far(Enq::TimedOut),
    ]
}
