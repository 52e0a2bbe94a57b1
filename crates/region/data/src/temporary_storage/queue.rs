//! The queue of a command: its name, and where it lies.

use super::spill;
use transom_commands::opt;
use transom_region_task::command::{Cx, Fail, Remote, raise};
use transom_types::{Resp, TsQueueName};
use transom_wire::definitions::TsModelEntry;
use transom_wire::temporary_storage::{HOUR_MS, Header, delete_if};

/// Where a queue lies.
pub(super) struct Place {
    /// In the store: recoverable.
    pub stored: bool,
    /// LOCATION(MAIN) of its model; without a model what the first write says.
    pub main: Option<bool>,
}

/// The queue's 16-byte name, of any bytes: INVREQ when it is all low values or blanks, SYSIDERR for
/// a queue of another region.
pub(super) fn queue(cx: &mut Cx<'_>) -> Result<TsQueueName, Fail> {
    let option = if cx.has(opt::QNAME) {
        opt::QNAME
    } else {
        opt::QUEUE
    };
    let name = cx.raw_name::<16>(option).unwrap_or([b' '; 16]);
    cx.resource(&name);
    // Of QUEUE eight bytes are given, the rest is blank.
    if name.iter().all(|byte| [0, b' '].contains(byte)) {
        return raise(Resp::INVREQ, 0);
    }
    if let Some(system) = cx.remote(opt::SYSID) {
        return Err(Remote::by_sysid(system, 1));
    }
    Ok(TsQueueName::new(name))
}

/// Where the queue lies; deletes it first when its time is over. SYSIDERR: in another region.
pub(super) fn place(cx: &mut Cx<'_>, name: &TsQueueName) -> Result<Place, Fail> {
    let Some(model) = TsModelEntry::of(cx.host.shared(), *name) else {
        return Ok(Place {
            stored: false,
            main: None,
        });
    };
    if !model.remote_system.is_blank() {
        let option = match cx.has(opt::QNAME) {
            true => opt::QNAME,
            false => opt::QUEUE,
        };
        let there = Some((option, model.remote_name(*name)));
        return Err(Remote::of(model.remote_system, there, 1, None));
    }
    let stored = model.recovery && !model.main;
    if model.expiry_hours > 0 && !stored {
        let unused_since = cx.host.abstime_ms() - i64::from(model.expiry_hours) * HOUR_MS;
        let is_over = |header: &Header| header.used < unused_since;
        let (_, tokens) = delete_if(cx.host.shared(), name.as_bytes(), &is_over);
        spill::free(cx, name, &tokens)?;
    }
    Ok(Place {
        stored,
        main: Some(model.main),
    })
}
