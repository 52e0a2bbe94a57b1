//! INQUIRE, SET and DISCARD of an installed resource, as the table of resource kinds says them.
//!
//! What: all of the command for a kind that needs nothing else, and its parts for those that do
//! (one file each). Conditions: that of the kind for a name nothing has; ILLOGIC 1, END 2 (browse);
//! INVREQ with the RESP2 of the table for a value SET does not take. Not here: what depends on the
//! moment.

use super::answer::{constants, tell};
use super::browse::{Wanted, padded, wanted};
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::OptionId;
use transom_resources::{ResourceKind, Set};
use transom_types::Resp;
use transom_wire::definitions::Installed;
use transom_wire::definitions::request::Request;

/// Which RESP2 a name that nothing has gets.
#[derive(Clone, Copy)]
pub(super) enum Verb {
    Inquire,
    Set,
    Discard,
}

/// INQUIRE.
pub(crate) fn inquire<T: Installed>(cx: &mut Cx<'_>) -> Done {
    if let Some(entry) = inquired::<T>(cx)? {
        answer(cx, &entry);
    }
    NORMAL
}

/// SET.
pub(crate) fn set<T: Installed>(cx: &mut Cx<'_>) -> Done {
    let (_, before) = named::<T>(cx, Verb::Set)?;
    check_values(cx, T::KIND)?;
    let mut entry = before.clone();
    change(cx, &mut entry)?;
    keep(cx, &before, &entry, Resp::INVREQ)
}

/// DISCARD.
pub(crate) fn discard<T: Installed>(cx: &mut Cx<'_>) -> Done {
    let (name, _) = named::<T>(cx, Verb::Discard)?;
    take_off(cx, T::KIND.keyword(), &name)
}

/// The region takes a definition off. What CREATE made does not come back at the next start.
pub(super) fn take_off(cx: &mut Cx<'_>, kind: &str, name: &[u8]) -> Done {
    let name = String::from_utf8_lossy(name).trim_end().to_owned();
    cx.ask(&Request::Discard {
        kind: kind.to_owned(),
        name,
    })?;
    NORMAL
}

/// The resource INQUIRE is about; `None`: START or END was done.
pub(super) fn inquired<T: Installed>(cx: &mut Cx<'_>) -> Result<Option<T>, Fail> {
    if T::KIND.is_one() {
        let (name, entry) = named::<T>(cx, Verb::Inquire)?;
        cx.set_bytes(T::KEY, &name, b' ');
        return Ok(Some(entry));
    }
    match wanted(cx, T::SPACE, T::KEY, T::KEY_BYTES)? {
        Wanted::Nothing => Ok(None),
        Wanted::Name(name) => find(cx, &name, Verb::Inquire).map(Some),
    }
}

/// Answers what all of the kind say alike, then what the resource says itself.
pub(super) fn answer<T: Installed>(cx: &mut Cx<'_>, entry: &T) {
    constants(cx, T::KIND);
    entry.tell(&mut |option, told| tell(cx, option, told));
}

/// The resource a command names, or the only one of its kind, with its padded name.
pub(super) fn named<T: Installed>(cx: &mut Cx<'_>, verb: Verb) -> Result<(Vec<u8>, T), Fail> {
    if T::KIND.is_one() {
        let found = T::only(cx.host.shared());
        let entry = found.map_or_else(|| missing::<T>(verb), Ok)?;
        return Ok((entry.name(), entry));
    }
    let name = padded(cx.call.bytes(T::KEY).unwrap_or_default(), T::KEY_BYTES);
    cx.resource(&name);
    let entry = find(cx, &name, verb)?;
    Ok((name, entry))
}

fn find<T: Installed>(cx: &Cx<'_>, name: &[u8], verb: Verb) -> Result<T, Fail> {
    let found = T::named(cx.host.shared(), name);
    found.map_or_else(|| missing::<T>(verb), Ok)
}

fn missing<T: Installed>(verb: Verb) -> Result<T, Fail> {
    let (resp, resp2) = T::MISSING;
    raise(resp, resp2[verb as usize])
}

/// Changes what SET says of fields.
pub(super) fn change<T: Installed>(cx: &Cx<'_>, entry: &mut T) -> Result<(), Fail> {
    entry.set(cx).or_else(|resp2| raise(Resp::INVREQ, resp2))
}

/// Keeps what SET has changed; `full` is the condition without room for it.
pub(super) fn keep<T: Installed>(cx: &mut Cx<'_>, before: &T, entry: &T, full: Resp) -> Done {
    if entry == before {
        return NORMAL;
    }
    let kept = cx.ask(&Request::Set {
        kind: T::KIND.keyword().to_owned(),
        name: entry.name(),
        record: entry.record(),
    });
    match kept {
        Err(Fail::Raise(Resp::NOSPACE, _)) => raise(full, 0),
        kept => kept.and(NORMAL),
    }
}

/// DFHVALUE(IGNORE): the attribute stays as it is.
const IGNORE: i64 = 1;
/// RESP2 of a number that is no CICS value, where the table has none for the option.
const NO_CICS_VALUE: u32 = 992;

/// The option says that nothing is to change.
pub(super) fn is_ignored(cx: &Cx<'_>, option: OptionId) -> bool {
    cx.number(option) == Some(IGNORE)
}

/// Refuses CICS values that SET does not take: with a RESP2 in the table all but those it names,
/// else what is no CICS value at all, so that nothing is refused that CICS takes.
pub(super) fn check_values(cx: &Cx<'_>, kind: ResourceKind) -> Result<(), Fail> {
    let of_attributes = kind.attributes().iter().flat_map(|a| a.answers);
    let mut settable = of_attributes
        .chain(kind.other_answers())
        .filter(|answer| answer.set != Set::No && !answer.words.is_empty());
    let refused = settable.find_map(|answer| {
        let given = cx.number(answer.option).filter(|value| *value != IGNORE)?;
        let mut words = answer.words.iter();
        let named = || {
            i32::try_from(given)
                .ok()
                .and_then(transom_commands::cvda_name)
        };
        match answer.resp2 {
            0 => named().is_none().then_some(NO_CICS_VALUE),
            resp2 => (!words.any(|word| cx.cvda_is(answer.option, word))).then_some(resp2),
        }
    });
    refused.map_or(Ok(()), |resp2| raise(Resp::INVREQ, resp2))
}

/// A number SET was given, within the range the table has for it.
pub(super) fn number(
    cx: &Cx<'_>,
    kind: ResourceKind,
    option: OptionId,
) -> Result<Option<u32>, Fail> {
    let Some(bounds) = kind.bounds(option) else {
        return Ok(None);
    };
    match bounds.check(cx.number(option)) {
        Ok(number) => Ok(number.and_then(|number| u32::try_from(number).ok())),
        Err(resp2) => raise(Resp::INVREQ, resp2),
    }
}
