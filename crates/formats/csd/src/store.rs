//! Groups and lists in memory.
//!
//! What: [`Csd`], what is in it and what installing it defines. Not here: the statements that
//! fill it (`apply`).

use crate::definition::Definition;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::fmt;
use transom_resources::ResourceKind;

/// The definitions of one system: groups of definitions and lists of groups.
#[derive(Debug, Clone, Default)]
pub struct Csd {
    pub(crate) groups: BTreeMap<String, Group>,
    pub(crate) lists: BTreeMap<String, Vec<String>>,
}

/// Definitions of one group in the order they were made.
#[derive(Debug, Clone, Default)]
pub(crate) struct Group {
    definitions: Vec<Definition>,
    index: HashMap<(ResourceKind, String), usize>,
}

/// Why something cannot be installed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum InstallError {
    /// There is no list or group of this name.
    NotFound(String),
}

impl fmt::Display for InstallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InstallError::NotFound(name) => write!(f, "there is no list or group {name}"),
        }
    }
}

impl std::error::Error for InstallError {}

/// Names of groups and lists IBM supplies (`DFHLIST`, `DFH$...`): they may stand in lists and in
/// GRPLIST although no deck defines them; what they would define is built in or not needed.
pub fn is_supplied(name: &str) -> bool {
    ["DFH", "EYU", "CEE"]
        .iter()
        .any(|prefix| name.starts_with(prefix))
}

impl Csd {
    /// No groups, no lists.
    pub fn new() -> Self {
        Self::default()
    }

    /// Names of all groups.
    pub fn groups(&self) -> impl Iterator<Item = &str> {
        self.groups.keys().map(String::as_str)
    }

    /// Definitions of a group, in the order they were made.
    pub fn group(&self, name: &str) -> Option<&[Definition]> {
        self.groups
            .get(name)
            .map(|group| group.definitions.as_slice())
    }

    /// Names of all lists.
    pub fn lists(&self) -> impl Iterator<Item = &str> {
        self.lists.keys().map(String::as_str)
    }

    /// Groups of a list, in order.
    pub fn list(&self, name: &str) -> Option<&[String]> {
        self.lists.get(name).map(Vec::as_slice)
    }

    /// How many definitions there are.
    pub fn definition_count(&self) -> usize {
        self.groups
            .values()
            .map(|group| group.definitions.len())
            .sum()
    }

    /// What installing these lists or groups (a list where both exist) one after the other defines.
    /// Of two definitions of one kind and name the later one counts, as in CICS.
    pub fn install(&self, names: &[&str]) -> Result<Vec<Definition>, InstallError> {
        let mut order: Vec<&Definition> = Vec::new();
        for name in names {
            let one = [(*name).to_string()];
            let (groups, from_list) = match self.lists.get(*name) {
                Some(list) => (list.as_slice(), true),
                None => (one.as_slice(), false),
            };
            for group in groups {
                match self.groups.get(group) {
                    Some(group) => order.extend(&group.definitions),
                    // CICS warns of a group in a list that does not exist and goes on.
                    None if from_list || is_supplied(group) => {}
                    None => return Err(InstallError::NotFound(group.clone())),
                }
            }
        }
        Ok(last_of_each(&order))
    }

    /// What installing everything defines: every list in name order, or every group in name order
    /// when there is no list.
    pub fn install_all(&self) -> Vec<Definition> {
        let lists: Vec<&str> = self.lists().collect();
        let groups: Vec<&str> = self.groups().collect();
        // Names of existing lists and groups cannot be missing.
        self.install(if lists.is_empty() { &groups } else { &lists })
            .unwrap_or_default()
    }
}

fn last_of_each(order: &[&Definition]) -> Vec<Definition> {
    let mut seen = HashSet::new();
    let mut out: Vec<Definition> = order
        .iter()
        .rev()
        .filter(|d| seen.insert((d.kind, d.name.as_str())))
        .map(|d| (*d).clone())
        .collect();
    out.reverse();
    out
}

impl Group {
    pub(crate) fn definitions(&self) -> &[Definition] {
        &self.definitions
    }

    pub(crate) fn contains(&self, kind: ResourceKind, name: &str) -> bool {
        self.index.contains_key(&(kind, name.to_string()))
    }

    /// Adds a definition; one of the same kind and name is replaced in its place.
    pub(crate) fn put(&mut self, definition: Definition) {
        let key = (definition.kind, definition.name.clone());
        match self.index.get(&key) {
            Some(at) => self.definitions[*at] = definition,
            None => {
                self.index.insert(key, self.definitions.len());
                self.definitions.push(definition);
            }
        }
    }

    /// Changes every definition `f` answers true for; answers how many.
    pub(crate) fn change(&mut self, mut f: impl FnMut(&mut Definition) -> bool) -> usize {
        self.definitions.iter_mut().map(|d| usize::from(f(d))).sum()
    }

    /// Removes definitions; answers how many.
    pub(crate) fn remove(&mut self, gone: impl Fn(&Definition) -> bool) -> usize {
        let before = self.definitions.len();
        self.definitions.retain(|d| !gone(d));
        let rows = self.definitions.iter().enumerate();
        self.index = rows.map(|(at, d)| ((d.kind, d.name.clone()), at)).collect();
        before - self.definitions.len()
    }
}
