//! A counter in shared memory: its name, arguments of both widths, and the way to the store.
//!
//! A command that changed a counter goes on when the store has it: a number that a program was
//! given never comes again, whatever happens to the region. Not here: what each command does with
//! it.

use crate::command::{Cx, Done, Fail, NORMAL, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::Space;
pub(super) use transom_wire::counter::Counter;
use transom_wire::counter::{CounterKey, Request};

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

/// COMPAREMIN and COMPAREMAX: the value lies in the range, or outside the gap when the minimum is
/// above the maximum.
pub(super) fn compare_holds(cx: &Cx<'_>, value: i128, width: Width) -> bool {
    let low = argument(cx, opt::COMPAREMIN, width);
    let high = argument(cx, opt::COMPAREMAX, width);
    match (low, high) {
        (Some(low), Some(high)) if low > high => value >= low || value <= high,
        (low, high) => low.is_none_or(|low| value >= low) && high.is_none_or(|high| value <= high),
    }
}

/// Runs `change` on the counter under its lock and keeps what it leaves.
pub(super) fn change<T>(
    cx: &mut Cx<'_>,
    key: &CounterKey,
    mut change: impl FnMut(&Cx<'_>, &mut Counter) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let mut done = raise(Resp::INVREQ, 201);
    let mut changed = false;
    let cx_now = &*cx;
    cx_now
        .host
        .shared()
        .with_group(Space::Counter, key, &mut |group| {
            if let Some(mut counter) = Counter::read(group) {
                let before = counter;
                done = change(cx_now, &mut counter);
                // Same size as before: needs no new storage.
                if counter != before {
                    changed = counter.write(group);
                }
            }
        });
    let done = done?;
    if changed {
        keep(cx, key)?;
    }
    Ok(done)
}

/// Goes on when the store has the counter as it is now. Condition: INVREQ 303.
pub(super) fn keep(cx: &mut Cx<'_>, key: &CounterKey) -> Done {
    cx.ask(&Request::Keep(*key))?;
    NORMAL
}
