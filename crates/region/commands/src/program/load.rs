//! EXEC CICS LOAD and RELEASE: keep a program in storage and know its address.
//!
//! LENGTH and FLENGTH answer the module's length, SET and ENTRY its entry address. HOLD keeps the
//! program loaded after the task; modules stay loaded in a worker anyway, so HOLD only decides
//! whether another task may RELEASE it.
//! Conditions: LOAD: PGMIDERR 1, 2, 3; LENGERR 19 (LENGTH above 32,767). RELEASE: PGMIDERR 1;
//! INVREQ 5 (the running program), 7 (not loaded by this task).

use super::arguments::program_name;
use super::resolve::{find, resolve};
use super::state::Loaded;
use crate::command::{Cx, Done, NORMAL, raise};
use transom_commands::opt;
use transom_messages as messages;
use transom_types::Resp;

/// LOAD.
pub(crate) fn load(cx: &mut Cx<'_>) -> Done {
    let program = program_name(cx);
    let module = resolve(cx.host, cx.region, program)?;
    let (entry, length) = match cx.host.load(&module) {
        Ok(loaded) => loaded,
        Err(why) => {
            cx.host.log(messages::pg::not_loaded(program, &why).line());
            return raise(Resp::PGMIDERR, 3);
        }
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
    cx.call.set_pointer(opt::SET, entry);
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
