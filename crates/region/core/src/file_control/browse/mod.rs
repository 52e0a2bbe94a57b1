//! Browses: where one stands, and reading on from there.
//!
//! What: the state STARTBR makes and ENDBR ends, moved by READNEXT and READPREV, with records read ahead. A READNEXT after a
//! READPREV (and the other way round) is a new positioning at the same key, as is a changed RIDFLD. Nothing of the
//! store stays open between two commands. Not here: the commands (one file each).

pub(crate) mod endbr;
pub(crate) mod readnext;
pub(crate) mod readprev;
pub(crate) mod resetbr;
pub(crate) mod startbr;

use super::access::{Target, target};
use super::rid::{self, Rid, RidKind};
use super::wire::From;
use super::{record, source};
use crate::command::{Cx, Done, Fail, NORMAL, area_in, raise};
use crate::definitions::FileUse;
use std::collections::VecDeque;
use transom_commands::opt;
use transom_datasets::{Find, Found, Position};
use transom_recovery::Direction;
use transom_types::{ProgramName, Resp};

/// Records of one batch, growing while a browse goes on in one direction.
const BATCHES: [u32; 3] = [1, 8, 64];

/// A browse of a task.
pub(crate) struct Browse {
    file: ProgramName,
    reqid: i64,
    kind: RidKind,
    find: Find,
    /// Bytes of the generic key.
    generic: Option<usize>,
    place: Place,
    /// What RIDFLD held when the program saw it last.
    shown: Vec<u8>,
    /// Table of the base records.
    base: String,
    ahead: VecDeque<Found>,
    /// Batches read in this direction.
    batches: usize,
}

/// Where a browse stands.
#[derive(Clone)]
enum Place {
    /// At a key that was asked for.
    Key(Vec<u8>),
    /// Behind the last record.
    High,
    /// At the record read last, in this direction.
    On(Position, Direction),
}

impl Browse {
    /// Records read ahead may be old now.
    pub(super) fn forget_ahead(&mut self, base: &str) {
        if self.base == base {
            self.ahead.clear();
        }
    }
}

/// REQID; the default is 0.
fn reqid(cx: &Cx<'_>) -> i64 {
    cx.number(opt::REQID).unwrap_or(0)
}

/// The browse of this file and REQID.
fn find(cx: &Cx<'_>, file: ProgramName, reqid: i64) -> Option<usize> {
    let mut browses = cx.task.files.browses.iter();
    browses.position(|browse| browse.file == file && browse.reqid == reqid)
}

/// Where STARTBR or RESETBR begins. Condition: NOTFND 80.
fn begin(cx: &mut Cx<'_>, target: &Target, reqid: i64) -> Result<Browse, Fail> {
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
        ahead: VecDeque::new(),
        batches: 0,
    };
    if generic.is_some() || !is_high(&key) {
        let first = source::read(cx, target, &key, find)?;
        browse.ahead.push_back(first);
        browse.place = Place::Key(key);
    }
    Ok(browse)
}

/// READNEXT and READPREV.
fn read(cx: &mut Cx<'_>, direction: Direction) -> Done {
    let target = target(cx, Some(FileUse::Browse), |_| true)?;
    let Some(at) = find(cx, target.name, reqid(cx)) else {
        return raise(Resp::INVREQ, 34);
    };
    if cx.has(opt::UPDATE) || cx.has(opt::TOKEN) {
        // Updates in a browse need record level sharing.
        return raise(Resp::INVREQ, 20);
    }
    let mut browse = cx.task.files.browses.swap_remove(at);
    let found = step(cx, &target, &mut browse, direction);
    let kind = browse.kind;
    cx.task.files.browses.push(browse);
    let found = found?;
    rid::show(cx, kind, &found.position);
    record::give(cx, &target, &found.record)?;
    if found.duplicate {
        return raise(Resp::DUPKEY, 140);
    }
    NORMAL
}

/// Moves a browse by one record.
fn step(
    cx: &mut Cx<'_>,
    target: &Target,
    browse: &mut Browse,
    direction: Direction,
) -> Result<Found, Fail> {
    if RidKind::of(cx, target)? != browse.kind {
        return raise(Resp::INVREQ, 37);
    }
    if direction == Direction::Backward && browse.generic.is_some() {
        return raise(Resp::INVREQ, 24);
    }
    let moved = reposition(cx, target, browse)?;
    let found = match (browse.place.clone(), direction) {
        (Place::High, Direction::Forward) => return raise(Resp::ENDFILE, 90),
        (Place::High, Direction::Backward) => next(cx, target, browse, From::End, direction)?,
        (Place::Key(key), Direction::Forward) => at_key(cx, target, browse, &key, moved)?,
        (Place::Key(key), Direction::Backward) => {
            browse.ahead.clear();
            // Backward a key means the record that has it.
            Some(source::read(cx, target, &key, Find::Equal)?)
        }
        (Place::On(position, before), _) if before == direction => {
            next(cx, target, browse, From::After(position), direction)?
        }
        (Place::On(position, _), _) => {
            browse.ahead.clear();
            browse.batches = 0;
            next(cx, target, browse, From::At(position.key), direction)?
        }
    };
    let Some(found) = found else {
        return raise(Resp::ENDFILE, 90);
    };
    browse.place = Place::On(found.position.clone(), direction);
    browse.shown = browse.kind.field(&found.position).to_vec();
    Ok(found)
}

/// The record at a key the program gave; the first one may have been read by STARTBR.
fn at_key(
    cx: &mut Cx<'_>,
    target: &Target,
    browse: &mut Browse,
    key: &[u8],
    moved: bool,
) -> Result<Option<Found>, Fail> {
    match browse.ahead.pop_front() {
        Some(first) if !moved => Ok(Some(first)),
        _ => source::read(cx, target, key, browse.find).map(Some),
    }
}

/// The next record read ahead, or of a new batch.
fn next(
    cx: &mut Cx<'_>,
    target: &Target,
    browse: &mut Browse,
    from: From,
    direction: Direction,
) -> Result<Option<Found>, Fail> {
    if browse.ahead.is_empty() {
        let size = BATCHES.get(browse.batches).or(BATCHES.last());
        let batch = source::scan(cx, target, from, direction, size.copied().unwrap_or(1))?;
        browse.ahead = batch.into();
        browse.batches += 1;
    }
    Ok(browse.ahead.pop_front())
}

/// Takes over a RIDFLD or KEYLENGTH the program has changed; true when it had. Conditions: INVREQ 25, 26, 42 as for
/// `rid`.
fn reposition(cx: &mut Cx<'_>, target: &Target, browse: &mut Browse) -> Result<bool, Fail> {
    let whole = browse.kind.bytes(target);
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
    let now = area_in(cx.host, cx.call, opt::RIDFLD, browse.shown.len()).to_vec();
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
    browse.place = if browse.generic.is_none() && is_high(&key) {
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
