//! Records of installed definitions, as the table of resource kinds says them.
//!
//! What: `build.rs` writes the types; what one of them does besides stands in its own module
//! (`program`, `file` ...). Not here: where records lie in shared memory.

use super::file_shape::FileShape;
use super::td_kind::TdKind;
use super::{get, put};
use crate::language;
use crate::shared::{Shared, Space};
use transom_commands::{OptionId, opt};
use transom_csd::Definition;
use transom_types::{ProgramName, SysId, TermId, TransClass, TransId, UserId};

include!(concat!(env!("OUT_DIR"), "/records.rs"));

/// What INQUIRE answers for an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Told<'a> {
    /// A CICS value by its name.
    Value(&'static str),
    /// A number.
    Number(i64),
    /// Text.
    Text(&'a str),
    /// A name as its padded bytes.
    Bytes(&'a [u8]),
}

/// What a fullword holds of a number.
fn number(value: impl Into<u64>, times: u64, divide: u64) -> Told<'static> {
    let number = value.into().saturating_mul(times) / divide;
    Told::Number(number.min(i32::MAX as u64) as i64)
}

/// Milliseconds of minutes and seconds in four digits; 0 for a word.
fn minutes_seconds(mmss: &str) -> u64 {
    let number: u64 = mmss.parse().unwrap_or(0);
    (number / 100 * 60 + number % 100) * 1_000
}

/// A name as blank-padded bytes.
fn field<const N: usize>(text: &str) -> [u8; N] {
    let mut field = [b' '; N];
    for (to, from) in field.iter_mut().zip(text.as_bytes()) {
        *to = *from;
    }
    field
}
