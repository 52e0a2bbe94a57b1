//! EXEC CICS SIGNON, VERIFY PASSWORD, VERIFY PHRASE, CHANGE PASSWORD, CHANGE PHRASE.
//!
//! Conditions: USERIDERR 8 (unknown), INVREQ 30 (blank user of SIGNON); NOTAUTH 1 (no password), 2
//! (wrong), 3 (must be changed), 4 (the new one is not acceptable), 19 (revoked), 20 (not in the
//! group); INVREQ 9 (signed on already), 10 (no terminal), 14 (language), 18 (no registry), 29 (it
//! does not answer); LENGERR 1 and 2 (length of a phrase, of a new phrase).

use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use crate::environment::language;
use transom_commands::{OptionId, opt};
use transom_types::{Resp, TermId, UserId};
use transom_wire::secret::Secret;
use transom_wire::security::{Check, Facts, Request};

/// Longest phrase.
const PHRASE_BYTES_MAX: usize = 100;
/// From 1900, where ABSTIME begins, to 1970, in seconds.
const SECONDS_TO_1970: i64 = 25_567 * 86_400;

/// SIGNON.
pub(crate) fn sign_on(cx: &mut Cx<'_>) -> Done {
    let Some(terminal) = terminal(cx) else {
        return raise(Resp::INVREQ, 10);
    };
    let code = cx.name::<3>(opt::LANGUAGECODE);
    let natlang = cx.name::<1>(opt::NATLANG).map(|[suffix]| suffix);
    let Some(language) = language::asked(&cx.region.facts, natlang, code) else {
        return raise(Resp::INVREQ, 14);
    };
    let password = secret(cx)?;
    let facts = check(cx, Some(terminal), password)?;
    cx.set_text(opt::LANGINUSE, language.code);
    cx.set_text(opt::NATLANGINUSE, language.suffix);
    answer(cx, &facts)
}

/// VERIFY PASSWORD and VERIFY PHRASE.
pub(crate) fn verify(cx: &mut Cx<'_>) -> Done {
    let secrets = secret(cx)?;
    let facts = check(cx, None, secrets)?;
    answer(cx, &facts)
}

/// CHANGE PASSWORD and CHANGE PHRASE.
pub(crate) fn change(cx: &mut Cx<'_>) -> Done {
    let secrets = secret(cx)?;
    if secrets.1.as_ref().is_none_or(Secret::is_empty) {
        return raise(Resp::NOTAUTH, 4);
    }
    let facts = check(cx, None, secrets)?;
    answer(cx, &facts)
}

/// The terminal of the task. Not from the EIB: a program can write there.
pub(super) fn terminal(cx: &Cx<'_>) -> Option<TermId> {
    cx.task.terminal.get().map(|own| own.facts.terminal)
}

/// The secret and what shall replace it.
fn secret(cx: &Cx<'_>) -> Result<(Secret, Option<Secret>), Fail> {
    let word = |option| cx.call.bytes(option).map(Secret::password);
    let old = phrase(cx, opt::PHRASE, opt::PHRASELEN, 1)?.or_else(|| word(opt::PASSWORD));
    let new = phrase(cx, opt::NEWPHRASE, opt::NEWPHRASELEN, 2)?.or_else(|| word(opt::NEWPASSWORD));
    Ok((old.unwrap_or_else(|| Secret::password(b"")), new))
}

fn phrase(
    cx: &Cx<'_>,
    area: OptionId,
    length: OptionId,
    resp2: u32,
) -> Result<Option<Secret>, Fail> {
    if !cx.has(area) {
        return Ok(None);
    }
    let Some(length) = length_of(cx.call, area, &[length], PHRASE_BYTES_MAX) else {
        return raise(Resp::LENGERR, resp2);
    };
    Ok(Some(Secret::phrase(area_in(
        cx.host, cx.call, area, length,
    ))))
}

fn check(
    cx: &mut Cx<'_>,
    terminal: Option<TermId>,
    (secret, new): (Secret, Option<Secret>),
) -> Result<Facts, Fail> {
    let userid = UserId::from_field(&cx.name::<8>(opt::USERID).unwrap_or([b' '; 8]));
    if userid.is_blank() {
        return match terminal {
            Some(_) => raise(Resp::INVREQ, 30),
            None => raise(Resp::USERIDERR, 8),
        };
    }
    let group = UserId::from_field(&cx.name::<8>(opt::GROUPID).unwrap_or([b' '; 8]));
    let request = Request::Check(Check {
        terminal,
        userid: userid.as_str().to_ascii_uppercase(),
        group: group.as_str().to_ascii_uppercase(),
        secret,
        new,
    });
    // There is no external security manager whose codes these could be.
    for code in [opt::ESMRESP, opt::ESMREASON] {
        cx.set_number(code, 0);
    }
    let answer = cx.ask(&request)?;
    Ok(Facts::decode(&answer).unwrap_or_default())
}

fn answer(cx: &mut Cx<'_>, facts: &Facts) -> Done {
    let offset = i64::from(cx.host.utc_offset_s());
    let abstime = |seconds: u64| match i64::try_from(seconds) {
        Ok(seconds @ 1..) => (seconds + offset + SECONDS_TO_1970) * 1_000,
        _ => 0,
    };
    cx.set_number(opt::CHANGETIME, abstime(facts.changed));
    cx.set_number(opt::LASTUSETIME, abstime(facts.last_use));
    cx.set_number(opt::EXPIRYTIME, abstime(facts.expires));
    let now = (cx.host.abstime_ms() / 1_000) - SECONDS_TO_1970 - offset;
    let left = match i64::try_from(facts.expires) {
        Ok(expires @ 1..) => ((expires - now) / 86_400).clamp(0, i64::from(i16::MAX)),
        _ => -1,
    };
    cx.set_number(opt::DAYSLEFT, left);
    cx.set_number(opt::INVALIDCOUNT, i64::from(facts.wrong_attempts));
    NORMAL
}
