//! EXEC CICS INQUIRE and SET TRANDUMPCODE: entries of the transaction dump table.
//!
//! There are no system dumps and no shutdown by a dump code: SYSDUMP, SHUTDOWN and RELATED are
//! refused. Conditions: NOTFND 1; SET: DUPREC 10 (ADD of a code that is there), INVREQ with numbers
//! of our own: 1 (the code is blank), 2 (ACTION), 3 (REMOVE with another option), 4 (MAXIMUM not 0
//! to 999), 5 (TRANDUMPING), 6 (SYSDUMPING), 7 (SHUTOPTION), 8 (DUMPSCOPE); INQUIRE: END 2 and
//! ILLOGIC 1 of browses.

use super::browse::{Wanted, wanted_of};
use super::change::one_of;
use crate::command::{Cx, Done, Fail, NORMAL, raise};
use crate::diagnostic::dump_code::{CODE_BYTES, Code, DUMPS_MAX, codes, padded, read, with, write};
use transom_commands::{OptionId, opt};
use transom_types::Resp;

/// INQUIRE TRANDUMPCODE.
pub(crate) fn inquire(cx: &mut Cx<'_>) -> Done {
    let names = |cx: &mut Cx<'_>| Ok(codes(cx.host));
    let Wanted::Name(name) = wanted_of(cx, opt::TRANDUMPCODE, CODE_BYTES, names)? else {
        return NORMAL;
    };
    let mut found = None;
    with(cx.host, &padded(&name), |group| found = read(group));
    let Some(entry) = found else {
        return raise(Resp::NOTFND, 1);
    };
    cx.set_number(opt::CURRENT, entry.current.into());
    cx.set_number(opt::MAXIMUM, entry.maximum.into());
    let taken = if entry.taken {
        "TRANDUMP"
    } else {
        "NOTRANDUMP"
    };
    cx.set_cvda(opt::TRANDUMPING, taken);
    NORMAL
}

/// What SET asks for besides ACTION.
struct Change {
    maximum: Option<u32>,
    taken: Option<bool>,
}

/// SET TRANDUMPCODE.
pub(crate) fn set(cx: &mut Cx<'_>) -> Done {
    let code = cx
        .name::<CODE_BYTES>(opt::TRANDUMPCODE)
        .unwrap_or([b' '; 4]);
    let code = code.map(|byte| byte.to_ascii_uppercase());
    if code == [b' '; 4] {
        return raise(Resp::INVREQ, 1);
    }
    let action = action(cx)?;
    let change = change(cx)?;
    let others = [
        opt::MAXIMUM,
        opt::TRANDUMPING,
        opt::TRANDUMP,
        opt::NOTRANDUMP,
        opt::SYSDUMPING,
        opt::NOSYSDUMP,
        opt::SHUTOPTION,
        opt::NOSHUTDOWN,
        opt::DUMPSCOPE,
        opt::LOCAL,
    ];
    if action == Some(opt::REMOVE) && others.iter().any(|option| cx.has(*option)) {
        return raise(Resp::INVREQ, 3);
    }
    let mut refused = None;
    with(cx.host, &code, |group| {
        let entry = read(group);
        match (action, entry) {
            (Some(opt::ADD), Some(_)) => refused = Some((Resp::DUPREC, 10)),
            (Some(opt::ADD), None) => write(group, change.of(Code::default())),
            (_, None) => refused = Some((Resp::NOTFND, 1)),
            (Some(opt::REMOVE), Some(_)) => group.remove_all(),
            (action, Some(mut entry)) => {
                if action == Some(opt::RESET) {
                    entry.current = 0;
                }
                write(group, change.of(entry));
            }
        }
    });
    match refused {
        Some((resp, resp2)) => raise(resp, resp2),
        None => NORMAL,
    }
}

impl Change {
    fn of(&self, entry: Code) -> Code {
        Code {
            maximum: self.maximum.unwrap_or(entry.maximum),
            taken: self.taken.unwrap_or(entry.taken),
            ..entry
        }
    }
}

fn action(cx: &Cx<'_>) -> Result<Option<OptionId>, Fail> {
    let known = [
        (opt::ADD, "ADD"),
        (opt::REMOVE, "REMOVE"),
        (opt::RESET, "RESET"),
    ];
    let given = |(option, name): &&(OptionId, &str)| cx.value_is(*option, opt::ACTION, name);
    match known.iter().find(given) {
        Some((option, _)) => Ok(Some(*option)),
        None if cx.has(opt::ACTION) => Err(Fail::Raise(Resp::INVREQ, 2)),
        None => Ok(None),
    }
}

fn change(cx: &Cx<'_>) -> Result<Change, Fail> {
    let maximum = match cx.number(opt::MAXIMUM).map(u32::try_from) {
        None => None,
        Some(Ok(maximum)) if maximum <= DUMPS_MAX => Some(maximum),
        Some(_) => return Err(Fail::Raise(Resp::INVREQ, 4)),
    };
    let taken = one_of(
        cx,
        (opt::TRANDUMPING, 5),
        (opt::TRANDUMP, "TRANDUMP"),
        (opt::NOTRANDUMP, "NOTRANDUMP"),
    )?;
    for (option, resp2, (on, when), (off, otherwise)) in [
        (
            opt::SYSDUMPING,
            6,
            (opt::SYSDUMP, "SYSDUMP"),
            (opt::NOSYSDUMP, "NOSYSDUMP"),
        ),
        (
            opt::SHUTOPTION,
            7,
            (opt::SHUTDOWN, "SHUTDOWN"),
            (opt::NOSHUTDOWN, "NOSHUTDOWN"),
        ),
        (
            opt::DUMPSCOPE,
            8,
            (opt::RELATED, "RELATED"),
            (opt::LOCAL, "LOCAL"),
        ),
    ] {
        if one_of(cx, (option, resp2), (on, when), (off, otherwise))? == Some(true) {
            return Err(Fail::Raise(Resp::INVREQ, resp2));
        }
    }
    Ok(Change { maximum, taken })
}
