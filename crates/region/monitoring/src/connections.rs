//! Statistics records of what connects a region with others, and with Db2.
//!
//! Definitions are in shared memory; what is counted of them is told by the service that knows. Not
//! here: those services (`region/links`, `region/sql`).

use crate::resources::named;
use transom_monitoring::statistics::{self as table, Counted, Value};
use transom_types::{Applid, SysId};
use transom_wire::definitions::{ConnectionEntry, Db2ThreadEntry, Installed as _, IpConnEntry};
use transom_wire::{Shared, Space};

/// DB2ENTRY: those installed, or the one with this name; `counted` tells how many threads it has,
/// the most it had, and how many tasks found none.
pub fn db2_entries(
    shared: &dyn Shared,
    of: Option<&[u8]>,
    counted: &dyn Fn([u8; 8]) -> [u64; 3],
) -> Vec<Counted> {
    let names = named(shared, Space::Db2Entry, of);
    let entries = names
        .iter()
        .filter_map(|name| Db2ThreadEntry::named(shared, name));
    entries
        .map(|entry| {
            let [now, peak, passed] = counted(entry.name);
            let values = vec![
                text(&entry.name),
                text(entry.plan.as_bytes()),
                text(entry.plan_exit.as_bytes()),
                text(entry.authid.as_bytes()),
                Value::Number(passed),
                Value::Number(entry.thread_limit.into()),
                Value::Number(now),
                Value::Number(peak),
            ];
            Counted::new(&table::DB2_ENTRY, values)
        })
        .collect()
}

/// CONNECTION: those installed, or the one with this name, with figures of its link.
pub fn connections(
    shared: &dyn Shared,
    of: Option<&[u8]>,
    figure: &dyn Fn(SysId, &str) -> u64,
) -> Vec<Counted> {
    let names = named(shared, Space::Connection, of);
    let entries = names
        .iter()
        .filter_map(|name| ConnectionEntry::named(shared, name));
    entries
        .map(|entry| {
            let counts = ["sessions_wanted", "waiting", "no_link", "all_in_use"];
            let counts = counts.map(|name| Value::Number(figure(entry.name, name)));
            let mut values = vec![text(entry.name.as_bytes()), applid(entry.applid())];
            values.extend(counts);
            Counted::new(&table::CONNECTION, values)
        })
        .collect()
}

/// The same of IPCONN.
pub fn ip_connections(
    shared: &dyn Shared,
    of: Option<&[u8]>,
    figure: &dyn Fn(SysId, &str) -> u64,
) -> Vec<Counted> {
    let names = named(shared, Space::IpConn, of);
    let entries = names
        .iter()
        .filter_map(|name| IpConnEntry::named(shared, name));
    entries
        .map(|entry| {
            let figure = |name| Value::Number(figure(entry.system(), name));
            let values = vec![
                text(&entry.name),
                applid(entry.applid()),
                text(&entry.network),
                text(entry.host.as_bytes()),
                Value::Number(entry.port.into()),
                text(&entry.service),
                Value::Number(entry.send_count.into()),
                figure("sessions"),
                Value::Number(entry.receive_count.into()),
                figure("sessions_wanted"),
                figure("waiting"),
                figure("no_link"),
                figure("all_in_use"),
            ];
            Counted::new(&table::IP_CONNECTION, values)
        })
        .collect()
}

fn text(bytes: &[u8]) -> Value {
    Value::Text(bytes.to_vec())
}

fn applid(applid: Applid) -> Value {
    text(applid.as_bytes())
}
