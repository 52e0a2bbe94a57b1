//! EXEC CICS LOAD and RELEASE: keep a program in storage and know its address.
//!
//! SET answers where the module lies, LENGTH and FLENGTH how long it is, ENTRY where its program
//! begins. Of a table, a program that is only data, SET and ENTRY answer the address of its first
//! record and LENGTH its length; it lies in storage that programs share, at one address for all
//! tasks, from the first LOAD to the end of the region. HOLD keeps the program loaded after the
//! task; modules stay loaded in a worker anyway, so HOLD only decides whether another task may
//! RELEASE it.
//! Conditions: LOAD: PGMIDERR 1, 2, 3; LENGERR 19 (LENGTH above 32,767). RELEASE: PGMIDERR 1;
//! INVREQ 5 (the running program), 7 (not loaded by this task).

use super::arguments::program_name;
use super::resolve::{find, resolve};
use super::state::Loaded;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_messages as messages;
use transom_types::Resp;
use transom_wire::Module;
use transom_wire::definitions::{TABLE_GROUP, address_in, keep_address};
use transom_workers::seam::{Address, Area};

/// LOAD.
pub(crate) fn load(cx: &mut Cx<'_>) -> Done {
    let program = program_name(cx);
    let module = resolve(cx.host, cx.region, program)?;
    let loaded = match cx.host.load(&module) {
        Ok(loaded) => loaded,
        Err(why) => {
            cx.host.log(messages::pg::not_loaded(program, &why).line());
            return raise(Resp::PGMIDERR, 3);
        }
    };
    let (start, entry, length) = match loaded.table {
        Some(table) => {
            let Some(at) = shared(cx, &module, table) else {
                cx.host
                    .log(messages::pg::not_loaded(program, "no shared storage").line());
                return raise(Resp::PGMIDERR, 3);
            };
            (at, at, table.bytes)
        }
        None => (loaded.load_point, loaded.entry, loaded.bytes),
    };
    match cx
        .task
        .loaded
        .iter_mut()
        .find(|loaded| loaded.program == program)
    {
        Some(loaded) => loaded.count += 1,
        None => cx.task.loaded.push(Loaded { program, count: 1 }),
    }
    cx.call.set_pointer(opt::SET, start);
    cx.call.set_pointer(opt::ENTRY, entry);
    cx.set_number(opt::FLENGTH, length as i64);
    if cx.has(opt::LENGTH) {
        if length > 32_767 {
            return raise(Resp::LENGERR, 19);
        }
        cx.set_number(opt::LENGTH, length as i64);
    }
    NORMAL
}

/// The table in storage that programs share. The first task that asks makes it; when two do at the
/// same time one wins and the other gives its storage back. A new version is another table.
fn shared(cx: &mut Cx<'_>, module: &Module, table: Area) -> Option<Address> {
    let name = module.path.rsplit('/').next().unwrap_or(&module.path);
    let name = [TABLE_GROUP, name.as_bytes()].concat();
    if let Some(address) = address_in(cx.host.shared(), &name) {
        return Some(address);
    }
    let mine = cx.host.getmain_shared(table.bytes, Some(0))?;
    let bytes = cx.host.memory(table.address, table.bytes).to_vec();
    cx.host
        .memory_mut(mine, table.bytes)
        .copy_from_slice(&bytes);
    let chosen = keep_address(cx.host.shared(), &name, mine);
    if chosen != mine {
        cx.host.freemain_shared(mine);
    }
    Some(chosen)
}

/// RELEASE.
pub(crate) fn release(cx: &mut Cx<'_>) -> Done {
    let program = program_name(cx);
    find(cx.host, cx.region, program)?;
    if cx.task.levels.iter().any(|level| level.program == program) {
        return raise(Resp::INVREQ, 5);
    }
    let Some(at) = cx
        .task
        .loaded
        .iter()
        .position(|loaded| loaded.program == program)
    else {
        return raise(Resp::INVREQ, 7);
    };
    cx.task.loaded[at].count -= 1;
    if cx.task.loaded[at].count == 0 {
        cx.task.loaded.remove(at);
    }
    NORMAL
}
