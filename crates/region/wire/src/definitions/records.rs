//! Records of installed definitions, as the table of resource kinds says them.
//!
//! What: `build.rs` writes the types; what one of them does besides stands in its own module
//! (`program`, `file` ...). Not here: where records lie in shared memory.

use super::file_shape::FileShape;
use super::td_kind::TdKind;
use super::{get, only, put};
use crate::language;
use crate::shared::{Shared, Space};
use transom_commands::{OptionId, opt};
use transom_csd::Definition;
use transom_resources::{Bounds, ResourceKind};
use transom_types::{
    FileName, PlanName, ProfileName, ProgramName, Resp, SysId, TdQueueName, TermId, TransClass,
    TransId, UserId,
};

include!(concat!(env!("OUT_DIR"), "/records.rs"));

/// A record that lies in shared memory, a group for each name.
pub trait Installed: Sized + Clone + PartialEq {
    /// Its kind.
    const KIND: ResourceKind;
    /// Where it lies.
    const SPACE: Space;
    /// Option that names it.
    const KEY: OptionId;
    /// Bytes of its name.
    const KEY_BYTES: usize;
    /// Condition of a name that nothing has, and RESP2 of INQUIRE, SET, DISCARD.
    const MISSING: (Resp, [u32; 3]);

    /// Installs or replaces it. `false`: shared storage is full.
    #[must_use]
    fn store(&self, shared: &dyn Shared) -> bool;

    /// The installed one of this padded name.
    fn named(shared: &dyn Shared, name: &[u8]) -> Option<Self>;

    /// Its padded name.
    fn name(&self) -> Vec<u8>;

    /// Its bytes.
    fn record(&self) -> Vec<u8>;

    /// The one that has these bytes.
    fn of_record(bytes: &[u8]) -> Option<Self>;

    /// Takes over what SET can change.
    fn take(&mut self, _from: &Self) {}

    /// The installed one of a kind of which a region has but one.
    fn only(shared: &dyn Shared) -> Option<Self> {
        let names = shared.group_names(Self::SPACE);
        names.iter().find_map(|name| Self::named(shared, name))
    }

    /// Options of INQUIRE that are the values of fields.
    fn tell(&self, _tell: &mut dyn FnMut(OptionId, Told<'_>)) {}

    /// Changes what SET says of fields. The error is RESP2 of INVREQ.
    fn set(&mut self, _given: &dyn Given) -> Result<(), u32> {
        Ok(())
    }
}

/// What is done for all kinds in shared memory.
pub trait EachInstalled {
    /// Does it for one.
    fn kind<T: Installed>(&mut self);
}

/// What a SET command was given.
pub trait Given {
    /// A CICS value, as keyword or in its option.
    fn says(&self, keyword: OptionId, option: OptionId, value: &str) -> bool;
    /// A number.
    fn number(&self, option: OptionId) -> Option<i64>;
    /// A name, as it lies in the program.
    fn name(&self, option: OptionId) -> Option<&[u8]>;
}

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

/// A name that a program gave, blank padded.
fn padded<const N: usize>(given: &[u8]) -> [u8; N] {
    let mut field = [b' '; N];
    for (to, from) in field.iter_mut().zip(given) {
        *to = if *from == 0 { b' ' } else { *from };
    }
    field
}

/// A name as blank-padded bytes.
fn field<const N: usize>(text: &str) -> [u8; N] {
    let mut field = [b' '; N];
    for (to, from) in field.iter_mut().zip(text.as_bytes()) {
        *to = *from;
    }
    field
}
