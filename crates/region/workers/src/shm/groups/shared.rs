//! Groups as commands and the region see them, whichever segment they lie in.
//!
//! What: [`Shared`] on a segment. Not here: how a group lies in one (`groups`), groups of both
//! (`split`).

use super::nodes::{MAX_GROUP_NAME, kind_of, name_of};
use super::split::Split;
use super::{Groups, View};
use crate::shm::definitions::Definitions;
use crate::shm::layout::STRIPES;
use crate::shm::table::Table;
use std::sync::atomic::Ordering::Acquire;
use transom_wire::definitions::DEFINITION;
use transom_wire::{Group, Shared, Space, is_defined};

impl Shared for Groups<'_> {
    fn with_group(&self, space: Space, group: &[u8], f: &mut dyn FnMut(&mut dyn Group)) {
        let name = &group[..group.len().min(MAX_GROUP_NAME)];
        let definitions = Definitions::beside(self.0);
        if let Some(definitions) = definitions.filter(|_| is_defined(space, name, DEFINITION)) {
            let mut group = Split::of(self.0, definitions, (space, name));
            f(&mut group);
            return group.end();
        }
        let (mut view, _held) = View::locked(self.0, space, name);
        view.look();
        f(&mut view);
        view.drop_if_empty();
    }

    fn changes(&self, space: Space) -> u64 {
        let definitions = Definitions::beside(self.0).filter(|_| !space.is_of_tasks());
        let segment = definitions.map_or(self.0, Definitions::segment);
        segment.header().changes[space as usize].0.load(Acquire)
    }

    fn percent_used(&self) -> u8 {
        let heap = self.0.heap();
        let percent = heap.used_bytes().saturating_mul(100) / heap.total_bytes().max(1);
        u8::try_from(percent).unwrap_or(100).min(100)
    }

    fn group_names(&self, space: Space) -> Vec<Vec<u8>> {
        let Some(definitions) = Definitions::beside(self.0) else {
            return self.names(space);
        };
        // What is counted beside a definition is no group by itself.
        let mut names = match space.is_of_tasks() || space == Space::System {
            true => self.names(space),
            false => Vec::new(),
        };
        if !space.is_of_tasks() {
            names.extend(self.defined_names(definitions, space));
        }
        names
    }
}

impl Groups<'_> {
    /// Names of the groups in this segment.
    fn names(&self, space: Space) -> Vec<Vec<u8>> {
        let mut names = Vec::new();
        for stripe in 0..STRIPES {
            let _held = self.0.header().stripes[stripe].lock();
            if self.names_under(space, stripe, &mut names).is_none() {
                self.0.note_damage(kind_of(space));
            }
        }
        names
    }

    /// Adds those under one lock. `None`: the table was overwritten.
    fn names_under(&self, space: Space, stripe: usize, names: &mut Vec<Vec<u8>>) -> Option<()> {
        Table::of(self.0, space, stripe)?.walk_all(|at, node| {
            names.extend(name_of(self.0, at, node).map(<[u8]>::to_vec));
        })
    }

    /// Names of the groups that something is defined in.
    fn defined_names(&self, definitions: Definitions<'_>, space: Space) -> Vec<Vec<u8>> {
        let groups = Groups(definitions.segment());
        if definitions.writes() {
            return groups.names(space);
        }
        let mut names = Vec::new();
        for stripe in 0..STRIPES {
            let (found, sound) = definitions.read(stripe, || {
                let mut names = Vec::new();
                let walked = groups.names_under(space, stripe, &mut names);
                if walked.is_none() {
                    groups.0.note_damage(kind_of(space));
                }
                names
            });
            if !sound {
                self.0.note_damage(kind_of(space));
            }
            names.extend(found);
        }
        names
    }
}
