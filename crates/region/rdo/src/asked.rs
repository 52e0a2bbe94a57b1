//! What the commands share: their arguments, what they ask of the region, and what becomes of the
//! unit of work.
//!
//! A change is a syncpoint: what the task has changed is committed when it is carried out, and
//! backed out when it is refused, unless a mistake in the command itself is found before anything
//! is tried. Conditions of all: INVREQ 200 (in a program linked to from another region without
//! SYNCONRETURN), NOTAUTH 100, CSDERR 1 (the decks cannot be read).

use transom_commands::{OptionId, opt};
use transom_csd::{Found, Look, Operation, Resource};
use transom_region_task::command::{Cx, Fail, area_in, area_out, length_of, raise, to_storage};
use transom_resources::ResourceKind;
use transom_types::Resp;
use transom_wire::definitions::request::Request;

/// Longest ATTRIBUTES.
pub const ATTRIBUTES_BYTES_MAX: usize = 32_767;
/// RESP2 of INVREQ for RESTYPE, and for a distributed program link.
const RESTYPE: u32 = 1;
const LINKED: u32 = 200;

/// What becomes of the unit of work of a command that was carried out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// It goes on.
    Goes,
    /// It is committed.
    Committed,
}

/// A command that was not carried out.
pub struct Failed {
    pub fail: Fail,
    /// What the task has changed is backed out.
    pub backs_out: bool,
}

impl From<Fail> for Failed {
    fn from(fail: Fail) -> Self {
        let backs_out = false;
        Self { fail, backs_out }
    }
}

/// Asks for a change.
pub(crate) fn operate(cx: &mut Cx<'_>, operation: Operation) -> Result<Unit, Failed> {
    let user = cx.task.userid.as_str().to_owned();
    change(cx, &Request::Operate(operation, user))
}

/// Asks for what ends the unit of work.
pub(crate) fn change(cx: &mut Cx<'_>, request: &Request) -> Result<Unit, Failed> {
    // The caller of a distributed program link ends the unit of work.
    if cx.task.mirror().is_some() && cx.task.start.start_code == *b"D " {
        return raise(Resp::INVREQ, LINKED).map_err(Failed::from);
    }
    let answer = transom_region_task::command::ask_region(cx.host, request);
    if let Some(code) = answer.abend {
        return Err(Fail::Abend(code, answer.text).into());
    }
    match answer.resp {
        Resp::NORMAL => Ok(Unit::Committed),
        resp => Err(Failed {
            fail: Fail::Raise(resp, answer.resp2),
            backs_out: answer.data != [1] && resp != Resp::NOTAUTH,
        }),
    }
}

/// Asks about definitions.
pub(crate) fn look(cx: &mut Cx<'_>, look: Look) -> Result<Found, Fail> {
    let bytes = cx.ask(&Request::Look(look))?;
    match Found::decode(&bytes) {
        Some(found) => Ok(found),
        None => raise(Resp::CSDERR, 1),
    }
}

/// The text of a name; empty where the option was not given.
pub(crate) fn name(cx: &Cx<'_>, option: OptionId) -> String {
    let given = cx.name::<8>(option).unwrap_or([b' '; 8]);
    let text: String = given.iter().map(|byte| char::from(*byte)).collect();
    text.trim_end_matches(' ').to_owned()
}

/// RESTYPE, RESID and GROUP. RESTYPE is a CICS value or its name; INVREQ 1 where it is none.
pub(crate) fn resource(cx: &mut Cx<'_>) -> Result<Resource, Fail> {
    let group = name(cx, opt::GROUP);
    let resid = cx.name::<8>(opt::RESID).unwrap_or([b' '; 8]);
    cx.resource(&resid);
    let keyword = |kind: &ResourceKind| {
        let option = transom_commands::option_by_name(kind.keyword());
        option.is_some_and(|option| cx.has(option))
    };
    let named = ResourceKind::all().find(keyword);
    let kind = match cx.number(opt::RESTYPE) {
        None => named,
        Some(given) => {
            let is = |kind: &ResourceKind| {
                let value = transom_commands::dfhvalue(kind.keyword());
                value.is_some_and(|value| i64::from(value) == given)
            };
            match ResourceKind::all().find(is) {
                None => return raise(Resp::INVREQ, RESTYPE),
                found => found,
            }
        }
    };
    let name = name(cx, opt::RESID);
    if kind.is_none() && !name.is_empty() {
        return raise(Resp::INVREQ, RESTYPE);
    }
    Ok(Resource {
        kind: kind.map_or("", ResourceKind::keyword).to_owned(),
        name,
        group,
    })
}

/// ATTRIBUTES. Condition: LENGERR 1.
pub(crate) fn attributes(cx: &Cx<'_>) -> Result<String, Fail> {
    let lengths = [opt::ATTRLEN];
    let length = length_of(cx.call, opt::ATTRIBUTES, &lengths, ATTRIBUTES_BYTES_MAX);
    let Some(length) = length else {
        return raise(Resp::LENGERR, 1);
    };
    let bytes = area_in(cx.host, cx.call, opt::ATTRIBUTES, length);
    Ok(bytes.iter().map(|byte| char::from(*byte)).collect())
}

/// COMPATMODE is a value it can have: INVREQ 11 otherwise.
pub(crate) fn compatmode(cx: &Cx<'_>) -> Result<(), Fail> {
    let known = cx.cvda_is(opt::COMPATMODE, "COMPAT") || cx.cvda_is(opt::COMPATMODE, "NOCOMPAT");
    match cx.has(opt::COMPATMODE) && !known {
        true => raise(Resp::INVREQ, 11),
        false => Ok(()),
    }
}

/// Hands ATTRIBUTES to the program, or their address by SET, and their length. Condition: LENGERR 1
/// where the area has less room.
pub(crate) fn give_attributes(cx: &mut Cx<'_>, text: &str) -> Result<(), Fail> {
    let bytes: Vec<u8> = text
        .chars()
        .map(|c| u8::try_from(u32::from(c)).unwrap_or(b'?'))
        .collect();
    if cx.has(opt::SET) {
        let area = to_storage(cx.host, &bytes)?;
        let old = std::mem::replace(&mut cx.task.browses.definitions.area, area);
        if old != 0 {
            cx.host.freemain(old);
        }
        cx.call.set_pointer(opt::SET, area);
        cx.set_number(opt::ATTRLEN, bytes.len() as i64);
        return Ok(());
    }
    if !cx.has(opt::ATTRIBUTES) {
        return Ok(());
    }
    let lengths = [opt::ATTRLEN];
    let room = length_of(cx.call, opt::ATTRIBUTES, &lengths, usize::MAX);
    let Some(room) = room else {
        return raise(Resp::LENGERR, 1);
    };
    let mut part = bytes[..bytes.len().min(room)].to_vec();
    let field = cx.call.bytes(opt::ATTRIBUTES).map_or(0, <[u8]>::len);
    // What the program does not say the length of is blank behind the text.
    if part.len() < room && room <= field {
        part.resize(room, b' ');
    }
    area_out(cx.host, cx.call, opt::ATTRIBUTES, &part);
    cx.set_number(opt::ATTRLEN, bytes.len() as i64);
    match room < bytes.len() {
        true => raise(Resp::LENGERR, 1),
        false => Ok(()),
    }
}

/// Stores the kind of a definition as a CICS value.
pub(crate) fn give_kind(cx: &mut Cx<'_>, kind: &str) {
    cx.set_cvda(opt::RESTYPE, kind);
}
