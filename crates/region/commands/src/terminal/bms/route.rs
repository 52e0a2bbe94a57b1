//! EXEC CICS ROUTE: who gets the next logical message.
//!
//! LIST points to entries of 16 bytes: terminal, LDC, operator, a status byte the command sets, six
//! blanks; a halfword of -1 ends it, -2 begins an entry of 8 bytes with the address of more at
//! offset 4. Entries that cannot be used are marked and skipped. OPCLASS keeps the terminals whose
//! users are of one of the classes. Neither option: all terminals. Terminals of the same kind share
//! their pages. Conditions: INVREQ (a message is being built; an option out of range), RTESOME
//! (entries were skipped), RTEFAIL (nobody is left), INVERRTERM, INVLDC (no terminal here has
//! LDCs). ERRTERM would be told of messages that wait too long; none are given up.

use super::super::output;
use super::state::Route;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::interval::when::wait_ms;
use std::collections::HashSet;
use transom_commands::opt;
use transom_messages as messages;
use transom_types::Device;
use transom_types::{Resp, TermId, UserId};
use transom_wire::definitions::TerminalEntry;
use transom_wire::language::whole;
use transom_wire::terminal as wire;
use transom_workers::seam::Address;

/// Most entries of a list; IBM's abend for more is ABMC. Without a list there is no limit.
pub(crate) const DESTINATIONS_MAX: usize = 1_000;
/// Most kinds of terminals a message is formatted for.
pub(crate) const KINDS_MAX: usize = 64;
/// Longest title, in characters.
const TITLE_CHARS_MAX: usize = 62;
/// Bytes of an entry.
const ENTRY_BYTES: usize = 16;
/// Bits of the status byte, as DFHURLDS has them.
const SKIPPED: u8 = 0x80;
const UNKNOWN_TERMINAL: u8 = 0x40;
const NOT_SIGNED_ON: u8 = 0x10;

/// The command.
pub(crate) fn route(cx: &mut Cx<'_>) -> Done {
    if cx.task.terminal.page.is_open() {
        return raise(Resp::INVREQ, 0);
    }
    if let Some(own) = cx.task.terminal.get()
        && !own.facts.system.is_blank()
    {
        cx.host.log(transom_messages::is::route_refused().line());
        return raise(Resp::INVREQ, 0);
    }
    if cx.has(opt::LDC) {
        return raise(Resp::INVLDC, 0);
    }
    let timed = [opt::INTERVAL, opt::TIME, opt::AFTER, opt::AT];
    let delay_ms = match timed.iter().any(|option| cx.has(*option)) {
        true => u64::try_from(wait_ms(cx)?).unwrap_or(0),
        false => 0,
    };
    if let Some(name) = cx.name::<4>(opt::ERRTERM).filter(|name| *name != *b"    ")
        && entry(cx, TermId::from_field(&name))?.is_none()
    {
        return raise(Resp::INVERRTERM, 0);
    }
    let (mut found, skipped) = match cx.call.address_of(opt::LIST) {
        Some(address) if cx.has(opt::LIST) => listed(cx, address)?,
        _ => (everyone(cx)?, 0),
    };
    if let Some([high, middle, low]) = cx
        .call
        .bytes(opt::OPCLASS)
        .and_then(|c| c.first_chunk())
        .copied()
    {
        let wanted = u32::from_be_bytes([0, high, middle, low]);
        found = of_classes(cx, found, wanted)?;
    }
    if found.is_empty() {
        return raise(Resp::RTEFAIL, 0);
    }
    let title = title(cx);
    let groups = kinds(found);
    if groups.len() > KINDS_MAX {
        return raise(Resp::INVREQ, 0);
    }
    cx.task.terminal.page.route = Some(Route {
        groups,
        title,
        delay_ms,
        reqid: cx.name::<2>(opt::REQID),
    });
    if skipped > 0 {
        return raise(Resp::RTESOME, 0);
    }
    NORMAL
}

/// Terminals whose user is of one of these classes; class 1 is the lowest bit.
fn of_classes(
    cx: &mut Cx<'_>,
    found: Vec<TerminalEntry>,
    wanted: u32,
) -> Result<Vec<TerminalEntry>, Fail> {
    let mut kept = Vec::new();
    for terminal in found.into_iter().filter(|t| t.user != UserId::BLANK) {
        let request = transom_wire::security::Request::User(terminal.user);
        let facts = match cx.ask(&request) {
            Err(purged @ Fail::Abend(..)) => return Err(purged),
            answer => transom_wire::security::Facts::decode(&answer.unwrap_or_default()),
        };
        let classes = facts.map_or_else(Vec::new, |facts| facts.opclass);
        // A user nobody gave a class is of class 1.
        let one = [1];
        let classes: &[u8] = if classes.is_empty() { &one } else { &classes };
        let of_user = classes.iter().filter(|class| (1..=24).contains(*class));
        if of_user.fold(0, |bits, class| bits | 1u32 << (class - 1)) & wanted != 0 {
            kept.push(terminal);
        }
    }
    Ok(kept)
}

/// Terminals of one kind: the same pages are right for them. Each terminal gets the message once.
fn kinds(found: Vec<TerminalEntry>) -> Vec<(Device, Vec<TermId>)> {
    let mut kinds: Vec<(Device, Vec<TermId>)> = Vec::new();
    let mut seen = HashSet::new();
    for terminal in found.into_iter().filter(|t| seen.insert(t.terminal)) {
        let mut device = terminal.device;
        device.name.clear();
        match kinds.iter_mut().find(|(known, _)| *known == device) {
            Some((_, names)) => names.push(terminal.terminal),
            None => kinds.push((device, vec![terminal.terminal])),
        }
    }
    kinds
}

/// TITLE: a halfword with the length of the whole, then the text.
fn title(cx: &Cx<'_>) -> Vec<u8> {
    let length = crate::command::area_in(cx.host, cx.call, opt::TITLE, 2);
    let length = length
        .first_chunk::<2>()
        .map_or(0, |l| i16::from_be_bytes(*l));
    let length = usize::try_from(length)
        .unwrap_or(0)
        .min(TITLE_CHARS_MAX + 2);
    let area = crate::command::area_in(cx.host, cx.call, opt::TITLE, length.max(2));
    area.get(2..).unwrap_or_default().to_vec()
}

/// Terminals of the list, and how many entries were skipped.
fn listed(cx: &mut Cx<'_>, list: Address) -> Result<(Vec<TerminalEntry>, usize), Fail> {
    let (mut found, mut skipped, mut at) = (Vec::new(), 0, list);
    let mut sessions = None;
    for _ in 0..DESTINATIONS_MAX {
        let head = cx.host.memory(at, 2).first_chunk::<2>().copied();
        match head.map(i16::from_be_bytes) {
            Some(-1) | None => return Ok((found, skipped)),
            Some(-2) => {
                let next = cx.host.memory(at + 4, 4).first_chunk::<4>().copied();
                at = next.map_or(0, |next| u32::from_be_bytes(next) as Address);
                if at == 0 {
                    return raise(Resp::INVREQ, 0);
                }
                continue;
            }
            Some(_) => {}
        }
        let wanted = cx.host.memory(at, ENTRY_BYTES).to_vec();
        let status = match resolve(cx, &wanted, &mut sessions)? {
            Ok(mut terminals) => {
                found.append(&mut terminals);
                0
            }
            Err(status) => {
                skipped += 1;
                SKIPPED | status
            }
        };
        if let Some(byte) = cx.host.memory_mut(at + 9, 1).first_mut() {
            *byte = status;
        }
        at += ENTRY_BYTES;
    }
    let text = messages::bm::route_list_too_long(DESTINATIONS_MAX).to_string();
    Err(Fail::Abend(
        transom_types::AbendCode::from_field(b"ABMC"),
        text,
    ))
}

/// Terminals of an entry, or why it is skipped. `sessions` are asked for once.
fn resolve(
    cx: &mut Cx<'_>,
    wanted: &[u8],
    sessions: &mut Option<Vec<TerminalEntry>>,
) -> Result<Result<Vec<TerminalEntry>, u8>, Fail> {
    let name = TermId::from_field(wanted.get(..4).unwrap_or_default());
    let operator = wanted.get(6..9).unwrap_or_default();
    let operator = String::from_utf8_lossy(operator).trim().to_owned();
    let is_operator = |entry: &TerminalEntry| {
        operator.is_empty()
            || entry.user.as_str().get(..3).unwrap_or(entry.user.as_str()) == operator
    };
    if !name.as_str().trim().is_empty() {
        return Ok(match entry(cx, name)? {
            None => Err(UNKNOWN_TERMINAL),
            Some(entry) if !is_operator(&entry) => Err(NOT_SIGNED_ON),
            Some(entry) => Ok(vec![entry]),
        });
    }
    if operator.is_empty() {
        return Ok(Err(NOT_SIGNED_ON));
    }
    let sessions = match sessions {
        Some(sessions) => sessions,
        None => sessions.insert(everyone(cx)?),
    };
    let own: Vec<_> = sessions
        .iter()
        .filter(|e| is_operator(e))
        .cloned()
        .collect();
    Ok(if own.is_empty() {
        Err(NOT_SIGNED_ON)
    } else {
        Ok(own)
    })
}

fn entry(cx: &mut Cx<'_>, name: TermId) -> Result<Option<TerminalEntry>, Fail> {
    match output::ask(cx, wire::Request::Inquire(name)) {
        Err(abend @ Fail::Abend(..)) => Err(abend),
        Err(Fail::Raise(..) | Fail::Ship(_)) => Ok(None),
        Ok(bytes) => Ok(TerminalEntry::decode(&bytes)),
    }
}

/// All terminals with a session, in the order of their names.
fn everyone(cx: &mut Cx<'_>) -> Result<Vec<TerminalEntry>, Fail> {
    let answer = output::ask(cx, wire::Request::Sessions)?;
    let entries: Vec<Vec<u8>> = whole(&answer).unwrap_or_default();
    let mut all: Vec<TerminalEntry> = entries
        .iter()
        .filter_map(|entry| TerminalEntry::decode(entry))
        .collect();
    all.sort_by_key(|entry| entry.terminal);
    Ok(all)
}
