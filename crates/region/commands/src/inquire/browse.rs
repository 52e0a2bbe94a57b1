//! Which resource an INQUIRE is about: the one it names, or the next of a browse.
//!
//! Not here: browses of terminals, enqueues and units of work, which have no names in a space.

use crate::command::{Cx, Fail, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::Space;

/// What an INQUIRE call asks for.
pub(super) enum Wanted {
    /// START or END was done, nothing to answer.
    Nothing,
    /// The resource of this padded name.
    Name(Vec<u8>),
}

/// START, NEXT and END of a browse, or the name of a plain INQUIRE. Conditions: ILLOGIC 1 (START
/// during a browse, NEXT or END without one), END 2 (no more).
pub(super) fn wanted(
    cx: &mut Cx<'_>,
    space: Space,
    name: OptionId,
    bytes: usize,
) -> Result<Wanted, Fail> {
    let names = |cx: &mut Cx<'_>| Ok(cx.host.shared().group_names(space));
    wanted_of(cx, name, bytes, names)
}

/// The same with names that are not, or not only, those of a space.
pub(super) fn wanted_of(
    cx: &mut Cx<'_>,
    name: OptionId,
    bytes: usize,
    names: impl FnOnce(&mut Cx<'_>) -> Result<Vec<Vec<u8>>, Fail>,
) -> Result<Wanted, Fail> {
    wanted_in_order(cx, name, bytes, |cx| {
        let mut names = names(cx)?;
        names.sort();
        names.dedup();
        Ok(names)
    })
}

/// The same, browsed in the order of `names`.
pub(super) fn wanted_in_order(
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
    let given = cx.call.bytes(name).unwrap_or(&[]);
    let given = match name {
        // Any bytes are a name.
        opt::TSQUEUE | opt::TSQNAME => {
            let mut given = given.to_vec();
            given.resize(bytes, b' ');
            given
        }
        _ => padded(given, bytes),
    };
    cx.resource(&given);
    Ok(Wanted::Name(given))
}

pub(super) fn padded(name: &[u8], bytes: usize) -> Vec<u8> {
    let mut padded: Vec<u8> = name
        .iter()
        .map(|b| if *b == 0 { b' ' } else { *b })
        .collect();
    padded.resize(bytes, b' ');
    padded
}
