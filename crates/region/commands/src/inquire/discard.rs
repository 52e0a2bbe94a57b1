//! EXEC CICS DISCARD of PROGRAM, TRANSACTION, FILE, PROFILE, TSMODEL and TDQUEUE: the installed
//! definition goes.
//!
//! Decks keep theirs: a restart installs it again. Conditions: PGMIDERR 7, TRANSIDERR 1,
//! FILENOTFOUND 18, PROFILEIDERR 1, NOTFND 1, QIDERR 1 (no such resource); INVREQ 1 (a program
//! whose name begins with DFH), 11 (a program in use by this task), 4 (a transaction of the region
//! itself: a name with C and a program with DFH; a profile whose name begins with DFH), 2 (a file
//! that is open or enabled), 3 (a queue that is enabled; a profile that a transaction names).

use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_types::{ProgramName, Resp, TransId};
use transom_wire::definitions::{
    Enablement, FileEntry, ProgramEntry, TdQueueEntry, TransactionEntry, TsModelEntry, discard,
};
use transom_wire::{Shared, Space};

/// Resources of the region itself: without them its own transactions, the mirrors among them, do
/// not run any more.
fn is_of_region(name: &[u8]) -> bool {
    name.starts_with(b"DFH")
}

/// DISCARD PROGRAM.
pub(crate) fn program(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<8>(opt::PROGRAM).unwrap_or([b' '; 8]);
    cx.resource(&name);
    let program = ProgramName::from_field(&name);
    if ProgramEntry::find(cx.host.shared(), program).is_none() {
        return raise(Resp::PGMIDERR, 7);
    }
    if is_of_region(&name) {
        return raise(Resp::INVREQ, 1);
    }
    if cx.task.levels.iter().any(|level| level.program == program) {
        return raise(Resp::INVREQ, 11);
    }
    discard(cx.host.shared(), Space::Program, &name);
    NORMAL
}

/// DISCARD TRANSACTION.
pub(crate) fn transaction(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<4>(opt::TRANSACTION).unwrap_or([b' '; 4]);
    cx.resource(&name);
    let transaction = TransactionEntry::find(cx.host.shared(), TransId::from_field(&name));
    let Some(transaction) = transaction else {
        return raise(Resp::TRANSIDERR, 1);
    };
    if name[0] == b'C' && is_of_region(transaction.program.as_bytes()) {
        return raise(Resp::INVREQ, 4);
    }
    discard(cx.host.shared(), Space::Transaction, &name);
    NORMAL
}

/// DISCARD FILE.
pub(crate) fn file(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<8>(opt::FILE).unwrap_or([b' '; 8]);
    cx.resource(&name);
    let Some(entry) = FileEntry::find(cx.host.shared(), ProgramName::from_field(&name)) else {
        return raise(Resp::FILENOTFOUND, 18);
    };
    if entry.shape.is_some() || entry.status == Enablement::Enabled {
        return raise(Resp::INVREQ, 2);
    }
    discard(cx.host.shared(), Space::File, &name);
    NORMAL
}

/// DISCARD PROFILE.
pub(crate) fn profile(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<8>(opt::PROFILE).unwrap_or([b' '; 8]);
    cx.resource(&name);
    let known = cx.host.shared().group_names(Space::Profile);
    if !known.contains(&name.to_vec()) {
        return raise(Resp::PROFILEIDERR, 1);
    }
    if is_of_region(&name) {
        return raise(Resp::INVREQ, 4);
    }
    if names_profile(cx.host.shared(), &name) {
        return raise(Resp::INVREQ, 3);
    }
    discard(cx.host.shared(), Space::Profile, &name);
    NORMAL
}

/// A transaction runs under the profile.
fn names_profile(shared: &dyn Shared, profile: &[u8]) -> bool {
    let mut names = shared.group_names(Space::Transaction).into_iter();
    names.any(|name| {
        let entry = TransactionEntry::find(shared, TransId::from_field(&name));
        entry.is_some_and(|entry| entry.profile.as_bytes() == profile)
    })
}

/// DISCARD TSMODEL.
pub(crate) fn ts_model(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<8>(opt::TSMODEL).unwrap_or([b' '; 8]);
    cx.resource(&name);
    match TsModelEntry::discard(cx.host.shared(), &name) {
        true => NORMAL,
        false => raise(Resp::NOTFND, 1),
    }
}

/// DISCARD TDQUEUE.
pub(crate) fn td_queue(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<4>(opt::TDQUEUE).unwrap_or([b' '; 4]);
    cx.resource(&name);
    let Some(entry) = TdQueueEntry::find(cx.host.shared(), name) else {
        return raise(Resp::QIDERR, 1);
    };
    if entry.enabled {
        return raise(Resp::INVREQ, 3);
    }
    discard(cx.host.shared(), Space::TransientData, &name);
    NORMAL
}
