//! EXEC CICS DISCARD of PROGRAM, TRANSACTION, TRANCLASS, FILE, PROFILE, TSMODEL and TDQUEUE: the
//! installed definition goes.
//!
//! Decks keep theirs: a cold start installs it again. Conditions: PGMIDERR 7, TRANSIDERR 1,
//! FILENOTFOUND 18, PROFILEIDERR 1, NOTFND 1, QIDERR 1, TCIDERR 1 (no such resource); INVREQ 1 (a
//! program whose name begins with DFH), 11 (a program in use by this task), 4 (a transaction of the
//! region itself: a name with C and a program with DFH; a profile whose name begins with DFH), 2 (a
//! file that is open or enabled, a class with tasks), 3 (a queue that is enabled; a profile that a
//! transaction names), 12 (a class that a transaction names).

use super::kind::{self, Verb, take_off};
use crate::command::{Cx, Done, raise};
use transom_commands::opt;
use transom_types::{Resp, TransClass, TransId};
use transom_wire::definitions::{
    Enablement, FileEntry, ProfileEntry, ProgramEntry, TdQueueEntry, TransactionEntry, TsModelEntry,
};
use transom_wire::system::Request;
use transom_wire::{Shared, Space};

/// Resources of the region itself: without them its own transactions, the mirrors among them, do
/// not run any more.
fn is_of_region(name: &[u8]) -> bool {
    name.starts_with(b"DFH")
}

/// DISCARD PROGRAM.
pub(crate) fn program(cx: &mut Cx<'_>) -> Done {
    let (name, entry) = kind::named::<ProgramEntry>(cx, Verb::Discard)?;
    if is_of_region(&name) {
        return raise(Resp::INVREQ, 1);
    }
    let mut levels = cx.task.levels.iter();
    if levels.any(|level| level.program == entry.program) {
        return raise(Resp::INVREQ, 11);
    }
    take_off(cx, "PROGRAM", &name)
}

/// DISCARD TRANSACTION.
pub(crate) fn transaction(cx: &mut Cx<'_>) -> Done {
    let (name, entry) = kind::named::<TransactionEntry>(cx, Verb::Discard)?;
    if name[0] == b'C' && is_of_region(entry.program.as_bytes()) {
        return raise(Resp::INVREQ, 4);
    }
    take_off(cx, "TRANSACTION", &name)
}

/// DISCARD TRANCLASS. The region process knows the class and its tasks.
pub(crate) fn tran_class(cx: &mut Cx<'_>) -> Done {
    let name = cx.name::<8>(opt::TRANCLASS).unwrap_or([b' '; 8]);
    cx.resource(&name);
    cx.ask(&Request::DiscardClass(TransClass::from_field(&name)))?;
    take_off(cx, "TRANCLASS", &name)
}

/// DISCARD FILE.
pub(crate) fn file(cx: &mut Cx<'_>) -> Done {
    let (name, entry) = kind::named::<FileEntry>(cx, Verb::Discard)?;
    if entry.shape.is_some() || entry.status == Enablement::Enabled {
        return raise(Resp::INVREQ, 2);
    }
    take_off(cx, "FILE", &name)
}

/// DISCARD PROFILE.
pub(crate) fn profile(cx: &mut Cx<'_>) -> Done {
    let (name, _) = kind::named::<ProfileEntry>(cx, Verb::Discard)?;
    if is_of_region(&name) {
        return raise(Resp::INVREQ, 4);
    }
    if names_profile(cx.host.shared(), &name) {
        return raise(Resp::INVREQ, 3);
    }
    take_off(cx, "PROFILE", &name)
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
    let models = TsModelEntry::all(cx.host.shared());
    match models.iter().any(|model| model.name == name) {
        true => take_off(cx, "TSMODEL", &name),
        false => raise(Resp::NOTFND, 1),
    }
}

/// DISCARD TDQUEUE.
pub(crate) fn td_queue(cx: &mut Cx<'_>) -> Done {
    let (name, entry) = kind::named::<TdQueueEntry>(cx, Verb::Discard)?;
    if entry.enabled {
        return raise(Resp::INVREQ, 3);
    }
    take_off(cx, "TDQUEUE", &name)
}
