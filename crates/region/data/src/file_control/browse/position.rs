//! Where a browse stands, and reading on from there.
//!
//! A READNEXT after a READPREV (and the other way round) is a new positioning at the same key, as
//! is a changed RIDFLD. Records are read ahead; nothing of the store stays open between two
//! commands.

use crate::file_control::access::Target;
use crate::file_control::rid::{self, Rid};
use crate::file_control::rid_kind::RidKind;
use crate::file_control::source;
use crate::file_control::state::{Browse, Place};
use transom_commands::opt;
use transom_datasets::{Batch, Find, Position, Start};
use transom_recovery::Direction;
use transom_region_task::command::{Cx, Fail, area_in, raise};
use transom_types::{FileName, Resp};

/// Records of one batch, growing while a browse goes on in one direction.
const BATCHES: [u32; 3] = [1, 8, 64];

/// REQID; the default is 0.
pub(super) fn reqid(cx: &Cx<'_>) -> i64 {
    cx.number(opt::REQID).unwrap_or(0)
}

/// The browse of this file and REQID.
pub(super) fn find(cx: &Cx<'_>, file: FileName, reqid: i64) -> Option<usize> {
    let mut browses = cx.task.files.browses.iter();
    browses.position(|browse| browse.file == file && browse.reqid == reqid)
}

/// Where STARTBR or RESETBR begins. Condition: NOTFND 80.
pub(super) fn begin(cx: &mut Cx<'_>, target: &Target, reqid: i64) -> Result<Browse, Fail> {
    let default = match (target.shape.is_keyed(), cx.has(opt::RRN)) {
        (false, false) => Find::Equal,
        _ => Find::GreaterOrEqual,
    };
    let Rid {
        kind,
        key,
        find,
        generic,
    } = rid::read(cx, target, default)?;
    let shown = area_in(cx.host, cx.call, opt::RIDFLD, shown_bytes(kind, &key)).to_vec();
    let generic = generic.then_some(key.len());
    let mut browse = Browse {
        file: target.name,
        reqid,
        kind,
        find,
        generic,
        place: Place::High,
        shown,
        base: target.shape.base.clone(),
        position: Position::of_base(&[]),
        ahead: Batch::default(),
        batches: 0,
        token: None,
    };
    if generic.is_some() || !is_high(kind.field(&key)) {
        let first = source::read(cx, target, &key, find)?;
        browse.ahead.push((&first).into());
        browse.place = Place::Key(key);
    }
    Ok(browse)
}

/// Puts the record to come at the front of those read ahead; none when there is no more.
pub(super) fn seek(
    cx: &mut Cx<'_>,
    target: &Target,
    browse: &mut Browse,
    direction: Direction,
) -> Result<(), Fail> {
    if rid::kind(cx, target)? != browse.kind {
        return raise(Resp::INVREQ, 37);
    }
    if direction == Direction::Backward && browse.generic.is_some() {
        return raise(Resp::INVREQ, 24);
    }
    let moved = reposition(cx, target, browse)?;
    let Browse {
        place,
        position,
        ahead,
        batches,
        ..
    } = browse;
    let start = match (&*place, direction) {
        (Place::High, Direction::Forward) => {
            ahead.clear();
            return Ok(());
        }
        (Place::Key(_), Direction::Forward) if !moved && !ahead.is_empty() => return Ok(()),
        (Place::Key(key), _) => {
            // Backward a key means the record that has it.
            let find = match direction {
                Direction::Forward => browse.find,
                Direction::Backward => Find::Equal,
            };
            ahead.clear();
            ahead.push((&source::read(cx, target, key, find)?).into());
            return Ok(());
        }
        (Place::High, Direction::Backward) => Start::End,
        (Place::On(before), _) if *before == direction => Start::After(position),
        (Place::On(_), _) => {
            ahead.clear();
            *batches = 0;
            Start::At(&position.key)
        }
    };
    if ahead.is_empty() {
        let size = BATCHES.get(*batches).or(BATCHES.last());
        let limit = size.copied().unwrap_or(1);
        source::fill(cx, target, start, direction, limit, ahead)?;
        *batches += 1;
    }
    Ok(())
}

/// Takes over a RIDFLD or KEYLENGTH the program has changed; true when it had. Conditions: INVREQ
/// 25, 26, 42 as for `rid`.
fn reposition(cx: &mut Cx<'_>, target: &Target, browse: &mut Browse) -> Result<bool, Fail> {
    let whole = browse.kind.bytes(&target.shape);
    let given = cx
        .number(opt::KEYLENGTH)
        .filter(|_| browse.kind == RidKind::Key);
    let length = match (given.map(usize::try_from), browse.generic) {
        (None, None) => whole,
        (None, Some(generic)) => generic,
        (Some(Ok(length)), None) if length == whole => whole,
        (Some(_), None) => return raise(Resp::INVREQ, 26),
        (Some(Err(_)), Some(_)) => return raise(Resp::INVREQ, 42),
        (Some(Ok(length)), Some(_)) if length > whole => return raise(Resp::INVREQ, 25),
        (Some(Ok(length)), Some(_)) => length,
    };
    let now = area_in(cx.host, cx.call, opt::RIDFLD, browse.shown.len());
    let other_length = browse.generic.is_some_and(|generic| generic != length) && length != whole;
    if now == browse.shown && !other_length {
        return Ok(false);
    }
    let field = area_in(cx.host, cx.call, opt::RIDFLD, length).to_vec();
    let key = browse.kind.key(&field);
    if browse.generic.is_some() {
        browse.generic = Some(length);
    }
    browse.ahead.clear();
    browse.batches = 0;
    browse.place = if browse.generic.is_none() && is_high(&field) {
        Place::High
    } else {
        Place::Key(key)
    };
    browse.shown = field;
    Ok(true)
}

/// High values mean the end of the file.
fn is_high(key: &[u8]) -> bool {
    !key.is_empty() && key.iter().all(|byte| *byte == 0xFF)
}

fn shown_bytes(kind: RidKind, key: &[u8]) -> usize {
    match kind {
        RidKind::Rba => 4,
        RidKind::Key | RidKind::Xrba | RidKind::Rrn => key.len(),
    }
}
