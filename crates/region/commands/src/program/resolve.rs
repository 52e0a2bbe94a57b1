//! From the name of a program to its definition and its module.
//!
//! Not here: installing what is not defined (region side, `definitions`), loading
//! (`transom_workers`).

use crate::command::{Fail, RegionView, Remote, Resource, ask_region, raise};
use std::rc::Rc;
use transom_commands::opt;
use transom_messages as messages;
use transom_types::{ProgramName, Resp};
use transom_wire::definitions::{ProgramEntry, count_use};
use transom_wire::requests::RegionRequest;
use transom_wire::{Module, Space};
use transom_workers::seam::Host;

/// The definition of an enabled local program that has a module. A program nobody defined is asked
/// for from the region, which may autoinstall it. PGMIDERR 1 (not defined), 2 (disabled), 3 (no
/// module), 9 (remote), or as the region says.
pub(crate) fn find(
    host: &mut dyn Host,
    region: &mut RegionView,
    program: ProgramName,
) -> Result<Rc<ProgramEntry>, Fail> {
    let entry = look_up(host, region, program)?;
    local(&entry, region).map_err(not_here)?;
    Ok(entry)
}

/// As [`find`], counts a use, and makes sure that the module can be loaded (PGMIDERR 3).
pub(crate) fn resolve(
    host: &mut dyn Host,
    region: &mut RegionView,
    program: ProgramName,
) -> Result<Module, Fail> {
    resolve_for_link(host, region, program).map_err(not_here)
}

/// As [`resolve`], but a remote program is carried out by its region.
pub(crate) fn resolve_for_link(
    host: &mut dyn Host,
    region: &mut RegionView,
    program: ProgramName,
) -> Result<Module, Fail> {
    let entry = look_up(host, region, program)?;
    if !entry.path.is_empty() {
        count_use(host.shared(), Space::Program, program.as_bytes());
    }
    if entry.path.is_empty() && entry.remote_system.is_blank() {
        // The region tells the operator why, once: the program may handle the condition silently.
        ask_region(host, &RegionRequest::WhyNot(program));
    }
    local(&entry, region)?;
    let module = entry.module();
    if !module.is_supplied() && !region.caches.modules.is_loadable(&module.path) {
        if let Err(why) = host.load(&module) {
            host.log(messages::pg::not_loaded(program, &why).line());
            return raise(Resp::PGMIDERR, 3);
        }
        region.caches.modules.was_loaded(&module.path);
    }
    Ok(module)
}

fn look_up(
    host: &mut dyn Host,
    region: &mut RegionView,
    program: ProgramName,
) -> Result<Rc<ProgramEntry>, Fail> {
    let mut entry = installed(host, region, program);
    if entry.is_none() {
        let request = RegionRequest::InstallProgram(program);
        let answer = ask_region(host, &request);
        if answer.resp != Resp::NORMAL {
            return raise(Resp::PGMIDERR, answer.resp2.max(1));
        }
        entry = installed(host, region, program);
    }
    if entry.as_ref().is_some_and(|entry| is_bare(entry)) && module(host, program)? {
        entry = installed(host, region, program);
    }
    match entry {
        None => raise(Resp::PGMIDERR, 1),
        Some(entry) if !entry.enabled => raise(Resp::PGMIDERR, 2),
        Some(entry) => Ok(entry),
    }
}

/// A local program without a module.
fn is_bare(entry: &ProgramEntry) -> bool {
    entry.path.is_empty() && entry.remote_system.is_blank() && entry.enabled
}

/// Whether a program has a module after all: it may be made only now, and the task waits for it.
pub(crate) fn module(host: &mut dyn Host, program: ProgramName) -> Result<bool, Fail> {
    let answer = ask_region(host, &RegionRequest::Module(program));
    match answer.abend {
        Some(code) => Err(Fail::Abend(code, answer.text)),
        None => Ok(answer.resp == Resp::NORMAL),
    }
}

/// Refuses a program that lives in another region, and one without module.
fn local(entry: &ProgramEntry, region: &RegionView) -> Result<(), Fail> {
    if !entry.remote_system.is_blank() && entry.remote_system != region.facts.sysid {
        return Err(elsewhere(entry));
    }
    if entry.path.is_empty() {
        return raise(Resp::PGMIDERR, 3);
    }
    Ok(())
}

/// LINK names a program of another system.
fn elsewhere(entry: &ProgramEntry) -> Fail {
    let name = match entry.remote_name.is_blank() {
        true => entry.program,
        false => entry.remote_name,
    };
    let name = Some((opt::PROGRAM, name.as_bytes().to_vec()));
    let by = Resource::Program(entry.program);
    Remote::of(entry.remote_system, name, 18, Some(by))
}

/// Commands other than LINK do not take remote programs.
fn not_here(fail: Fail) -> Fail {
    match fail {
        Fail::Ship(_) => Fail::Raise(Resp::PGMIDERR, 9),
        fail => fail,
    }
}

fn installed(
    host: &dyn Host,
    region: &mut RegionView,
    program: ProgramName,
) -> Option<Rc<ProgramEntry>> {
    region.caches.program(host.shared(), program)
}
