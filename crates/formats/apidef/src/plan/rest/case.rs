//! One response of an operation over a service that is called by HTTP.

use super::json::{member, number_or_text, put, rename, take};
use crate::aar::{Condition, Place, Step, Transform};
use crate::plan::mapped::{HeaderRule, HeaderSource};
use serde_json::Value;

/// One response code.
#[derive(Debug)]
pub struct RestCase {
    /// HTTP status.
    pub code: u16,
    /// Text for the documentation.
    pub description: String,
    pub(super) condition: Option<Condition>,
    pub(super) headers: Vec<HeaderRule>,
    pub(super) steps: Vec<Change>,
}

/// What is done to a response.
#[derive(Debug)]
pub(super) enum Change {
    Remove(Vec<String>),
    Assign(Vec<String>, Value),
    Move(Vec<String>, Vec<String>),
    Rename(Vec<String>, String),
}

impl RestCase {
    /// Nothing is looked at and nothing changed.
    pub(super) fn passes(&self) -> bool {
        self.condition.is_none() && self.headers.is_empty() && self.steps.is_empty()
    }

    pub(super) fn step(&mut self, schema: &Value, step: &Step) -> std::result::Result<(), String> {
        let at = |path: &str| member(schema, path).map(|(path, _)| path);
        match &step.transform {
            Transform::Move {
                from: Place::Body(from),
                to: Place::Header(name),
            } => self.headers.push(HeaderRule {
                name: name.clone(),
                value: HeaderSource::Field(at(from)?.join("/")),
            }),
            Transform::Assign {
                to: Place::Header(name),
                value,
            } => self.headers.push(HeaderRule {
                name: name.clone(),
                value: HeaderSource::Constant(value.clone()),
            }),
            Transform::Move {
                from: Place::Body(from),
                to: Place::Body(to),
            } => {
                let to = to.split('/').filter(|name| !name.is_empty());
                let to = to.map(str::to_owned).collect();
                self.steps.push(Change::Move(at(from)?, to));
            }
            Transform::Assign {
                to: Place::Body(to),
                value,
            } => {
                let (to, schema) = member(schema, to)?;
                let value = number_or_text(&schema, value)
                    .ok_or_else(|| format!("\"{value}\" is no value of its type"))?;
                self.steps.push(Change::Assign(to, value));
            }
            Transform::Remove {
                at: Place::Body(path),
            } => self.steps.push(Change::Remove(at(path)?)),
            Transform::Rename {
                at: Place::Body(path),
                name,
            } => self.steps.push(Change::Rename(at(path)?, name.clone())),
            Transform::Remove { .. } | Transform::Reorder { .. } => {}
            _ => return Err("this is not done in a response".to_owned()),
        }
        Ok(())
    }
}

impl Change {
    pub(super) fn apply(&self, document: &mut Value) {
        match self {
            Self::Remove(path) => {
                take(document, path);
            }
            Self::Assign(path, value) => put(document, path, value.clone()),
            Self::Move(from, to) => {
                if let Some(value) = take(document, from) {
                    put(document, to, value);
                }
            }
            Self::Rename(path, name) => rename(document, path, name),
        }
    }
}
