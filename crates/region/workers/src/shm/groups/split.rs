//! A group whose definition lies where no program can store, and the rest of it in the segment of
//! all.
//!
//! What: each item goes where it belongs; a part is looked at when it is needed. Why: a program
//! that is used is counted beside its definition. Not here: either part (`groups`, `definitions`).

use super::View;
use crate::shm::definitions::{Change, Definitions};
use crate::shm::lock::Held;
use crate::shm::{Kind, Segment};
use std::cell::OnceCell;
use transom_wire::definitions::DEFINITION;
use transom_wire::{Group, Space, is_defined};

/// A group of both segments.
pub(super) struct Split<'a> {
    segment: &'a Segment,
    definitions: Definitions<'a>,
    space: Space,
    name: &'a [u8],
    /// The region's, under its lock.
    own: OnceCell<Locked<'a>>,
    /// A worker's copy of what is defined.
    copy: OnceCell<Vec<(u32, Vec<u8>)>>,
    /// In the segment of all, under its lock.
    rest: OnceCell<Locked<'a>>,
}

/// A group under its lock. The change ends before the lock does.
struct Locked<'a> {
    view: View<'a>,
    change: Option<Change<'a>>,
    _held: Held<'a>,
}

impl<'a> Locked<'a> {
    fn of(segment: &'a Segment, space: Space, name: &'a [u8]) -> Self {
        let (mut view, held) = View::locked(segment, space, name);
        view.look();
        Self {
            view,
            change: None,
            _held: held,
        }
    }
}

impl<'a> Split<'a> {
    pub(super) fn of(
        segment: &'a Segment,
        definitions: Definitions<'a>,
        (space, name): (Space, &'a [u8]),
    ) -> Self {
        Self {
            segment,
            definitions,
            space,
            name,
            own: OnceCell::new(),
            copy: OnceCell::new(),
            rest: OnceCell::new(),
        }
    }

    /// Groups that are left without items go.
    pub(super) fn end(mut self) {
        if let Some(rest) = self.rest.get_mut() {
            rest.view.drop_if_empty();
        }
        if let Some(own) = self.own.get_mut()
            && own.change.is_some()
        {
            own.view.drop_if_empty();
        }
    }

    fn is_defined(&self, item: u32) -> bool {
        is_defined(self.space, self.name, item)
    }

    /// Nothing of the group lies elsewhere; of others one item says what is defined.
    fn is_whole(&self) -> bool {
        self.is_defined(DEFINITION + 1)
    }

    fn own(&self) -> &Locked<'a> {
        let segment = self.definitions.segment();
        self.own
            .get_or_init(|| Locked::of(segment, self.space, self.name))
    }

    /// The region's, to be changed. `None`: this is a worker.
    fn changed(&mut self) -> Option<&mut View<'a>> {
        // A command of a worker asks the region for the change.
        debug_assert!(self.definitions.writes(), "definitions are the region's");
        if !self.definitions.writes() {
            return None;
        }
        self.own();
        let (own, definitions) = (self.own.get_mut()?, self.definitions);
        let stripe = own.view.stripe;
        let begin = || definitions.change(stripe);
        own.change.get_or_insert_with(begin);
        Some(&mut own.view)
    }

    /// What is defined, copied by a worker.
    fn copy(&self) -> &[(u32, Vec<u8>)] {
        self.copy.get_or_init(|| {
            let mut view = View::of(self.definitions.segment(), self.space, self.name);
            let stripe = view.stripe;
            let (items, sound) = self.definitions.read(stripe, || {
                view.look();
                match self.is_whole() {
                    false => view.copy_of(DEFINITION).into_iter().collect(),
                    true => view.copies(),
                }
            });
            if !sound {
                self.segment.note_damage(Kind::Definition);
            }
            items
        })
    }

    fn rest(&self) -> &View<'a> {
        // The region always takes the two locks in this order.
        if self.definitions.writes() {
            self.own();
        }
        let locked = || Locked::of(self.segment, self.space, self.name);
        &self.rest.get_or_init(locked).view
    }

    fn rest_mut(&mut self) -> Option<&mut View<'a>> {
        self.rest();
        self.rest.get_mut().map(|rest| &mut rest.view)
    }
}

impl Group for Split<'_> {
    fn get(&self, item: u32) -> Option<&[u8]> {
        if !self.is_defined(item) {
            return self.rest().get(item);
        }
        if self.definitions.writes() {
            return self.own().view.get(item);
        }
        let mut items = self.copy().iter();
        items.find_map(|(number, bytes)| (*number == item).then_some(&**bytes))
    }

    fn put(&mut self, item: u32, bytes: &[u8]) -> bool {
        let part = match self.is_defined(item) {
            true => self.changed(),
            false => self.rest_mut(),
        };
        part.is_some_and(|part| part.put(item, bytes))
    }

    fn count(&mut self, item: u32, places: usize, place: usize, by: u64) {
        if self.is_defined(item) {
            return;
        }
        // The first count makes the group that the rest lies in.
        let counted = self.rest().node != 0 || self.get(DEFINITION).is_some();
        if counted
            && place < places
            && let Some(rest) = self.rest_mut()
        {
            rest.add(item, places, place, by);
        }
    }

    fn remove(&mut self, item: u32) {
        let part = match self.is_defined(item) {
            true => self.changed(),
            false => self.rest_mut(),
        };
        if let Some(part) = part {
            part.remove(item);
        }
    }

    fn remove_all(&mut self) {
        if let Some(own) = self.changed() {
            own.remove_all();
        }
        if let Some(rest) = self.rest_mut() {
            rest.remove_all();
        }
    }

    fn items(&self) -> Vec<u32> {
        let mut items = match self.definitions.writes() {
            true => self.own().view.items(),
            false => self.copy().iter().map(|(item, _)| *item).collect(),
        };
        if !self.is_whole() {
            items.extend(self.rest().items());
            items.sort_unstable();
        }
        items
    }
}
