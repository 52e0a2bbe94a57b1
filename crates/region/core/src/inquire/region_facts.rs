//! Questions to the region process that INQUIRE and PERFORM ask, and the bytes of the answers.

use crate::codec::{Reader, Writer};
use crate::command::{Cx, Fail};
use crate::requests::Domain;
use transom_types::TransClass;

/// A question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Question {
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
    pub(crate) fn of(code: u8) -> Option<Self> {
        let all = [Self::Units, Self::Classes, Self::Statistics, Self::SetClass];
        all.into_iter().find(|question| *question as u8 == code)
    }

    /// Asks; `more` is what the question needs besides.
    pub(crate) fn ask(self, cx: &mut Cx<'_>, more: &[u8]) -> Result<Vec<u8>, Fail> {
        let mut bytes = vec![self as u8];
        bytes.extend_from_slice(more);
        cx.ask(Domain::System, &bytes)
    }
}

/// A unit of work under way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct UnitFacts {
    pub number: u64,
    pub task: u32,
}

impl UnitFacts {
    pub(crate) fn put(self, out: &mut Writer) {
        out.u64(self.number).u32(self.task);
    }

    fn get(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            number: from.u64()?,
            task: from.u32()?,
        })
    }

    /// All of them, by number.
    pub(crate) fn all(cx: &mut Cx<'_>) -> Result<Vec<Self>, Fail> {
        let bytes = Question::Units.ask(cx, &[])?;
        let mut from = Reader(&bytes);
        let mut units: Vec<Self> = std::iter::from_fn(|| Self::get(&mut from)).collect();
        units.sort_by_key(|unit| unit.number);
        Ok(units)
    }
}

/// A transaction class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ClassFacts {
    pub name: TransClass,
    pub max_active: u32,
    pub purge_threshold: u32,
    pub active: u32,
    pub queued: u32,
}

impl ClassFacts {
    pub(crate) fn put(self, out: &mut Writer) {
        out.raw(self.name.as_bytes())
            .u32(self.max_active)
            .u32(self.purge_threshold)
            .u32(self.active)
            .u32(self.queued);
    }

    fn get(from: &mut Reader<'_>) -> Option<Self> {
        Some(Self {
            name: TransClass::from_field(from.raw(TransClass::LEN)?),
            max_active: from.u32()?,
            purge_threshold: from.u32()?,
            active: from.u32()?,
            queued: from.u32()?,
        })
    }

    /// All of them.
    pub(crate) fn all(cx: &mut Cx<'_>) -> Result<Vec<Self>, Fail> {
        let bytes = Question::Classes.ask(cx, &[])?;
        let mut from = Reader(&bytes);
        Ok(std::iter::from_fn(|| Self::get(&mut from)).collect())
    }
}
