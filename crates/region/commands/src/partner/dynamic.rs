//! LINK to a program whose routing program says where it runs.
//!
//! Walk: the first time LINK asks here, its routing program is called one level down; when that has
//! come back the command is carried out once more ([`Outcome::Again`]) and goes on with what the
//! routing program said. Passes: DFHDYPDS (`block`), with the COMMAREA of LINK or its container
//! DFHROUTE. Conditions: PGMIDERR 25 (the routing program refused, failed, or selects for ever).
//! Provenance: IBM Docs, "Routing DPL requests dynamically" and "Parameters passed to the dynamic
//! routing program" (SC34-6814 pages 630 to 642): DYRTYPE 4 and 9, DYRERROR 6 to B, notification
//! where SYSID names the region; RESP2 25 from APAR PM66519. Not here: transactions of terminals
//! (`region/supplied`), balancing (`region/links`).

use crate::command::{Cx, Done, Fail, NORMAL, Remote, raise};
use crate::program::resolve::resolve_for_link;
use crate::program::state::{LINK_LEVELS_MAX, Level};
use transom_commands::opt;
use transom_messages as messages;
use transom_region_task::routed::block::{self, Block};
use transom_region_task::routed::given::{
    self, forget, free, new, put_back, refuse, selected, straight, uncalled,
};
use transom_region_task::routed::{Linked, Place, RoutedLink, Stage, Way, selection_error};
use transom_types::{ProgramName, Resp};
use transom_workers::seam::{Area, Outcome};

/// Calls for selection of one LINK: a program that never gives up does not go on for ever.
const SELECTIONS_MAX: u32 = 1_000;

/// Where the LINK goes, once its routing program has been asked if it has one.
pub(crate) fn way(cx: &mut Cx<'_>, linked: Linked) -> Way {
    let level = cx.task.levels.len();
    if std::mem::take(&mut cx.task.routed.again)
        && let Some(link) = cx.task.routed.all.pop()
    {
        return go_on(cx, link);
    }
    forget(cx, level);
    let named = cx.remote(opt::SYSID);
    let shared = cx.host.shared();
    let entry = cx.region.caches.program(shared, linked.program);
    let entry = entry.as_deref();
    let place = match entry {
        Some(entry) if !entry.dynamic || !entry.enabled => return straight(named, linked.program),
        Some(entry) if entry.remote_system.is_blank() => Place::Here,
        Some(entry) if entry.remote_system == cx.region.facts.sysid => Place::Here,
        Some(_) => Place::Elsewhere,
        // Without SYSID it is looked for first, and may be installed.
        None if named.is_none() => return straight(named, linked.program),
        None => Place::Undefined,
    };
    match begin(cx, linked, place, named) {
        Some(done) => Way::Over(done),
        None => straight(named, linked.program),
    }
}

/// Calls the routing program the first time; `None`: there is none for this LINK.
pub(crate) fn begin(
    cx: &mut Cx<'_>,
    linked: Linked,
    place: Place,
    named: Option<[u8; 4]>,
) -> Option<Done> {
    let router = cx.region.facts.routing_program;
    let shared = cx.host.shared();
    cx.region.caches.program(shared, router)?;
    if !cx.call.repeats() {
        // Who gave it could not go on with it.
        let dynamic = named.is_none() && place != Place::Undefined;
        return dynamic.then(|| refuse(cx, &messages::is::not_routed_here(linked.program)));
    }
    let link = match new(cx, router, linked, (place, named)) {
        Some(link) => link,
        None => {
            let why = messages::is::routing_program_failed(router, "there is no storage");
            return Some(refuse(cx, &why));
        }
    };
    let function = match link.stage {
        Stage::Notified(_) => b'3',
        _ => b'0',
    };
    Some(call(cx, link, function))
}

/// Calls the routing program; the LINK goes on when it has ended.
fn call(cx: &mut Cx<'_>, mut link: RoutedLink, function: u8) -> Done {
    let block = Block(link.block);
    block.function(cx.host, function);
    if matches!(link.stage, Stage::Select) {
        link.count += 1;
        block.number(cx.host, block::COUNT, link.count as usize);
    }
    let router = link.router;
    let module = match cx.task.levels.len() < LINK_LEVELS_MAX {
        true => resolve_for_link(cx.host, cx.region, router),
        false => raise(Resp::INVREQ, 50),
    };
    let module = match module {
        Ok(module) => module,
        Err(fail) => return uncalled(cx, link, &fail),
    };
    let area = Area {
        address: link.block,
        bytes: block::BYTES,
    };
    let caller = cx.task.program();
    cx.task.levels.push(Level::new(router, caller, area, None));
    crate::eib::set_commarea_bytes(cx.host.eib_mut(), area.bytes);
    cx.task.routed.all.push(link);
    Ok(Outcome::Link(module, area))
}

/// The routing program, or the program itself, has come back.
fn go_on(cx: &mut Cx<'_>, link: RoutedLink) -> Way {
    let block = Block(link.block);
    match link.stage {
        Stage::Select if block.read(cx.host, block::RETC) == 0 => route(cx, link),
        Stage::Select => {
            free(cx, &link);
            let why = messages::is::routing_refused(link.router);
            Way::Over(refuse(cx, &why))
        }
        Stage::Notified(system) => {
            put_back(cx, &link);
            free(cx, &link);
            Way::Over(Err(Remote::by_sysid(*system.as_bytes(), 18)))
        }
        Stage::Here | Stage::Sent => {
            let link = RoutedLink {
                stage: Stage::Over(None),
                ..link
            };
            Way::Over(call(cx, link, b'2'))
        }
        Stage::Over(_) => {
            free(cx, &link);
            let Stage::Over(fail) = link.stage else {
                return Way::Over(NORMAL);
            };
            Way::Over(fail.map_or(NORMAL, Err))
        }
    }
}

/// To the region it selected.
fn route(cx: &mut Cx<'_>, mut link: RoutedLink) -> Way {
    let block = Block(link.block);
    put_back(cx, &link);
    let Some(system) = selected(cx, &mut link) else {
        return Way::Over(select_again(cx, link, b'0'));
    };
    let program = ProgramName::from_field(&block.text(cx.host, block::LPROG));
    let own = cx.region.facts.sysid;
    if system != own && !system.is_blank() {
        let netname = given::netname(cx, system);
        block.put(cx.host, block::SYSID, system.as_bytes());
        block.put(cx.host, block::NETNM, &netname);
        link.given.netname = netname;
        link.stage = Stage::Sent;
        cx.task.routed.all.push(link);
        let there = Some((opt::PROGRAM, program.as_bytes().to_vec()));
        return Way::Over(Err(Remote::of(system, there, 18, None)));
    }
    match link.place {
        // The program is another region's: it cannot be routed to this one.
        Place::Elsewhere => Way::Over(select_again(cx, link, b'5')),
        Place::Undefined if program == link.program => {
            free(cx, &link);
            Way::Over(raise(Resp::PGMIDERR, 1))
        }
        _ if block.is(cx.host, block::OPTER, b'Y') => {
            link.stage = Stage::Here;
            cx.task.routed.all.push(link);
            Way::Here(program)
        }
        _ => {
            free(cx, &link);
            Way::Here(program)
        }
    }
}

/// There is no way to that region: the routing program is asked again, with the reason.
fn select_again(cx: &mut Cx<'_>, mut link: RoutedLink, error: u8) -> Done {
    if link.count >= SELECTIONS_MAX {
        free(cx, &link);
        let why = messages::is::too_many_selections(link.router, SELECTIONS_MAX);
        return refuse(cx, &why);
    }
    Block(link.block).put(cx.host, block::ERROR, &[error]);
    link.stage = Stage::Select;
    call(cx, link, b'1')
}

/// Another region has carried out the command, or could not.
pub(super) fn shipped(cx: &mut Cx<'_>, done: Done) -> Done {
    let level = cx.task.levels.len();
    let own = |link: &mut RoutedLink| link.level == level && matches!(link.stage, Stage::Sent);
    let Some(mut link) = cx.task.routed.all.pop_if(own) else {
        return done;
    };
    let block = Block(link.block);
    let error = match &done {
        Err(Fail::Raise(resp, _)) => selection_error(*resp, cx.task.routed.error),
        _ => None,
    };
    if let Some(error) = error {
        return select_again(cx, link, error);
    }
    if !block.is(cx.host, block::OPTER, b'Y') {
        free(cx, &link);
        return done;
    }
    let function = match &done {
        Err(Fail::Abend(code, _)) => {
            block.abended(cx.host, *code);
            b'4'
        }
        _ => b'2',
    };
    link.stage = Stage::Over(done.err());
    call(cx, link, function)
}
