//! Program control: finding programs and moving between program levels.
//!
//! Not here: loading modules and jumping between programs (`transom_workers`), installing
//! definitions (region side, `definitions`).

pub(crate) mod link;
pub(crate) mod load;
pub(crate) mod return_command;
pub(crate) mod state;
pub(crate) mod xctl;

use crate::command::{Cx, Fail, RegionView, ask_region, raise};
use crate::task_state::TaskState;
use transom_commands::opt;
use transom_messages as messages;
use transom_types::{ProgramName, Resp};
use transom_wire::definitions::{DEFINITION, ProgramEntry, add_use};
use transom_wire::payload::COMMAREA_BYTES_MAX;
use transom_wire::requests::RegionRequest;
use transom_wire::{Module, Space};
use transom_workers::seam::{Area, Host};

/// The definition of an enabled local program that has a module. A program nobody defined is asked
/// for from the region, which may autoinstall it. PGMIDERR 1 (not defined), 2 (disabled), 3 (no
/// module), 9 (remote), or as the region says.
pub(crate) fn find(
    host: &mut dyn Host,
    region: &RegionView,
    program: ProgramName,
) -> Result<ProgramEntry, Fail> {
    local(look_up(host, program, false)?, region).map_err(not_here)
}

/// As [`find`], counts a use, and makes sure that the module can be loaded (PGMIDERR 3).
pub(crate) fn resolve(
    host: &mut dyn Host,
    region: &mut RegionView,
    program: ProgramName,
) -> Result<Module, Fail> {
    resolve_for_link(host, region, program).map_err(not_here)
}

/// As [`resolve`], but a remote program is SYSIDERR 18: there is no connection to any region.
pub(crate) fn resolve_for_link(
    host: &mut dyn Host,
    region: &mut RegionView,
    program: ProgramName,
) -> Result<Module, Fail> {
    let module = local(look_up(host, program, true)?, region)?.module();
    if !module.is_supplied() && !region.caches.loadable.contains(&module.path) {
        if let Err(why) = host.load(&module) {
            host.log(messages::pg::not_loaded(program, &why).line());
            return raise(Resp::PGMIDERR, 3);
        }
        region.caches.loadable.insert(module.path.clone());
    }
    Ok(module)
}

fn look_up(host: &mut dyn Host, program: ProgramName, count: bool) -> Result<ProgramEntry, Fail> {
    let mut entry = installed(host, program, count);
    if entry.is_none() {
        let request = RegionRequest::InstallProgram(program);
        let answer = ask_region(host, &request);
        if answer.resp != Resp::NORMAL {
            return raise(Resp::PGMIDERR, answer.resp2.max(1));
        }
        entry = installed(host, program, count);
    }
    match entry {
        None => raise(Resp::PGMIDERR, 1),
        Some(entry) if !entry.enabled => raise(Resp::PGMIDERR, 2),
        Some(entry) => Ok(entry),
    }
}

/// Refuses a program that lives in another region, and one without module.
fn local(entry: ProgramEntry, region: &RegionView) -> Result<ProgramEntry, Fail> {
    if !entry.remote_system.is_blank() && entry.remote_system != region.facts.sysid {
        return raise(Resp::SYSIDERR, 18);
    }
    if entry.path.is_empty() {
        return raise(Resp::PGMIDERR, 3);
    }
    Ok(entry)
}

/// Commands other than LINK do not take remote programs.
fn not_here(fail: Fail) -> Fail {
    match fail {
        Fail::Raise(Resp::SYSIDERR, _) => Fail::Raise(Resp::PGMIDERR, 9),
        fail => fail,
    }
}

fn installed(host: &dyn Host, program: ProgramName, count: bool) -> Option<ProgramEntry> {
    let mut entry = None;
    host.shared()
        .with_group(Space::Program, program.as_bytes(), &mut |group| {
            entry = group.get(DEFINITION).and_then(ProgramEntry::decode);
            if count
                && entry
                    .as_ref()
                    .is_some_and(|entry| entry.enabled && !entry.path.is_empty())
            {
                add_use(group);
            }
        });
    entry
}

/// The program name argument.
pub(crate) fn program_name(cx: &mut Cx<'_>) -> ProgramName {
    let name = cx.name::<8>(opt::PROGRAM).unwrap_or([b' '; 8]);
    cx.resource(&name);
    ProgramName::from_field(&name)
}

/// COMMAREA and LENGTH of a command: LENGERR 11 (LENGTH negative or above 32,763), 26 (no area but
/// a length). LENGTH 0 means no COMMAREA.
pub(crate) fn commarea(cx: &Cx<'_>) -> Result<Area, Fail> {
    if !cx.has(opt::COMMAREA) {
        return Ok(Area::default());
    }
    let bytes = match cx.number(opt::LENGTH) {
        Some(length) => match usize::try_from(length) {
            Ok(length) if length <= COMMAREA_BYTES_MAX => length,
            _ => return raise(Resp::LENGERR, 11),
        },
        None => match cx.call.bytes(opt::COMMAREA).map_or(0, <[u8]>::len) {
            bytes if bytes <= COMMAREA_BYTES_MAX => bytes,
            _ => return raise(Resp::LENGERR, 11),
        },
    };
    let address = cx.call.address_of(opt::COMMAREA).unwrap_or(0);
    match (address, bytes) {
        (_, 0) => Ok(Area::default()),
        (0, _) => raise(Resp::LENGERR, 26),
        _ => Ok(Area { address, bytes }),
    }
}

/// Ends the running level: its channels go out of scope, the EIB is the caller's again.
pub(crate) fn end_level(host: &mut dyn Host, task: &mut TaskState) {
    let Some(ended) = task.levels.pop() else {
        return;
    };
    if ended.copied_area != 0 {
        host.freemain(ended.copied_area);
    }
    for area in task.channels.end_level(task.levels.len(), None) {
        host.freemain(area);
    }
    if let Some(level) = task.levels.last() {
        crate::eib::set_commarea_bytes(host.eib_mut(), level.area.bytes);
    }
}
