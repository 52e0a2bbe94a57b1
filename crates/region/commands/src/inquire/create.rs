//! EXEC CICS CREATE of any kind whose file says that it works: a definition is installed that no
//! deck has.
//!
//! It is kept until it is discarded, also by a warm or emergency start. What the task has changed
//! is committed when the definition is installed, and backed out when it does not install; a
//! mistake in the command or in ATTRIBUTES changes nothing. Conditions: LENGERR 1 (ATTRLEN
//! negative); INVREQ 7 (LOGMESSAGE); INVREQ with a number of the mistake in the low halfword and,
//! where it is known, the offset in ATTRIBUTES in the high one: 400 (delimiter), 401 (keyword), 406
//! (twice), 410 (value or name), 412 (no value); 500 (it does not install). Differs: the high
//! halfword is 0 where CICS has the number of a keyword.

use crate::command::{Cx, Done, Fail, NORMAL, area_in, ask_region, length_of, raise};
use crate::syncpoint;
use transom_commands::opt;
use transom_types::Resp;
use transom_wire::definitions::request::Request;

/// Longest ATTRIBUTES.
const ATTRIBUTES_BYTES_MAX: usize = 32_767;

/// The command, for all kinds: its second word is the kind, and the option with the name.
pub(crate) fn create(cx: &mut Cx<'_>) -> Done {
    let command = transom_commands::command(cx.call.command());
    let kind = command.and_then(|command| command.words.get(1).copied());
    let named = kind.and_then(|kind| Some((transom_commands::option_by_name(kind)?, kind)));
    let Some((option, kind)) = named else {
        return raise(Resp::INVREQ, 0);
    };
    let name = cx.call.bytes(option).unwrap_or_default().to_vec();
    cx.resource(&name);
    if cx.number(opt::ATTRLEN).is_some_and(|length| length < 0) {
        return raise(Resp::LENGERR, 1);
    }
    let length = length_of(
        cx.call,
        opt::ATTRIBUTES,
        &[opt::ATTRLEN],
        ATTRIBUTES_BYTES_MAX,
    );
    let Some(length) = length else {
        return raise(Resp::LENGERR, 1);
    };
    let nolog = cx.value_is(opt::NOLOG, opt::LOGMESSAGE, "NOLOG");
    if cx.has(opt::LOGMESSAGE) && !nolog && !cx.cvda_is(opt::LOGMESSAGE, "LOG") {
        return raise(Resp::INVREQ, 7);
    }
    let text = |bytes: &[u8]| {
        bytes
            .iter()
            .map(|byte| char::from(*byte))
            .collect::<String>()
    };
    let request = Request::Create {
        kind: kind.to_owned(),
        name: text(&name).trim_end_matches([' ', '\0']).to_owned(),
        attributes: text(area_in(cx.host, cx.call, opt::ATTRIBUTES, length)),
        log: !nolog,
    };
    let answer = ask_region(cx.host, &request);
    if let Some(code) = answer.abend {
        return Err(Fail::Abend(code, answer.text));
    }
    if answer.resp == Resp::NORMAL {
        syncpoint::end_unit(cx, false)?;
        return NORMAL;
    }
    if answer.data != [1] {
        syncpoint::end_unit(cx, true)?;
    }
    raise(answer.resp, answer.resp2)
}
