//! EXEC CICS QUERY SECURITY: what a user may do with a resource.
//!
//! RESTYPE asks about resources of the region, which must be installed; RESCLASS about classes of
//! the installation. With SEC=NO everybody may do everything. Conditions: INVREQ 7 (LOGMESSAGE), 9
//! (RESID is blank); LENGERR 6 (RESIDLENGTH); NOTFND 1 (no such resource), 2 (RESTYPE), 3 (RESID of
//! SPCOMMAND), 5 (RESCLASS), 8 (no rule covers the resource of a RESCLASS); NOTAUTH 9 and USERIDERR
//! 8 (USERID).

use super::authority;
use crate::command::{Cx, Done, Fail, NORMAL, area_in, length_of, raise};
use transom_commands::opt;
use transom_types::{Resp, UserId};
use transom_wire::Space;
use transom_wire::security::Access;
use transom_wire::security::{Answer, Question, Request};

/// Resource types of CICS, and the class whose rules count here; empty: this region has none of
/// them.
const TYPES: [(&str, &str); 18] = [
    ("ATOMSERVICE", ""),
    ("BUNDLE", ""),
    ("DB2ENTRY", "DB2ENTRY"),
    ("DOCTEMPLATE", ""),
    ("EPADAPTER", ""),
    ("EPADAPTERSET", ""),
    ("EVENTBINDING", ""),
    ("FILE", "FILE"),
    ("JOURNALNAME", "JOURNALNAME"),
    ("JOURNALNUM", "JOURNALNAME"),
    ("PROGRAM", "PROGRAM"),
    ("PSB", ""),
    ("SPCOMMAND", "COMMAND"),
    ("TDQUEUE", "TDQUEUE"),
    ("TRANSACTION", "TRANSACTION"),
    ("TRANSATTACH", "TRANSACTION"),
    ("TSQUEUE", "TSQUEUE"),
    ("XMLTRANSFORM", ""),
];
/// Longest name of a resource.
const RESID_BYTES_MAX: usize = 246;

/// The command.
pub(crate) fn query_security(cx: &mut Cx<'_>) -> Done {
    let logs = cx.value_is(opt::LOG, opt::LOGMESSAGE, "LOG");
    let silent = cx.value_is(opt::NOLOG, opt::LOGMESSAGE, "NOLOG");
    if cx.has(opt::LOGMESSAGE) && !logs && !silent {
        return raise(Resp::INVREQ, 7);
    }
    let name = resource(cx)?;
    let kind = cx.name::<12>(opt::RESTYPE).map(|kind| text(&kind));
    let class = match &kind {
        Some(kind) => match TYPES.iter().find(|row| row.0 == kind.as_str()) {
            Some((_, class)) => (*class).to_owned(),
            None => return raise(Resp::NOTFND, 2),
        },
        None => cx
            .name::<8>(opt::RESCLASS)
            .map_or(String::new(), |c| text(&c)),
    };
    if kind.as_deref() == Some("SPCOMMAND") && !authority::is_command_kind(&name) {
        return raise(Resp::NOTFND, 3);
    }
    let access = if cx.region.facts.security.on {
        if let Some(kind) = &kind {
            installed(cx, kind, &name)?;
        }
        ask(cx, kind.is_none(), class, name, !silent)?
    } else {
        Access::Alter
    };
    for (option, wanted, yes, no) in [
        (opt::READ, Access::Read, "READABLE", "NOTREADABLE"),
        (opt::UPDATE, Access::Update, "UPDATABLE", "NOTUPDATABLE"),
        (opt::CONTROL, Access::Control, "CTRLABLE", "NOTCTRLABLE"),
        (opt::ALTER, Access::Alter, "ALTERABLE", "NOTALTERABLE"),
    ] {
        cx.set_cvda(option, if access >= wanted { yes } else { no });
    }
    NORMAL
}

/// RESID. Its length matters only with RESCLASS; a RESTYPE has names of a fixed length.
fn resource(cx: &Cx<'_>) -> Result<String, Fail> {
    match length_of(cx.call, opt::RESID, &[opt::RESIDLENGTH], RESID_BYTES_MAX) {
        Some(length @ 1..) => {
            let name = text(area_in(cx.host, cx.call, opt::RESID, length));
            if name.is_empty() {
                return raise(Resp::INVREQ, 9);
            }
            Ok(name)
        }
        _ => raise(Resp::LENGERR, 6),
    }
}

fn text(bytes: &[u8]) -> String {
    let text: String = bytes.iter().map(|b| char::from(*b)).collect();
    text.trim_end_matches([' ', '\0']).to_owned()
}

/// Kinds whose members are known must have this one.
fn installed(cx: &Cx<'_>, kind: &str, name: &str) -> Result<(), Fail> {
    let (space, bytes) = match kind {
        "FILE" => (Space::File, 8),
        "TRANSACTION" | "TRANSATTACH" => (Space::Transaction, 4),
        "TDQUEUE" => (Space::TransientData, 4),
        "PROGRAM" if !cx.region.facts.program_autoinstall => (Space::Program, 8),
        _ => return Ok(()),
    };
    let padded = format!("{name:bytes$}").into_bytes();
    let names = cx.host.shared().group_names(space);
    match names.contains(&padded) {
        true => Ok(()),
        false => raise(Resp::NOTFND, 1),
    }
}

fn ask(
    cx: &mut Cx<'_>,
    own_class: bool,
    class: String,
    name: String,
    log: bool,
) -> Result<Access, Fail> {
    let other = cx
        .name::<8>(opt::USERID)
        .map(|user| UserId::from_field(&user));
    let user = other.unwrap_or(cx.task.userid);
    if user != cx.task.userid {
        let mine = Question {
            user: cx.task.userid,
            class: "SURROGATE".into(),
            name: format!("{user}.DFHQUERY"),
            wanted: Access::Read,
            log,
        };
        if send(cx, mine)?.access.unwrap_or_default() < Access::Read {
            return raise(Resp::NOTAUTH, 9);
        }
    }
    let answer = send(
        cx,
        Question {
            user,
            class,
            name,
            wanted: Access::Read,
            log,
        },
    )?;
    if other.is_some() && !answer.user_known {
        return raise(Resp::USERIDERR, 8);
    }
    if own_class && !answer.class_known {
        return raise(Resp::NOTFND, 5);
    }
    match answer.access {
        None if own_class => raise(Resp::NOTFND, 8),
        access => Ok(access.unwrap_or_default()),
    }
}

fn send(cx: &mut Cx<'_>, question: Question) -> Result<Answer, Fail> {
    let bytes = cx.ask(&Request::Access(question))?;
    Ok(Answer::decode(&bytes).unwrap_or_default())
}
