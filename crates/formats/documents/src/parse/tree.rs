//! The items of a statement by the groups they are in.
//!
//! Not here: what was found of them (`walk`).

use super::target::Target;

/// Most items of a statement.
const TARGETS_MAX: usize = 65_536;

/// All items, the receiver first.
#[derive(Debug, Default)]
pub(super) struct Tree {
    targets: Vec<Target>,
    /// Numbers of the items in each.
    inside: Vec<Vec<usize>>,
}

impl Tree {
    /// `None`: it has no place.
    pub(super) fn add(&mut self, target: Target) -> Option<()> {
        let number = self.targets.len();
        if number >= TARGETS_MAX {
            return None;
        }
        if number > 0 {
            let parent = usize::try_from(target.parent).ok()?;
            self.inside.get_mut(parent)?.push(number);
        }
        self.targets.push(target);
        self.inside.push(Vec::new());
        Some(())
    }

    pub(super) fn get(&self, number: usize) -> Option<&Target> {
        self.targets.get(number)
    }

    /// Items in a group; without one the receiver.
    pub(super) fn inside(&self, of: Option<usize>) -> &[usize] {
        match of {
            Some(group) => self.inside.get(group).map_or(&[], Vec::as_slice),
            None => &[0],
        }
    }

    /// The item of this name in a group.
    pub(super) fn named(&self, of: Option<usize>, name: &str) -> Option<usize> {
        let same = |target: &Target| match target.exact {
            true => target.name == name,
            false => target.name.eq_ignore_ascii_case(name),
        };
        let mut inside = self.inside(of).iter().copied();
        inside.find(|n| self.get(*n).is_some_and(same))
    }

    /// Something of it is not suppressed.
    pub(super) fn is_wanted(&self, target: usize) -> bool {
        let inside = self.inside(Some(target));
        self.get(target).is_some_and(|target| !target.suppressed)
            && (inside.is_empty() || inside.iter().any(|n| self.is_wanted(*n)))
    }
}
