//! Changes an API mapping makes to a shape: remove, rename, move, assign, reorder.
//!
//! Members are named by paths of JSON names with `/` between them, from the outermost object:
//! `CreAcc/CommKey/CommSortcode`. A path passes through tables into their elements.

use super::{Kind, Literal, MAX_DEPTH, Node, OverrideId, Presence, Shape};
use std::fmt;
use transom_messages as messages;
use transom_messages::Problem;

/// Why a change is not possible.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ShapeError {
    /// No member of this path.
    NoSuchMember(String),
    /// A value from outside the body cannot go into (or come from) each element of a table.
    InsideTable(String),
    /// The member is a group or table where an elementary item is needed.
    NotElementary(String),
    /// Two members of one object would have this path.
    Duplicate(String),
}

impl ShapeError {
    /// What to tell of it.
    pub fn message(&self) -> messages::Message {
        match self {
            ShapeError::NoSuchMember(path) => messages::cb::member_not_found(path),
            ShapeError::InsideTable(path) => messages::cb::inside_array(path),
            ShapeError::NotElementary(path) => messages::cb::not_elementary(path),
            ShapeError::Duplicate(path) => messages::cb::member_exists(path),
        }
    }
}

impl From<ShapeError> for Problem {
    fn from(error: ShapeError) -> Problem {
        Problem::from(error.message())
    }
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message().fmt(f)
    }
}

impl std::error::Error for ShapeError {}

/// The node of a path below `node`; an empty path is `node` itself.
pub fn find<'a>(node: &'a Node, path: &str) -> Option<&'a Node> {
    let mut at = node;
    for name in segments(path).take(MAX_DEPTH) {
        at = children(at)?.into_iter().find(|child| child.name == name)?;
    }
    Some(at)
}

/// The same, to change it.
pub fn find_mut<'a>(node: &'a mut Node, path: &str) -> Option<&'a mut Node> {
    let mut at = node;
    for name in segments(path).take(MAX_DEPTH) {
        at = children_mut(at)?
            .into_iter()
            .find(|child| child.name == name)?;
    }
    Some(at)
}

impl Shape {
    /// The node of a path.
    pub fn find(&self, path: &str) -> Option<&Node> {
        find(&self.root, path)
    }

    /// Takes a member out of the body; it keeps its default or initial value.
    pub fn remove(&mut self, path: &str) -> Result<(), ShapeError> {
        self.change(path, |node| node.presence = Presence::Hidden)
    }

    /// Puts a hidden member (back) into the body.
    pub fn show(&mut self, path: &str) -> Result<(), ShapeError> {
        self.change(path, |node| node.presence = Presence::Shown)
    }

    /// Takes a member out of the body; its value comes from (or goes to) the outside value `id`.
    pub fn move_outside(&mut self, path: &str, id: OverrideId) -> Result<(), ShapeError> {
        self.elementary(path)?;
        self.change(path, |node| node.presence = Presence::Outside(id))
    }

    /// Gives a member another name in the body.
    pub fn rename(&mut self, path: &str, name: &str) -> Result<(), ShapeError> {
        let (parent, old) = path.rsplit_once('/').unwrap_or(("", path));
        let taken = old != name
            && self.find(parent).and_then(children).is_some_and(|all| {
                all.iter()
                    .any(|child| child.name == name && child.presence == Presence::Shown)
            });
        if taken {
            return Err(ShapeError::Duplicate(format!("{parent}/{name}")));
        }
        self.change(path, |node| node.name = name.to_owned())
    }

    /// Fixes the value of an elementary member: requests cannot set it, responses always show it.
    pub fn assign(&mut self, path: &str, value: Literal) -> Result<(), ShapeError> {
        let node = self
            .find(path)
            .ok_or_else(|| ShapeError::NoSuchMember(path.to_owned()))?;
        if matches!(
            node.kind,
            Kind::Object(_) | Kind::Array(_) | Kind::Select(_)
        ) {
            return Err(ShapeError::NotElementary(path.to_owned()));
        }
        self.change(path, |node| node.assign = Some(value))
    }

    /// Value of an elementary member when a request has none.
    pub fn set_default(&mut self, path: &str, value: Literal) -> Result<(), ShapeError> {
        self.change(path, |node| node.default = Some(value))
    }

    /// Brings the members of the object at `path` into the order of `names`; members not named
    /// follow in their present order.
    pub fn reorder(&mut self, path: &str, names: &[&str]) -> Result<(), ShapeError> {
        self.change(path, |node| {
            let node = match &mut node.kind {
                Kind::Array(array) => &mut array.element,
                _ => node,
            };
            if let Kind::Object(members) = &mut node.kind {
                members.sort_by_key(|m| {
                    names
                        .iter()
                        .position(|n| *n == m.name)
                        .unwrap_or(names.len())
                });
            }
        })
    }

    fn change(&mut self, path: &str, how: impl FnOnce(&mut Node)) -> Result<(), ShapeError> {
        let node = find_mut(&mut self.root, path)
            .ok_or_else(|| ShapeError::NoSuchMember(path.to_owned()))?;
        how(node);
        Ok(())
    }

    /// Whether a single value can come from or go to this member.
    pub(crate) fn elementary(&self, path: &str) -> Result<(), ShapeError> {
        let mut at = &self.root;
        for name in segments(path).take(MAX_DEPTH) {
            if matches!(at.kind, Kind::Array(_)) {
                return Err(ShapeError::InsideTable(path.to_owned()));
            }
            at = children(at)
                .and_then(|all| all.into_iter().find(|child| child.name == name))
                .ok_or_else(|| ShapeError::NoSuchMember(path.to_owned()))?;
        }
        match at.kind {
            Kind::Object(_) | Kind::Array(_) | Kind::Select(_) => {
                Err(ShapeError::NotElementary(path.to_owned()))
            }
            _ => Ok(()),
        }
    }
}

fn segments(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|segment| !segment.is_empty())
}

/// Members of a group, or of the elements of a table of groups; the arms of redefinitions count as
/// members.
fn children(node: &Node) -> Option<Vec<&Node>> {
    let members = match &node.kind {
        Kind::Object(members) => members,
        Kind::Array(array) => return children(&array.element),
        _ => return None,
    };
    let mut all = Vec::with_capacity(members.len());
    for member in members {
        match &member.kind {
            Kind::Select(select) => all.extend(select.arms.iter().map(|arm| &arm.node)),
            _ => all.push(member),
        }
    }
    Some(all)
}

fn children_mut(node: &mut Node) -> Option<Vec<&mut Node>> {
    let members = match &mut node.kind {
        Kind::Object(members) => members,
        Kind::Array(array) => return children_mut(&mut array.element),
        _ => return None,
    };
    let mut all = Vec::with_capacity(members.len());
    for member in members {
        if !matches!(member.kind, Kind::Select(_)) {
            all.push(member);
        } else if let Kind::Select(select) = &mut member.kind {
            all.extend(select.arms.iter_mut().map(|arm| &mut arm.node));
        }
    }
    Some(all)
}
