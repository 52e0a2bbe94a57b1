//! CRTE: a session in which transactions of another region are typed.
//!
//! What: `CRTE SYSID=AOR1` begins it; from then on each input names a transaction of that region,
//! or goes on with the one before, until CANCEL. It is a pseudo-conversation whose COMMAREA has the
//! system, and the next transaction there with its COMMAREA or channel. Not here: how a transaction
//! is routed (`super`).

use super::way::{Target, send};
use transom_messages as messages;
use transom_region_commands::{Executor, eib};
use transom_types::{Payload, SysId, TransId};
use transom_wire::carried::{payload_bytes, payload_of};
use transom_wire::definitions::ConnectionEntry;
use transom_wire::payload::{COMMAREA_BYTES_MAX, Section, Sections};
use transom_wire::requests::RegionAnswer;
use transom_wire::routing::{Failed, Over};
use transom_wire::terminal::Left;
use transom_workers::seam::{Host, Outcome};

/// Where its program is found.
pub(crate) const TRANSACTION: &str = "CRTE";
/// Its program.
pub(crate) const PROGRAM: &[u8] = b"DFHRTE";

/// CLEAR as programs see it.
const DFHCLEAR: u8 = b'_';

transom_wire::language! {
    /// What a session keeps between two inputs.
    #[derive(Debug, Clone, PartialEq, Eq)]
    struct Kept {
        system: SysId,
        /// What the transaction there named; `None`: the next input names one.
        next: Option<TransId>,
        /// Its COMMAREA or channel.
        payload: Vec<u8>,
    }
}

/// The program.
pub(crate) fn run(executor: &mut Executor, host: &mut dyn Host) -> Outcome {
    let area = executor.start_area();
    let kept = match area.bytes {
        0 => None,
        bytes => Kept::decode(host.memory(area.address, bytes)),
    };
    let typed = executor.typed();
    let typed = String::from_utf8_lossy(&typed).trim().to_owned();
    match kept {
        None => begin(executor, host, &typed),
        Some(kept) if kept.next.is_none() && typed.eq_ignore_ascii_case("CANCEL") => {
            let text = messages::is::session_over(kept.system).to_string();
            executor.end_with(host, text, None);
            Outcome::Return
        }
        Some(kept) => go_on(executor, host, kept, &typed),
    }
}

fn begin(executor: &mut Executor, host: &mut dyn Host, typed: &str) -> Outcome {
    let Some(system) = system(typed) else {
        let text = messages::is::session_syntax().to_string();
        executor.end_with(host, text, None);
        return Outcome::Return;
    };
    let entry = ConnectionEntry::to(host.shared(), system);
    let usable = entry.is_some_and(|entry| entry.in_service && entry.acquired);
    if !usable {
        let text = messages::is::session_not_begun(system).to_string();
        executor.end_with(host, text, None);
        return Outcome::Return;
    }
    let kept = Kept {
        system,
        next: None,
        payload: Vec::new(),
    };
    let text = messages::is::session_begun(system).to_string();
    again(executor, host, &kept, Left::default(), Some(text))
}

/// The system of `CRTE SYSID=name` or `CRTE SYSID(name)`.
fn system(typed: &str) -> Option<SysId> {
    let typed = typed.to_ascii_uppercase();
    let rest = typed.strip_prefix(TRANSACTION)?.trim_start();
    let rest = rest.strip_prefix("SYSID")?.trim_start();
    let name = match rest.strip_prefix('=') {
        Some(name) => name.trim(),
        None => rest.strip_prefix('(')?.strip_suffix(')')?.trim(),
    };
    let good = (1..=4).contains(&name.len()) && name.bytes().all(|b| b.is_ascii_graphic());
    good.then(|| SysId::from_field(name.as_bytes()))
}

/// One input of a session.
fn go_on(executor: &mut Executor, host: &mut dyn Host, kept: Kept, typed: &str) -> Outcome {
    let name = typed.split_whitespace().next().unwrap_or_default();
    let name: String = name.chars().take(4).collect();
    let transid = match kept.next {
        Some(next) => next,
        None if name.is_empty() => {
            // CLEAR leaves an empty screen to type on.
            let cleared = eib::input(host.eib_mut()).0 == DFHCLEAR;
            let text = messages::is::session_wants_transaction().to_string();
            let text = Some(text).filter(|_| !cleared);
            return again(executor, host, &kept, Left::default(), text);
        }
        None => TransId::from_field(name.to_ascii_uppercase().as_bytes()),
    };
    let target = Target {
        transid,
        ..Target::to(kept.system)
    };
    let payload = match kept.payload.is_empty() {
        true => payload_bytes(Payload::Commarea(Vec::new()), &Sections::default()),
        false => kept.payload,
    };
    let answer = send(executor, host, &target, Some(payload));
    after(executor, host, kept.system, answer)
}

/// What the transaction there left, and the session goes on.
fn after(
    executor: &mut Executor,
    host: &mut dyn Host,
    system: SysId,
    answer: RegionAnswer,
) -> Outcome {
    let mut kept = Kept {
        system,
        next: None,
        payload: Vec::new(),
    };
    let over = match answer.abend {
        Some(code) => return Outcome::Abend(code, answer.text),
        None => Over::decode(&answer.data),
    };
    let reply = match over {
        Some(Over::Ended(reply)) => payload_of(reply),
        Some(Over::Failed(Failed { text, area, .. })) => {
            executor.end_with(host, String::new(), area);
            return again(executor, host, &kept, Left::default(), Some(text));
        }
        None => None,
    };
    let Some((payload, sections)) = reply else {
        return again(executor, host, &kept, Left::default(), Some(answer.text));
    };
    let left = sections.get(Section::Terminal).and_then(Left::decode);
    let mut left = left.unwrap_or_default();
    let mut text = left.notice.take();
    kept.next = left.next.take();
    if kept.next.is_some() {
        kept.payload = payload_bytes(payload, &Sections::default());
    }
    if kept.encode().len() > COMMAREA_BYTES_MAX {
        (kept.next, kept.payload) = (None, Vec::new());
        text = Some(messages::is::session_too_much(system).to_string());
    }
    again(executor, host, &kept, left, text)
}

/// The task ends as `left` says, and the session goes on with the next input.
fn again(
    executor: &mut Executor,
    host: &mut dyn Host,
    kept: &Kept,
    left: Left,
    text: Option<String>,
) -> Outcome {
    let left = Left {
        next: Some(TransId::from_field(TRANSACTION.as_bytes())),
        notice: text,
        ..left
    };
    let mut sections = Sections::default();
    sections.add(Section::Terminal, &left.encode());
    let reply = payload_bytes(Payload::Commarea(kept.encode()), &sections);
    // Without room for it the session is over.
    let _taken = executor.end_as(host, reply);
    Outcome::Return
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_is_named_in_two_ways() {
        let named = |text| system(text).map(|name| name.as_str().to_owned());
        assert_eq!(named("CRTE SYSID=AOR1").as_deref(), Some("AOR1"));
        assert_eq!(named("crte sysid(aor1)").as_deref(), Some("AOR1"));
        for bad in ["CRTE", "CRTE SYSID=", "CRTE SYSID=TOOLONG", "CRTE SYSID(A"] {
            assert_eq!(named(bad), None, "{bad}");
        }
    }
}
