//! Where READ NEXT goes on in a data set.
//!
//! What: the place after a READ or START, and records that were read ahead. Not here: statuses of
//! other statements (`vsam`).

use crate::answers::{Answered, Status};
use crate::questions::Comparison;
use std::collections::VecDeque;
use transom_datasets::{Condition, Dataset, Find, Found, Position, Start};
use transom_recovery::{Direction, UowId, wait};

/// Records read at a time.
const AHEAD: usize = 64;

/// Where the next record is.
#[derive(Debug, Clone, Default)]
pub(super) enum At {
    /// At the beginning.
    #[default]
    Beginning,
    /// At this key or the next one.
    From(Vec<u8>),
    /// Behind this record.
    Behind(Position),
    /// Nowhere: the last READ or START failed, or there are no more.
    Lost,
}

/// The way through a file by one of its keys.
#[derive(Default)]
pub(super) struct Browse {
    /// The key of reference.
    pub(super) key: usize,
    pub(super) at: At,
    ahead: VecDeque<Found>,
}

impl Browse {
    pub(super) fn at(key: usize, at: At) -> Self {
        Self {
            key,
            at,
            ahead: VecDeque::new(),
        }
    }

    /// Records have changed.
    pub(super) fn forget_ahead(&mut self) {
        self.ahead.clear();
    }

    /// The next record; none: there are no more. The error is 46 where the last one found none.
    pub(super) fn next(
        &mut self,
        dataset: &Dataset,
        uow: UowId,
    ) -> Result<Option<Found>, Answered> {
        if self.ahead.is_empty() {
            let start = match &self.at {
                At::Beginning => Start::End,
                At::From(key) => Start::At(key),
                At::Behind(position) => Start::After(position),
                At::Lost => return Err(Status::NO_POSITION.into()),
            };
            let found = wait(dataset.scan(Some(uow), start, Direction::Forward, AHEAD))?;
            self.ahead = found.into();
        }
        let found = self.ahead.pop_front();
        self.at = match &found {
            Some(found) => At::Behind(found.position.clone()),
            None => At::Lost,
        };
        Ok(found)
    }
}

/// The record START means: by the key, or by as many of its bytes as are given.
pub(super) fn find(
    dataset: &Dataset,
    uow: UowId,
    comparison: Comparison,
    value: &[u8],
) -> Result<Option<Position>, Condition> {
    let find = match comparison {
        Comparison::Equal if value.len() == dataset.key_length() => Find::Equal,
        Comparison::Equal => Find::Generic,
        Comparison::NotLess => Find::GreaterOrEqual,
        Comparison::Greater => return beyond(dataset, uow, Direction::Forward, value, true),
        Comparison::Less => return beyond(dataset, uow, Direction::Backward, value, true),
        Comparison::NotGreater => return beyond(dataset, uow, Direction::Backward, value, false),
    };
    match wait(dataset.read(Some(uow), value, find)) {
        Ok(found) => Ok(Some(found.position)),
        Err(Condition::NotFound) => Ok(None),
        Err(other) => Err(other),
    }
}

/// The first record in a direction; with `other` the first whose key does not begin so.
fn beyond(
    dataset: &Dataset,
    uow: UowId,
    direction: Direction,
    value: &[u8],
    other: bool,
) -> Result<Option<Position>, Condition> {
    let mut after: Option<Position> = None;
    loop {
        let start = after.as_ref().map_or(Start::At(value), Start::After);
        let found = wait(dataset.scan(Some(uow), start, direction, AHEAD))?;
        let Some(last) = found.last().map(|found| found.position.clone()) else {
            return Ok(None);
        };
        let mut positions = found.into_iter().map(|found| found.position);
        let first = positions.find(|position| !other || !position.key.starts_with(value));
        if first.is_some() {
            return Ok(first);
        }
        after = Some(last);
    }
}
