//! RIDFLD: key, RBA or slot number of a command, and how much of a key counts.

use super::access::Target;
use super::rid_kind::RidKind;
use transom_commands::opt;
use transom_datasets::Find;
use transom_messages as messages;
use transom_region_task::command::{Cx, Fail, area_in, area_out, raise};
use transom_types::Resp;
use transom_wire::definitions::FileType;

/// A record identification.
pub(super) struct Rid {
    pub kind: RidKind,
    /// As the data set has it; shorter than its keys when generic; empty: the lowest key.
    pub key: Vec<u8>,
    pub find: Find,
    /// GENERIC.
    pub generic: bool,
}

/// What the options say. Conditions: INVREQ 44 (RBA of a user-maintained data table), 51 (RBA of a
/// KSDS), 59 (XRBA of anything but an ESDS), ILLOGIC 110 (other mixtures). Records of a KSDS have
/// no RBA: in VSAM it is the place of a record, here there is none that lasts, and an index of
/// numbers nobody may keep would make each change slower.
pub(super) fn kind(cx: &mut Cx<'_>, target: &Target) -> Result<RidKind, Fail> {
    let given = if cx.has(opt::RBA) {
        RidKind::Rba
    } else if cx.has(opt::XRBA) {
        RidKind::Xrba
    } else if cx.has(opt::RRN) {
        RidKind::Rrn
    } else {
        RidKind::Key
    };
    let fits = match given {
        RidKind::Key => target.shape.is_keyed(),
        RidKind::Rba | RidKind::Xrba => {
            !target.shape.path && target.shape.organization == FileType::Esds
        }
        RidKind::Rrn => target.shape.organization == FileType::Rrds,
    };
    match given {
        _ if fits => Ok(given),
        RidKind::Rba | RidKind::Xrba if target.entry.is_user_table() => raise(Resp::INVREQ, 44),
        RidKind::Xrba => raise(Resp::INVREQ, 59),
        RidKind::Rba if target.shape.is_keyed() => {
            if cx.region.reported.insert((cx.call.command(), opt::RBA)) {
                let text = messages::fc::ksds_without_rba(target.name);
                cx.host.log(text.line());
            }
            raise(Resp::INVREQ, 51)
        }
        _ => raise(Resp::ILLOGIC, 110),
    }
}

/// The record the command means, found by `find` when neither GTEQ nor EQUAL is given. Conditions:
/// INVREQ 25 (generic key as long as the whole one, or longer), 26 (KEYLENGTH is not the length of
/// the key), 42 (KEYLENGTH below 0).
pub(super) fn read(cx: &mut Cx<'_>, target: &Target, find: Find) -> Result<Rid, Fail> {
    let kind = kind(cx, target)?;
    let whole = kind.bytes(&target.shape);
    let generic = kind == RidKind::Key && cx.has(opt::GENERIC);
    let length = key_length(cx, whole, kind, generic)?;
    let field = area_in(cx.host, cx.call, opt::RIDFLD, length);
    // Of a program in another region only the field came along.
    if field.len() < length {
        return raise(Resp::INVREQ, 26);
    }
    let key = kind.key(field);
    let gteq = match find {
        Find::GreaterOrEqual => !cx.has(opt::EQUAL),
        Find::Equal | Find::Generic => cx.has(opt::GTEQ),
    };
    let find = match (
        gteq && kind != RidKind::Rba && kind != RidKind::Xrba,
        generic,
    ) {
        (true, _) => Find::GreaterOrEqual,
        (false, true) => Find::Generic,
        (false, false) => Find::Equal,
    };
    Ok(Rid {
        kind,
        key,
        find,
        generic,
    })
}

/// KEYLENGTH, checked.
fn key_length(cx: &Cx<'_>, whole: usize, kind: RidKind, generic: bool) -> Result<usize, Fail> {
    let Some(given) = cx.number(opt::KEYLENGTH).filter(|_| kind == RidKind::Key) else {
        return if generic {
            raise(Resp::INVREQ, 25)
        } else {
            Ok(whole)
        };
    };
    match (usize::try_from(given), generic) {
        (Err(_), true) => raise(Resp::INVREQ, 42),
        (Ok(length), true) if length >= whole => raise(Resp::INVREQ, 25),
        (Ok(length), true) => Ok(length),
        (Ok(length), false) if length == whole => Ok(length),
        (_, false) => raise(Resp::INVREQ, 26),
    }
}

/// Stores the identification of a record, [`transom_datasets::Position::key`], in RIDFLD.
pub(super) fn show(cx: &mut Cx<'_>, kind: RidKind, key: &[u8]) {
    area_out(cx.host, cx.call, opt::RIDFLD, kind.field(key));
}
