//! A counter in shared memory: its name, its numbers, arguments of both widths.
//!
//! Not here: what each command does with it.

use crate::command::{Cx, Fail, raise};
use transom_commands::{OptionId, opt};
use transom_types::Resp;
use transom_wire::language;
use transom_wire::{Group, Space};

const ITEM: u32 = 0;

/// COUNTER or DCOUNTER.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Width {
    /// Signed fullword.
    Fullword,
    /// Unsigned doubleword.
    Doubleword,
}

language! {
    /// A counter.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Counter {
        /// The number the next GET answers; `max + 1` at the limit.
        pub value: i128,
        pub min: i128,
        pub max: i128,
    }
}

impl Counter {
    pub(super) fn read(group: &dyn Group) -> Option<Self> {
        Self::decode(group.get(ITEM)?)
    }

    #[must_use]
    pub(super) fn write(&self, group: &mut dyn Group) -> bool {
        group.put(ITEM, &self.encode())
    }

    pub(super) fn at_limit(&self) -> bool {
        self.value > self.max
    }
}

/// Pool and name of the counter.
pub(super) fn key(cx: &mut Cx<'_>, width: Width) -> Result<[u8; 24], Fail> {
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

/// Runs `change` on the counter under its lock and stores what it leaves.
pub(super) fn change<T>(
    cx: &Cx<'_>,
    key: &[u8; 24],
    mut change: impl FnMut(&mut Counter) -> Result<T, Fail>,
) -> Result<T, Fail> {
    let mut done = raise(Resp::INVREQ, 201);
    cx.host
        .shared()
        .with_group(Space::Counter, key, &mut |group| {
            if let Some(mut counter) = Counter::read(group) {
                let before = counter;
                done = change(&mut counter);
                // Same size as before: needs no new storage.
                if counter != before {
                    let _ = counter.write(group);
                }
            }
        });
    done
}
