//! System programming: INQUIRE and SET of programs, transactions, tasks and the system.
//!
//! What this region does not have is answered as CICS does for a resource without it: blanks, zero
//! or NOTAPPLIC. Not here: changing definitions (asked of the region, see `requests`).

pub(crate) mod discard;
pub(crate) mod dsname;
pub(crate) mod file;
pub(crate) mod installed;
pub(crate) mod journal;
pub(crate) mod program;
pub(crate) mod region_facts;
pub(crate) mod reqid;
pub(crate) mod state;
pub(crate) mod statistics;
pub(crate) mod system;
pub(crate) mod task;
pub(crate) mod tdqueue;
pub(crate) mod terminal;
pub(crate) mod transaction;
pub(crate) mod tsqueue;
pub(crate) mod uow;
pub(crate) mod uowenq;

use crate::command::{Cx, Done, Fail, NORMAL, ask_region, raise};
use transom_commands::{OptionId, opt};
use transom_resources::{Constant, ResourceKind};
use transom_types::Resp;
use transom_types::SetRequest;
use transom_wire::Space;
use transom_wire::definitions::Told;
use transom_wire::requests::RegionRequest;

/// What an INQUIRE call asks for.
enum Wanted {
    /// START or END was done, nothing to answer.
    Nothing,
    /// The resource of this padded name.
    Name(Vec<u8>),
}

/// START, NEXT and END of a browse, or the name of a plain INQUIRE. Conditions: ILLOGIC 1 (START
/// during a browse, NEXT or END without one), END 2 (no more).
fn wanted(cx: &mut Cx<'_>, space: Space, name: OptionId, bytes: usize) -> Result<Wanted, Fail> {
    let names = |cx: &mut Cx<'_>| Ok(cx.host.shared().group_names(space));
    wanted_of(cx, name, bytes, names)
}

/// The same with names that are not, or not only, those of a space.
fn wanted_of(
    cx: &mut Cx<'_>,
    name: OptionId,
    bytes: usize,
    names: impl FnOnce(&mut Cx<'_>) -> Result<Vec<Vec<u8>>, Fail>,
) -> Result<Wanted, Fail> {
    if cx.has(opt::START) {
        if cx.task.browses.named.contains_key(&name) {
            return raise(Resp::ILLOGIC, 1);
        }
        let at = cx.call.bytes(opt::AT).map(|from| padded(from, bytes));
        let mut names = names(cx)?;
        names.sort();
        names.dedup();
        names.retain(|name| at.as_ref().is_none_or(|at| name >= at));
        cx.task.browses.named.insert(name, names.into());
        return Ok(Wanted::Nothing);
    }
    let browses = &mut cx.task.browses.named;
    if cx.call.has(opt::END) {
        if browses.remove(&name).is_none() {
            return raise(Resp::ILLOGIC, 1);
        }
        return Ok(Wanted::Nothing);
    }
    if cx.call.has(opt::NEXT) {
        let Some(names) = browses.get_mut(&name) else {
            return raise(Resp::ILLOGIC, 1);
        };
        let Some(next) = names.pop_front() else {
            return raise(Resp::END, 2);
        };
        cx.set_bytes(name, &next, b' ');
        return Ok(Wanted::Name(next));
    }
    let given = padded(cx.call.bytes(name).unwrap_or(&[]), bytes);
    cx.resource(&given);
    Ok(Wanted::Name(given))
}

fn padded(name: &[u8], bytes: usize) -> Vec<u8> {
    let mut padded: Vec<u8> = name
        .iter()
        .map(|b| if *b == 0 { b' ' } else { *b })
        .collect();
    padded.resize(bytes, b' ');
    padded
}

/// Answers options in the way of a resource that has nothing to say about them.
fn no_value(cx: &mut Cx<'_>, texts: &[OptionId], numbers: &[OptionId], cvdas: &[OptionId]) {
    texts.iter().for_each(|option| cx.set_text(*option, ""));
    numbers.iter().for_each(|option| cx.set_number(*option, 0));
    cvdas
        .iter()
        .for_each(|option| cx.set_cvda(*option, "NOTAPPLIC"));
}

/// Answers what all resources of a kind say alike. What one says itself comes after it.
fn constants(cx: &mut Cx<'_>, kind: ResourceKind) {
    for (option, constant) in kind.constants() {
        match constant {
            Constant::Value(name) => cx.set_cvda(option, name),
            Constant::Number(number) => cx.set_number(option, i64::from(number)),
            Constant::Text => cx.set_text(option, ""),
        }
    }
}

/// Answers the value of a field.
fn tell(cx: &mut Cx<'_>, option: OptionId, told: Told<'_>) {
    match told {
        Told::Value(name) => cx.set_cvda(option, name),
        Told::Number(number) => cx.set_number(option, number),
        Told::Text(text) => cx.set_text(option, text),
        Told::Bytes(bytes) => cx.set_bytes(option, bytes, b' '),
    }
}

/// Asks the region for a change; its refusal is the command's condition.
fn ask(cx: &mut Cx<'_>, request: SetRequest) -> Done {
    let request = RegionRequest::Set(request);
    let answer = ask_region(cx.host, &request);
    if answer.resp == Resp::NORMAL {
        return NORMAL;
    }
    if !answer.text.is_empty() {
        cx.host.log(&answer.text);
    }
    raise(answer.resp, answer.resp2)
}

/// CVDA name of a yes-or-no attribute.
fn either(yes: bool, when: &'static str, otherwise: &'static str) -> &'static str {
    if yes { when } else { otherwise }
}
