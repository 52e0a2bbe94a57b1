//! The way to another region and back, for relay tasks of every kind.
//!
//! What: where a transaction goes, having it run there, and ending as the task there did. Not here:
//! who decides where (`dynamic`, `session`, the definition).

use transom_messages as messages;
use transom_region_commands::{Executor, ask_region};
use transom_types::{AbendCode, Applid, Payload, Resp, SysId, TransId};
use transom_wire::carried::payload_of;
use transom_wire::definitions::{SystemEntry, TransactionEntry};
use transom_wire::partner::Request;
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Failed, Over, Routing};
use transom_workers::seam::{Area, Host, Outcome};

/// Where a transaction goes.
pub(super) struct Target {
    pub(super) system: SysId,
    /// Its name there.
    pub(super) transid: TransId,
    /// For a session, where none is free.
    pub(super) waits: bool,
}

impl Target {
    /// As the definition says; without REMOTESYSTEM that is this system.
    pub(super) fn of(entry: &TransactionEntry, own: SysId) -> Self {
        let there = match entry.remote_name == [b' '; 8] {
            true => entry.transid,
            false => TransId::from_field(entry.remote_name.get(..4).unwrap_or_default()),
        };
        Self {
            transid: there,
            ..Self::to(match entry.is_remote() {
                true => entry.remote_system,
                false => own,
            })
        }
    }

    pub(super) fn to(system: SysId) -> Self {
        Self {
            system,
            transid: TransId::BLANK,
            waits: true,
        }
    }
}

/// Has the other region run it, with other data than its own or with those.
pub(super) fn send(
    executor: &mut Executor,
    host: &mut dyn Host,
    target: &Target,
    payload: Option<Vec<u8>>,
) -> RegionAnswer {
    let Some(relayed) = executor.relayed(host) else {
        return RegionAnswer::refused(Resp::TERMERR, 0, messages::zc::gone());
    };
    let routing = Routing {
        system: target.system,
        transid: target.transid,
        userid: relayed.userid,
        facts: relayed.facts,
        payload: payload.unwrap_or(relayed.payload),
        waits: target.waits,
        started: relayed.started,
    };
    ask_region(host, &Request::Route(routing))
}

/// Why there is no way to the region, as DYRERROR has it; `None`: the transaction was run there.
pub(super) fn selection_error(answer: &RegionAnswer) -> Option<u8> {
    let away = answer.abend.is_none() && answer.resp == Resp::SYSIDERR;
    away.then(|| answer.data.first().copied().unwrap_or(b'1'))
}

/// Ends as the task there did.
pub(super) fn ended(
    executor: &mut Executor,
    host: &mut dyn Host,
    transid: TransId,
    target: &Target,
    answer: RegionAnswer,
) -> Outcome {
    if let Some(code) = answer.abend {
        return Outcome::Abend(code, answer.text);
    }
    if answer.resp != Resp::NORMAL {
        return not_routed(executor, host, transid, &answer.text);
    }
    let taken = match Over::decode(&answer.data) {
        Some(Over::Ended(reply)) => executor.end_as(host, reply),
        Some(Over::Failed(Failed { text, area, .. })) => {
            executor.end_with(host, text, area);
            true
        }
        None => false,
    };
    if taken {
        return Outcome::Return;
    }
    let why = "the end of the task there cannot be taken over";
    let text = messages::is::session_lost(target.system, why);
    Outcome::Abend(AbendCode::from_field(b"AZI6"), text.to_string())
}

/// Nothing was run, and the user is told why.
pub(super) fn not_routed(
    executor: &mut Executor,
    host: &mut dyn Host,
    transid: TransId,
    why: &str,
) -> Outcome {
    let text = messages::is::not_routed(applid(host), transid, why);
    host.log(text.line());
    executor.end_with(host, text.to_string(), None);
    Outcome::Return
}

/// The COMMAREA of an end, for a routing program to look at.
pub(super) fn output(host: &mut dyn Host, reply: &[u8]) -> Area {
    let Some((Payload::Commarea(bytes), _)) = payload_of(reply.to_vec()) else {
        return Area::default();
    };
    let Some(address) = host.getmain(bytes.len().max(1), None) else {
        return Area::default();
    };
    host.memory_mut(address, bytes.len())
        .copy_from_slice(&bytes);
    Area {
        address,
        bytes: bytes.len(),
    }
}

fn applid(host: &dyn Host) -> Applid {
    let own = SystemEntry::find(host.shared());
    own.unwrap_or_else(|| SystemEntry::new(Applid::BLANK, SysId::BLANK))
        .applid
}
