//! A command on its way to another region, and back.
//!
//! What: the options of the call as they were given, with areas cut to what their lengths say;
//! afterwards what the command stored there is stored here. Conditions: those of the command as the
//! other region says them; SYSIDERR without a way there. Abends: AZI6, the session broke off while
//! the command ran. Not here: LINK, which brings a COMMAREA or a channel and may run programs
//! (`link`).

use super::exchange::{SHIPPED, Sent, UNKNOWN, away, exchange};
use crate::asynchronous::copied_channel::copied_channel;
use crate::command::{Cx, Done, Fail, NORMAL, Remote, area_in, area_out, raise, to_storage};
use transom_commands::{ArgKind, DataKind, Flow, OptionId, OptionSpec, cmd, opt};
use transom_types::{AbendCode, ReqId, Resp, TransId};
use transom_wire::partner::{Answer, Argument, Command, Given, Got};

/// Longest key.
const KEY_MAX: usize = 255;

/// Has another region carry out the command.
pub(crate) fn ship(cx: &mut Cx<'_>, remote: Remote) -> Done {
    let done = send(cx, remote);
    match cx.task.routed.sent() {
        None => done,
        Some(_) => super::dynamic::shipped(cx, done),
    }
}

/// Sends it, and stores the answer.
fn send(cx: &mut Cx<'_>, remote: Remote) -> Done {
    let id = cx.call.command();
    let shared = cx.host.shared();
    if !cx.region.caches.is_linked(shared, remote.system) || !SHIPPED.contains(&id) {
        return away(cx, remote, UNKNOWN, "");
    }
    if id == cmd::LINK {
        return super::link::link(cx, remote);
    }
    let channel = match id == cmd::START {
        true => copied_channel(cx)?,
        false => None,
    };
    let command = Command {
        id: id.0,
        arguments: arguments(cx, &remote),
        channel,
    };
    let answer = match exchange(cx, &remote, (TransId::BLANK, false), &command)? {
        Sent::Answer(answer) => answer,
        Sent::Away(error, why) => return away(cx, remote, error, &why),
        Sent::Lost(why) => return Err(Fail::Abend(AbendCode::from_field(b"AZI6"), why)),
    };
    let done = store(cx, &answer);
    if let Some(reqid) = answer.reqid {
        crate::eib::set_reqid(cx.host.eib_mut(), ReqId::new(reqid));
    }
    done?;
    match answer.resp {
        Resp::NORMAL => NORMAL,
        resp => raise(resp, answer.resp2),
    }
}

/// The options of the call.
fn arguments(cx: &mut Cx<'_>, remote: &Remote) -> Vec<Argument> {
    let Some(row) = transom_commands::command(cx.call.command()) else {
        return Vec::new();
    };
    let file = cx.name::<8>(opt::FILE);
    let key_length = cx.region.caches.key_length(cx.host.shared(), file);
    let cx = &*cx;
    let given = |spec: &&OptionSpec| {
        let own = [opt::SYSID, opt::RESP, opt::RESP2, opt::NOHANDLE];
        cx.has(spec.id) && !own.contains(&spec.id)
    };
    let mut all = Vec::new();
    for spec in row.options.iter().filter(given) {
        let renamed = remote
            .name
            .as_ref()
            .filter(|(option, _)| *option == spec.id);
        let value = match renamed {
            Some((_, name)) => Given::Bytes(name.clone()),
            None => value(cx, spec, key_length),
        };
        all.push(Argument {
            option: spec.id.0,
            value,
        });
    }
    all
}

fn value(cx: &Cx<'_>, spec: &OptionSpec, key_length: usize) -> Given {
    let option = spec.id;
    let number = || Given::Number(cx.number(option).unwrap_or(0));
    let bytes = || Given::Bytes(cx.call.bytes(option).unwrap_or_default().to_vec());
    match spec.argument {
        ArgKind::None | ArgKind::Label => Given::Keyword,
        ArgKind::Name(_) => bytes(),
        ArgKind::Cvda => number(),
        ArgKind::CvdaOut => Given::Number(0),
        ArgKind::PtrRef | ArgKind::PtrValue => Given::Pointer,
        _ if option == opt::RIDFLD => Given::Bytes(identification(cx, key_length)),
        ArgKind::DataArea {
            kind: DataKind::Bytes,
            flow: Flow::Out,
        } => Given::Room(length(cx, spec).min(u32::MAX as usize) as u32),
        ArgKind::DataArea {
            kind: DataKind::Bytes,
            ..
        }
        | ArgKind::DataValue {
            kind: DataKind::Bytes,
        } => Given::Bytes(area_in(cx.host, cx.call, option, length(cx, spec)).to_vec()),
        ArgKind::DataArea { kind, flow } => match (kind, flow) {
            (DataKind::Char(bytes), Flow::Out) => Given::Room(u32::from(bytes)),
            (DataKind::Char(_), Flow::InOut) => bytes(),
            (_, Flow::Out) => Given::Number(0),
            _ => number(),
        },
        ArgKind::DataValue { kind } => match kind {
            DataKind::Char(_) => bytes(),
            _ => number(),
        },
    }
}

/// Bytes of an area: what its length says, else its field.
fn length(cx: &Cx<'_>, spec: &OptionSpec) -> usize {
    let field = cx.call.bytes(spec.id).map_or(0, <[u8]>::len);
    let given = spec.lengths.iter().find_map(|option| cx.number(*option));
    let given = given.map(|length| usize::try_from(length).unwrap_or(0));
    // A wrong length is found out where the command runs.
    given.unwrap_or(field).min(i16::MAX as usize)
}

/// RIDFLD, as long as its field, KEYLENGTH and KEYLENGTH of the file's definition say.
fn identification(cx: &Cx<'_>, defined: usize) -> Vec<u8> {
    let field = cx.call.bytes(opt::RIDFLD).map_or(0, <[u8]>::len);
    let given = cx.number(opt::KEYLENGTH).unwrap_or(0);
    let given = usize::try_from(given).unwrap_or(0);
    let bytes = field.max(given).max(defined).min(KEY_MAX);
    area_in(cx.host, cx.call, opt::RIDFLD, bytes).to_vec()
}

/// Stores what the command stored there.
fn store(cx: &mut Cx<'_>, answer: &Answer) -> Result<(), Fail> {
    for stored in &answer.values {
        let option = OptionId(stored.option);
        match &stored.value {
            Got::Number(number) => cx.set_number(option, *number),
            Got::Bytes(bytes) if option == opt::SET => {
                let area = to_storage(cx.host, bytes)?;
                let old = std::mem::replace(&mut cx.task.remote_area, area);
                if old != 0 {
                    cx.host.freemain(old);
                }
                cx.call.set_pointer(opt::SET, area);
            }
            Got::Bytes(bytes) => area_out(cx.host, cx.call, option, bytes),
        }
    }
    Ok(())
}
