//! What a routing program is given of a LINK, and what it gives back.
//!
//! And the end of what is kept. Not here: when it is called (`super`), the layout (`block`).

use super::block::{self, Block, First, Kind};
use super::{Given, Linked, Place, RoutedLink, Stage, Way};
use crate::command::{Cx, Done, Fail, NORMAL, Remote, raise};
use transom_commands::opt;
use transom_messages::{self as messages, Message};
use transom_types::{ChannelName, ContainerName, ProgramName, Resp, SysId, TransId};
use transom_wire::definitions::{ConnectionEntry, IpConnEntry, ProgramEntry};
use transom_workers::seam::Area;

/// Containers of this name are shown to routing programs.
const ROUTE: &[u8] = b"DFHROUTE";
/// Transaction of a mirror that nobody names.
const MIRROR: &[u8] = b"CSMI";
/// PGMIDERR: the routing program rejected the LINK.
const REJECTED: u32 = 25;

/// What is kept of the LINK; `None`: there is no storage.
pub fn new(
    cx: &mut Cx<'_>,
    router: ProgramName,
    linked: Linked,
    (place, named): (Place, Option<[u8; 4]>),
) -> Option<RoutedLink> {
    let program = linked.program;
    let entry = cx.region.caches.program(cx.host.shared(), program);
    let entry = entry.as_deref();
    let own = cx.region.facts.sysid;
    let defined = entry.map_or(SysId::BLANK, |entry| entry.remote_system);
    let system = match (named, defined.is_blank()) {
        (Some(system), _) => SysId::from_field(&system),
        (None, false) => defined,
        (None, true) => own,
    };
    let transid = transid(cx, entry);
    let netname = netname(cx, system);
    let container = linked.channel.and_then(|name| container(cx, name));
    let userid = cx.task.userid;
    let channel = linked.channel;
    let first = First {
        kind: match channel {
            Some(_) => Kind::LinkWithChannel,
            None => Kind::Link,
        },
        system,
        netname,
        transid,
        program: entry.map_or(program, there),
        userid: userid.as_bytes(),
        channel: channel.as_ref().map_or(b"", |name| name.as_bytes()),
        commarea: match container {
            Some((_, address, bytes)) => Area { address, bytes },
            None if channel.is_some() => Area::default(),
            None => linked.area,
        },
        input: b"",
    };
    let block = Block::new(cx.host, &first)?;
    Some(RoutedLink {
        level: cx.task.levels.len(),
        block: block.0,
        router,
        program,
        given: Given {
            netname,
            transid,
            unknown: None,
        },
        place,
        stage: match named {
            Some(_) => Stage::Notified(system),
            None => Stage::Select,
        },
        count: 0,
        container,
    })
}

/// Its name there.
fn there(entry: &ProgramEntry) -> ProgramName {
    match entry.remote_name.is_blank() {
        true => entry.program,
        false => entry.remote_name,
    }
}

/// Transaction of the mirror: TRANSID of the command, of the definition, or CSMI.
fn transid(cx: &Cx<'_>, entry: Option<&ProgramEntry>) -> TransId {
    let given = cx.name::<4>(opt::TRANSID);
    let given = given.map(|name| TransId::from_field(&name));
    let defined = entry.map(|entry| entry.transid);
    let named = given.or(defined).filter(|name| !name.is_blank());
    named.unwrap_or_else(|| TransId::from_field(MIRROR))
}

/// Name of a system in the network.
pub fn netname(cx: &Cx<'_>, system: SysId) -> [u8; 8] {
    let facts = &cx.region.facts;
    if system == facts.sysid {
        return *facts.applid.as_bytes();
    }
    let shared = cx.host.shared();
    if let Some(entry) = IpConnEntry::to(shared, system) {
        return entry.applid;
    }
    let entry = ConnectionEntry::to(shared, system);
    entry.map_or([b' '; 8], |entry| entry.netname)
}

/// The system of this name in the network.
fn system_of(cx: &Cx<'_>, netname: [u8; 8]) -> Option<SysId> {
    let (shared, facts) = (cx.host.shared(), &cx.region.facts);
    if netname == *facts.applid.as_bytes() {
        return Some(facts.sysid);
    }
    let ipconns = IpConnEntry::all(shared);
    let ipconn = ipconns.iter().find(|entry| entry.applid == netname);
    if let Some(entry) = ipconn {
        return Some(SysId::from_field(entry.name.get(..4)?));
    }
    let connections = ConnectionEntry::all(shared);
    let found = connections.iter().find(|entry| entry.netname == netname);
    found.map(|entry| entry.name)
}

/// Container DFHROUTE of the channel, copied to storage that the routing program can change.
fn container(cx: &mut Cx<'_>, name: ChannelName) -> Option<(u32, usize, usize)> {
    let current = cx.task.level().and_then(|level| level.channel);
    let own = cx.task.levels.len().saturating_sub(1);
    let id = cx.task.channels.find(name, own, current)?;
    let channel = cx.task.channels.get(id)?;
    let wanted = ContainerName::from_field(ROUTE);
    let container = channel.containers.iter().find(|c| c.name == wanted)?;
    let data = container.data.clone();
    let address = cx.host.getmain(data.len().max(1), None)?;
    cx.host
        .memory_mut(address, data.len())
        .copy_from_slice(&data);
    Some((id, address, data.len()))
}

/// What the routing program made of it goes back.
pub fn put_back(cx: &mut Cx<'_>, link: &RoutedLink) {
    let Some((id, address, bytes)) = link.container else {
        return;
    };
    let data = cx.host.memory(address, bytes).to_vec();
    let wanted = ContainerName::from_field(ROUTE);
    if let Some(channel) = cx.task.channels.get_mut(id)
        && let Some(container) = channel.containers.iter_mut().find(|c| c.name == wanted)
        && container.data.len() == bytes
    {
        container.data = data;
    }
}

/// LINKs from this level on are over, whatever became of them.
pub fn forget(cx: &mut Cx<'_>, level: usize) {
    while let Some(link) = cx.task.routed.all.pop_if(|link| link.level >= level) {
        free(cx, &link);
    }
}

/// It is over.
pub fn free(cx: &mut Cx<'_>, link: &RoutedLink) {
    cx.host.freemain(link.block);
    if let Some((_, address, _)) = link.container {
        cx.host.freemain(address);
    }
}

/// Transaction that the routing program changed for the LINK that is sent.
pub fn other_transid(cx: &Cx<'_>) -> Option<TransId> {
    let link = cx.task.routed.sent()?;
    let text = Block(link.block).text(cx.host, block::TRAN);
    let transid = TransId::from_field(text.get(..4)?);
    (transid != link.given.transid).then_some(transid)
}

/// The LINK that is sent waits for a session where none is free.
pub fn waits(cx: &Cx<'_>) -> bool {
    let sent = cx.task.routed.sent();
    sent.is_none_or(|link| !Block(link.block).is(cx.host, block::QUEUE, b'N'))
}

/// The LINK is refused for the routing program.
pub fn refuse(cx: &mut Cx<'_>, why: &Message) -> Done {
    cx.host.log(why.line());
    raise(Resp::PGMIDERR, REJECTED)
}

/// As the command or the definition says.
pub fn straight(named: Option<[u8; 4]>, program: ProgramName) -> Way {
    match named {
        Some(system) => Way::Over(Err(Remote::by_sysid(system, 18))),
        None => Way::Here(program),
    }
}

/// The routing program cannot be called.
pub fn uncalled(cx: &mut Cx<'_>, link: RoutedLink, fail: &Fail) -> Done {
    let why = match fail {
        Fail::Raise(resp, resp2) => format!("{} {resp2}", resp.name().unwrap_or("ERROR")),
        Fail::Abend(code, _) => format!("abend {code}"),
        Fail::Ship(_) => "it belongs to another region".to_owned(),
    };
    let why = messages::is::routing_program_failed(link.router, why);
    free(cx, &link);
    match link.stage {
        Stage::Notified(system) => {
            cx.host.log(why.line());
            Err(Remote::by_sysid(*system.as_bytes(), 18))
        }
        Stage::Over(fail) => {
            cx.host.log(why.line());
            fail.map_or(NORMAL, Err)
        }
        _ => refuse(cx, &why),
    }
}

/// The system that the routing program selected; `None`: there is none of that netname.
pub fn selected(cx: &Cx<'_>, link: &mut RoutedLink) -> Option<SysId> {
    let block = Block(link.block);
    let text = block.text(cx.host, block::NETNM);
    let netname: [u8; 8] = text.try_into().unwrap_or([b' '; 8]);
    let found = SysId::from_field(&block.text(cx.host, block::SYSID));
    let system = match netname == link.given.netname {
        true => Some(found).filter(|_| link.given.unknown != Some(found)),
        false => system_of(cx, netname),
    };
    link.given.netname = netname;
    link.given.unknown = system.is_none().then_some(found);
    system
}
