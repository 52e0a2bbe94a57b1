//! What INQUIRE and PERFORM ask about the region itself.
//!
//! Not here: the commands, the answers' sources.

use crate::codec::{Reader, Writer};
use transom_types::TransClass;

/// A question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Question {
    /// Units of work under way.
    Units = 1,
    /// Transaction classes.
    Classes = 2,
    /// Write all statistics to the log and answer them.
    Statistics = 4,
    /// Change a transaction class.
    SetClass = 5,
}

impl Question {
    /// Of its byte.
    pub fn of(code: u8) -> Option<Self> {
        let all = [Self::Units, Self::Classes, Self::Statistics, Self::SetClass];
        all.into_iter().find(|question| *question as u8 == code)
    }
}

/// A unit of work under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct UnitFacts {
    pub number: u64,
    pub task: u32,
}

impl UnitFacts {
    pub fn put(self, out: &mut Writer) {
        out.u64(self.number).u32(self.task);
    }

    pub fn get(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            number: from.u64()?,
            task: from.u32()?,
        })
    }
}

/// A transaction class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassFacts {
    pub name: TransClass,
    pub max_active: u32,
    pub purge_threshold: u32,
    pub active: u32,
    pub queued: u32,
}

impl ClassFacts {
    pub fn put(self, out: &mut Writer) {
        out.raw(self.name.as_bytes())
            .u32(self.max_active)
            .u32(self.purge_threshold)
            .u32(self.active)
            .u32(self.queued);
    }

    pub fn get(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            name: TransClass::from_field(from.raw(TransClass::LEN)?),
            max_active: from.u32()?,
            purge_threshold: from.u32()?,
            active: from.u32()?,
            queued: from.u32()?,
        })
    }
}
