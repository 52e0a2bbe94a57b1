//! A place in the tree of routes, and the literal segments below it.
//!
//! A few segments are compared one by one, many are hashed: a base path is found as fast among five
//! thousand APIs as among ten. Not here: which segment is a literal (the parent module).

use hyper::Method;
use std::collections::HashMap;
use std::sync::Arc;

#[derive(Debug, Clone)]
pub(super) struct Node<T> {
    pub(super) literals: Literals<T>,
    pub(super) parameter: Option<Arc<Node<T>>>,
    pub(super) methods: Vec<(Method, T)>,
    /// Served to GET where no method of the node is.
    pub(super) document: Option<T>,
}

impl<T> Default for Node<T> {
    fn default() -> Self {
        Self {
            literals: Literals::default(),
            parameter: None,
            methods: Vec::new(),
            document: None,
        }
    }
}

impl<T> Node<T> {
    pub(super) fn has_methods(&self) -> bool {
        !self.methods.is_empty() || self.document.is_some()
    }

    pub(super) fn is_empty(&self) -> bool {
        !self.has_methods() && self.parameter.is_none() && self.literals.is_empty()
    }
}

/// Most segments that are compared one by one.
const FEW: usize = 8;

#[derive(Debug, Clone)]
pub(super) enum Literals<T> {
    Few(Vec<(Arc<str>, Arc<Node<T>>)>),
    Many(HashMap<Arc<str>, Arc<Node<T>>>),
}

impl<T> Default for Literals<T> {
    fn default() -> Self {
        Self::Few(Vec::new())
    }
}

impl<T> Literals<T> {
    pub(super) fn get(&self, segment: &str) -> Option<&Node<T>> {
        let next = match self {
            Self::Few(few) => few.iter().find(|(text, _)| **text == *segment)?.1.as_ref(),
            Self::Many(many) => many.get(segment)?,
        };
        Some(next)
    }

    pub(super) fn get_mut(&mut self, segment: &str) -> Option<&mut Arc<Node<T>>> {
        match self {
            Self::Few(few) => {
                let found = few.iter_mut().find(|(text, _)| **text == *segment);
                found.map(|(_, next)| next)
            }
            Self::Many(many) => many.get_mut(segment),
        }
    }

    /// The node of a segment, a new one where there is none.
    pub(super) fn make(&mut self, segment: &str) -> &mut Arc<Node<T>> {
        if let Self::Few(few) = self
            && few.len() == FEW
            && few.iter().all(|(text, _)| **text != *segment)
        {
            *self = Self::Many(few.drain(..).collect());
        }
        match self {
            Self::Few(few) => {
                let at = few.iter().position(|(text, _)| **text == *segment);
                let at = at.unwrap_or_else(|| {
                    few.push((segment.into(), Arc::default()));
                    few.len() - 1
                });
                &mut few[at].1
            }
            Self::Many(many) => many.entry(segment.into()).or_default(),
        }
    }

    pub(super) fn remove(&mut self, segment: &str) {
        match self {
            Self::Few(few) => few.retain(|(text, _)| **text != *segment),
            Self::Many(many) => drop(many.remove(segment)),
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        match self {
            Self::Few(few) => few.is_empty(),
            Self::Many(many) => many.is_empty(),
        }
    }
}
