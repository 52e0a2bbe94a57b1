//! EXEC CICS LINK: run another program and come back.
//!
//! Walk: `exec` -> here -> `Outcome::Link` -> the program -> `level_ended` -> the caller.
//! Passes: COMMAREA by address (the callee works in the caller's storage), or a channel.
//! Conditions: PGMIDERR 1 (not defined), 2 (disabled), 3 (no module); LENGERR 11 (LENGTH), 12
//! (DATALENGTH negative), 13 (DATALENGTH above LENGTH), 26 (no area), 27 (INPUTMSGLEN); INVREQ 8
//! (INPUTMSG without terminal), 50 (nested too deep); CHANNELERR 1 (channel name); SYSIDERR 18
//! (SYSID or the program's definition names a system not known here). A program of another region:
//! `partner/link`.
//! Recovery: same unit of work. Differs: SYNCONRETURN and TRANSID of a local LINK have no effect,
//! as on CICS. Not here: autoinstall (region side).

use super::arguments::{commarea, program_name};
use super::input_message;
use super::resolve::resolve_for_link;
use super::state::{LINK_LEVELS_MAX, Level};
use crate::channel;
use crate::command::{Cx, Done, Fail, raise};
use crate::partner::dynamic;
use transom_commands::opt;
use transom_region_task::routed::{Linked, Place, Way, given};
use transom_types::Resp;
use transom_workers::seam::{Area, Outcome};

/// The command.
pub(crate) fn link(cx: &mut Cx<'_>) -> Done {
    let program = program_name(cx);
    let message = input_message::given(cx)?;
    let area = commarea(cx)?;
    if let Some(data) = cx.number(opt::DATALENGTH) {
        match usize::try_from(data) {
            Err(_) => return raise(Resp::LENGERR, 12),
            Ok(data) if data > area.bytes => return raise(Resp::LENGERR, 13),
            Ok(_) => {}
        }
    }
    let channel_name = channel::named::channel_name(cx, opt::CHANNEL)?;
    let linked = Linked {
        program,
        area,
        channel: channel_name,
    };
    let program = match dynamic::way(cx, linked) {
        Way::Here(program) => program,
        Way::Over(done) => return done,
    };
    if cx.task.levels.len() >= LINK_LEVELS_MAX {
        return raise(Resp::INVREQ, 50);
    }
    let module = match resolve_for_link(cx.host, cx.region, program) {
        Ok(module) => module,
        Err(fail) => return not_here(cx, linked, fail),
    };
    let channel = channel_name.map(|name| channel::named::find_or_create(cx, name));
    // A channel replaces the COMMAREA.
    let area = if channel.is_some() {
        Area::default()
    } else {
        area
    };
    let caller = cx.task.program();
    cx.task
        .levels
        .push(Level::new(program, caller, area, channel));
    let level = cx.task.levels.len();
    input_message::pass(cx, message, level);
    crate::eib::set_commarea_bytes(cx.host.eib_mut(), area.bytes);
    Ok(Outcome::Link(module, area))
}

/// The program cannot be run here.
fn not_here(cx: &mut Cx<'_>, linked: Linked, fail: Fail) -> Done {
    let level = cx.task.levels.len();
    given::forget(cx, level);
    if let Fail::Raise(Resp::PGMIDERR, 1) = fail
        && let Some(done) = dynamic::begin(cx, linked, Place::Undefined, None)
    {
        return done;
    }
    Err(fail)
}
