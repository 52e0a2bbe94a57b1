//! EXEC CICS MONITOR: a user event monitoring point.
//!
//! Carries out what the monitoring control table (SIT MCT) says of the point, in its order; fields
//! come into the record of the task where it is measured. An error ends the point: what was done
//! before stays done. Conditions: INVREQ 1 (POINT not 0 to 255), 2 (the table has no such point of
//! ENTRYNAME, or there is no table), 3 (DATA1 is no address), 4 (DATA2 is more than there is room
//! for), 5 (DATA1 is needed), 6 (DATA2 is needed; MLTCNT and MOVE are done all the same, with the
//! number of the table).

use crate::command::{Cx, Done, Fail, NORMAL, raise};
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Instant;
use transom_commands::{OptionId, opt};
use transom_monitoring::{ControlTable, DEFAULT_ENTRY, How, Operand, Operation, UserFields};
use transom_types::Resp;
use transom_workers::seam::Address;

/// Clocks of users count from here.
static BEGUN: LazyLock<Instant> = LazyLock::new(Instant::now);

/// The command.
pub(crate) fn monitor(cx: &mut Cx<'_>) -> Done {
    let number = match cx.number(opt::POINT).map(u16::try_from) {
        Some(Ok(number)) if number <= 255 => number,
        _ => return raise(Resp::INVREQ, 1),
    };
    let entry = cx.name::<8>(opt::ENTRYNAME);
    let entry = entry.map(|entry| String::from_utf8_lossy(&entry).trim_end().to_owned());
    let Some(table) = control_table(cx) else {
        return raise(Resp::INVREQ, 2);
    };
    let point = table.point(entry.as_deref().unwrap_or(DEFAULT_ENTRY), number);
    let Some(point) = point else {
        return raise(Resp::INVREQ, 2);
    };
    if cx.task.user_fields.is_empty() {
        cx.task.user_fields = UserFields::of(&table);
    }
    for operation in &point.operations {
        carry_out(cx, operation, &table)?;
    }
    NORMAL
}

/// Nanoseconds of a clock that never goes back.
pub(crate) fn now_ns() -> u64 {
    u64::try_from(BEGUN.elapsed().as_nanos()).unwrap_or(u64::MAX)
}

/// It is that of the region's start, so it is read once.
fn control_table(cx: &Cx<'_>) -> Option<Rc<ControlTable>> {
    let read = || transom_wire::monitoring::control_table(cx.host.shared()).map(Rc::new);
    cx.region.caches.control_table.get_or_init(read).clone()
}

fn carry_out(cx: &mut Cx<'_>, operation: &Operation, table: &ControlTable) -> Result<(), Fail> {
    match *operation {
        Operation::Start(field) => cx.task.user_fields.start(field, now_ns()),
        Operation::Stop(field) => cx.task.user_fields.stop(field, now_ns()),
        Operation::Count {
            field,
            how,
            operand,
        } => {
            let value = match operand {
                Operand::Value(value) => value,
                Operand::Data1 => word(cx, opt::DATA1, 5)?,
                Operand::Data2 => word(cx, opt::DATA2, 6)?,
            };
            cx.task.user_fields.count(field, how, value);
        }
        Operation::Many { field, counts } => {
            let room = room(table, field, b'A');
            let (from, counts) = (address(cx)?, given(cx, counts, room)?);
            let (words, _) = cx.host.memory(from, counts * 4).as_chunks::<4>();
            for (field, word) in (field..).zip(words) {
                let value = u32::from_be_bytes(*word);
                cx.task.user_fields.count(field, How::Add, value);
            }
            return needs_data2(cx);
        }
        Operation::Move { field, at, length } => {
            let room = room(table, field, b'C').saturating_sub(at.into());
            let (from, length) = (address(cx)?, given(cx, length, room)?);
            let bytes = cx.host.memory(from, length);
            cx.task.user_fields.move_in(field, at, bytes);
            return needs_data2(cx);
        }
    }
    Ok(())
}

/// Counts, or bytes of the string, from a field on.
fn room(table: &ControlTable, field: u16, letter: u8) -> usize {
    let from = table.fields.get(usize::from(field)..).unwrap_or_default();
    let group = from.first().map(|first| &first.group);
    let same = from
        .iter()
        .take_while(|next| next.letter == letter && Some(&next.group) == group);
    match letter {
        b'C' => same.map(|piece| usize::from(piece.bytes)).sum(),
        _ => same.count(),
    }
}

/// A word of four bytes.
fn word(cx: &Cx<'_>, option: OptionId, missing: u32) -> Result<u32, Fail> {
    match cx.number(option) {
        Some(number) => Ok(number as u32),
        None => Err(Fail::Raise(Resp::INVREQ, missing)),
    }
}

/// The address in DATA1.
fn address(cx: &Cx<'_>) -> Result<Address, Fail> {
    match word(cx, opt::DATA1, 5)? & 0x7FFF_FFFF {
        0 | 0x7F00_0000 => Err(Fail::Raise(Resp::INVREQ, 3)),
        address => Ok(address as Address),
    }
}

/// The number in DATA2; none or 0: that of the table.
fn given(cx: &Cx<'_>, of_table: u16, room: usize) -> Result<usize, Fail> {
    let given = cx.number(opt::DATA2).filter(|given| *given != 0);
    let given = usize::try_from(given.unwrap_or(of_table.into()));
    let given = given.ok().filter(|given| *given <= room);
    given.ok_or(Fail::Raise(Resp::INVREQ, 4))
}

fn needs_data2(cx: &Cx<'_>) -> Result<(), Fail> {
    match cx.has(opt::DATA2) {
        true => Ok(()),
        false => Err(Fail::Raise(Resp::INVREQ, 6)),
    }
}
