//! A counter: its name, arguments of both widths, and the way to the region.
//!
//! The region changes counters, where no program can store, and answers when the store has the
//! change: a number that a program was given never comes again, whatever happens to the region. Not
//! here: what each command makes of a counter (`transom_wire::counter`).

use transom_commands::{OptionId, opt};
use transom_region_task::command::{Cx, Fail, raise};
use transom_types::Resp;
use transom_wire::counter::{Compare, CounterKey};
pub(super) use transom_wire::counter::{Counter, Request};
use transom_wire::language::whole;

/// COUNTER or DCOUNTER.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// Signed fullword.
    Fullword,
    /// Unsigned doubleword.
    Doubleword,
}

/// Pool and name of the counter.
pub(super) fn key(cx: &mut Cx<'_>, width: Width) -> Result<CounterKey, Fail> {
    let option = match width {
        Width::Fullword => opt::COUNTER,
        Width::Doubleword => opt::DCOUNTER,
    };
    let name = cx.name::<16>(option).unwrap_or([b' '; 16]);
    let pool = cx.name::<8>(opt::POOL).unwrap_or([b' '; 8]);
    cx.resource(&name);
    let starts_well = name[0].is_ascii_uppercase() || b"$@#".contains(&name[0]);
    if !valid(&name) || !starts_well {
        return raise(Resp::INVREQ, 404);
    }
    if !valid(&pool) {
        return raise(Resp::INVREQ, 403);
    }
    let mut key = [0; 24];
    key[..8].copy_from_slice(&pool);
    key[8..].copy_from_slice(&name);
    Ok(key)
}

/// Upper-case letters, digits and `$@#_`, blanks at the end only.
fn valid(name: &[u8]) -> bool {
    let used = name.iter().rposition(|b| *b != b' ').map_or(0, |at| at + 1);
    name[..used]
        .iter()
        .all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b"$@#_".contains(b))
}

/// A number argument; doublewords are unsigned.
pub(super) fn argument(cx: &Cx<'_>, option: OptionId, width: Width) -> Option<i128> {
    let value = cx.number(option)?;
    Some(match width {
        Width::Fullword => i128::from(value),
        Width::Doubleword => i128::from(value as u64),
    })
}

/// Stores a number; `false`: it does not fit.
pub(super) fn store(cx: &mut Cx<'_>, option: OptionId, value: i128, width: Width) -> bool {
    match width {
        Width::Fullword => cx.set_number(option, i64::from(value as i32)),
        Width::Doubleword => cx.set_number(option, value as u64 as i64),
    }
    !cx.has(option)
        || match width {
            Width::Fullword => i32::try_from(value).is_ok(),
            Width::Doubleword => u64::try_from(value).is_ok(),
        }
}

/// COMPAREMIN and COMPAREMAX.
pub(super) fn compare(cx: &Cx<'_>, width: Width) -> Compare {
    Compare {
        min: argument(cx, opt::COMPAREMIN, width),
        max: argument(cx, opt::COMPAREMAX, width),
    }
}

/// Has the region carry it out; answers the number when the store has the counter. What is refused
/// or changes nothing is so by the counter as it is now, which workers can read.
pub(super) fn carry_out(cx: &mut Cx<'_>, request: &Request) -> Result<i128, Fail> {
    let now = find(cx, request.key());
    match request.apply(now) {
        Err((resp, resp2)) => raise(resp, resp2),
        Ok((after, number)) if after == now => Ok(number),
        Ok(_) => {
            let answer = cx.ask(request)?;
            whole(&answer).map_or_else(|| raise(Resp::INVREQ, 303), Ok)
        }
    }
}

/// The counter as it is now.
pub(super) fn find(cx: &Cx<'_>, key: &CounterKey) -> Option<Counter> {
    Counter::find(cx.host.shared(), key)
}
