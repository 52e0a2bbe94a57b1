//! A mapping applied to a shape.
//!
//! Requests: the target of a move, assign or remove is no member of the body any more. Responses: a
//! move to a header copies the field; only remove takes it out of the body. Names in a map are
//! those of the service, so renames come last.

use crate::aar::{Mapping, Operation, Place, Step, Transform};
use crate::plan::mapped::{HeaderRule, HeaderSource, Override, Source};
use crate::problem::Result;
use transom_copybook::shape::{Kind, Literal, Node, OverrideId, Presence, Shape, find_mut};
use transom_messages as messages;
use transom_messages::Problem;
use transom_types::nearest;

/// The request's shape and the values that come from outside its body.
pub(super) fn request(
    place: &str,
    shape: &Shape,
    operation: &Operation,
) -> Result<(Shape, Vec<Override>)> {
    let mapping = &operation.request;
    let mut work = Work {
        place,
        shape: shape.clone(),
        mapping,
    };
    let mut overrides = Vec::new();
    for step in &mapping.steps {
        match &step.transform {
            Transform::Move {
                from: Place::Body(from),
                to: Place::Body(to),
            } => work.restructure(step, from, to)?,
            Transform::Move {
                from,
                to: Place::Body(to),
            } => {
                let value = work.outside(step, operation, from, to, overrides.len())?;
                overrides.push(value);
            }
            Transform::Assign {
                to: Place::Body(to),
                value,
            } => {
                let field = work.resolve(step, to)?;
                work.shape
                    .assign(&field, Literal::Text(value.clone()))
                    .map_err(|e| work.bad(step, e.to_string()))?;
                work.shape
                    .remove(&field)
                    .map_err(|e| work.bad(step, e.to_string()))?;
            }
            _ => work.either(step)?,
        }
    }
    work.renames()?;
    Ok((work.shape, overrides))
}

/// A response's shape and the headers that go with it.
pub(super) fn response(
    place: &str,
    shape: &Shape,
    mapping: &Mapping,
) -> Result<(Shape, Vec<HeaderRule>)> {
    let mut work = Work {
        place,
        shape: shape.clone(),
        mapping,
    };
    let mut headers = Vec::new();
    for step in &mapping.steps {
        match &step.transform {
            Transform::Move {
                from: Place::Body(from),
                to: Place::Body(to),
            } => work.restructure(step, from, to)?,
            Transform::Move {
                from: Place::Body(from),
                to: Place::Header(name),
            } => {
                let field = work.resolve(step, from)?;
                check_header(name).map_err(|why| work.bad(step, why))?;
                headers.push(HeaderRule {
                    name: name.clone(),
                    value: HeaderSource::Field(field),
                });
            }
            Transform::Assign {
                to: Place::Header(name),
                value,
            } => {
                check_header(name).map_err(|why| work.bad(step, why))?;
                headers.push(HeaderRule {
                    name: name.clone(),
                    value: HeaderSource::Constant(value.clone()),
                });
            }
            Transform::Assign {
                to: Place::Body(to),
                value,
            } => {
                let field = work.resolve(step, to)?;
                work.shape
                    .assign(&field, Literal::Text(value.clone()))
                    .map_err(|e| work.bad(step, e.to_string()))?;
            }
            // A header that is removed was never there.
            Transform::Remove {
                at: Place::Header(_),
            } => {}
            _ => work.either(step)?,
        }
    }
    work.renames()?;
    Ok((work.shape, headers))
}

fn check_header(name: &str) -> std::result::Result<(), String> {
    let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
    if !name.is_empty() && name.chars().all(token) {
        Ok(())
    } else {
        Err(format!("\"{name}\" is no header name"))
    }
}

struct Work<'a> {
    place: &'a str,
    shape: Shape,
    mapping: &'a Mapping,
}

impl Work<'_> {
    fn bad(&self, step: &Step, text: String) -> Problem {
        let message = messages::ad::mapping_does_not_fit(text);
        if self.mapping.file.is_empty() {
            Problem::new(message, self.place)
        } else {
            self.mapping.problem(message, step)
        }
    }

    /// A value of the request that goes to a field; the field leaves the body.
    fn outside(
        &mut self,
        step: &Step,
        operation: &Operation,
        from: &Place,
        to: &str,
        number: usize,
    ) -> Result<Override> {
        let (source, name) = match from {
            Place::Path(name) => (Source::Path, name),
            Place::Query(name) => (Source::Query, name),
            Place::Header(name) | Place::Body(name) => (Source::Header, name),
        };
        if source == Source::Path && !operation.path_parameters().contains(&name.as_str()) {
            return Err(self.bad(
                step,
                format!("the path {} has no parameter {name}", operation.path),
            ));
        }
        let field = self.resolve(step, to)?;
        let id = u16::try_from(number).map_err(|_| self.bad(step, "too many moves".to_owned()))?;
        let id = OverrideId(id);
        self.shape
            .move_outside(&field, id)
            .map_err(|e| self.bad(step, e.to_string()))?;
        Ok(Override {
            source,
            name: name.clone(),
            id,
            field,
        })
    }

    /// What is the same in both directions.
    fn either(&mut self, step: &Step) -> Result<()> {
        match &step.transform {
            Transform::Remove {
                at: Place::Body(at),
            } => {
                let field = self.resolve(step, at)?;
                self.shape
                    .remove(&field)
                    .map_err(|e| self.bad(step, e.to_string()))
            }
            Transform::Reorder {
                at: Place::Body(at),
                names,
            } => {
                let group = self.resolve(step, at)?;
                for name in names {
                    self.resolve_exact(step, &format!("{group}/{name}"))?;
                }
                let names: Vec<&str> = names.iter().map(String::as_str).collect();
                self.shape
                    .reorder(&group, &names)
                    .map_err(|e| self.bad(step, e.to_string()))
            }
            // A parameter that is removed simply is not used.
            Transform::Remove { .. } | Transform::Rename { .. } | Transform::Reorder { .. } => {
                Ok(())
            }
            Transform::Move { from, to } => Err(self.bad(
                step,
                format!("{from} cannot be moved to {to} in this direction"),
            )),
            Transform::Assign { to, .. } => Err(self.bad(
                step,
                format!("nothing can be assigned to {to} in this direction"),
            )),
        }
    }

    fn renames(&mut self) -> Result<()> {
        // Deeper members first, so that the path of each is still the service's own.
        let mut renames: Vec<(String, &str, &Step)> = Vec::new();
        for step in &self.mapping.steps {
            if let Transform::Rename {
                at: Place::Body(at),
                name,
            } = &step.transform
            {
                renames.push((self.resolve(step, at)?, name, step));
            }
        }
        renames.sort_by_key(|(path, _, _)| std::cmp::Reverse(path.matches('/').count()));
        for (path, name, step) in renames {
            self.shape
                .rename(&path, name)
                .map_err(|e| self.bad(step, e.to_string()))?;
        }
        Ok(())
    }

    fn resolve(&self, step: &Step, path: &str) -> Result<String> {
        resolve(&self.shape, path).map_err(|why| self.bad(step, why))
    }

    fn resolve_exact(&self, step: &Step, path: &str) -> Result<()> {
        match self.shape.find(path) {
            Some(_) => Ok(()),
            None => Err(self.bad(step, format!("the service has no field {path}"))),
        }
    }

    /// Moves a member to another object of the document. The record stays as it is.
    fn restructure(&mut self, step: &Step, from: &str, to: &str) -> Result<()> {
        let from = self.resolve(step, from)?;
        let (from_parent, name) = from.rsplit_once('/').unwrap_or(("", &from));
        let (to_parent, new_name) = to.rsplit_once('/').unwrap_or(("", to));
        if tables(&self.shape, from_parent) != tables(&self.shape, to_parent) {
            return Err(self.bad(
                step,
                format!("{from} and {to} are not in the same array element"),
            ));
        }
        let mut node = members(&mut self.shape.root, from_parent)
            .and_then(|all| {
                all.iter()
                    .position(|m| m.name == name)
                    .map(|i| all.remove(i))
            })
            .ok_or_else(|| self.bad(step, format!("{from} cannot be moved")))?;
        node.name = new_name.to_owned();
        let offset = node.offset;
        let Some(target) = ensure(&mut self.shape.root, to_parent, offset) else {
            return Err(self.bad(step, format!("{to_parent} is no group")));
        };
        if target
            .iter()
            .any(|m| m.name == new_name && m.presence == Presence::Shown)
        {
            return Err(self.bad(step, format!("there is already a member {to}")));
        }
        target.push(node);
        Ok(())
    }
}

/// The path as the shape has it. A path may leave out the outermost member, begin with `.../`, or
/// name it in a document without it.
pub(super) fn resolve(shape: &Shape, path: &str) -> std::result::Result<String, String> {
    let bare = path.trim_start_matches(".../").trim_matches('/');
    if bare.is_empty() {
        return Err("an empty path".to_owned());
    }
    if !path.starts_with(".../") && shape.find(bare).is_some() {
        return Ok(bare.to_owned());
    }
    let mut all = Vec::new();
    paths(&shape.root, "", &mut all);
    let ends_with = |p: &&String| {
        p.strip_suffix(bare)
            .is_some_and(|r| r.is_empty() || r.ends_with('/'))
    };
    let mut found = all.iter().filter(ends_with);
    if let (Some(one), None) = (found.next(), found.next()) {
        return Ok(one.clone());
    }
    if let Some(inner) = bare
        .split_once('/')
        .map(|(_, r)| r)
        .filter(|r| shape.find(r).is_some())
    {
        return Ok(inner.to_owned());
    }
    let hint = nearest(bare, all.iter().map(String::as_str))
        .map(|n| format!("; did you mean {n}?"))
        .unwrap_or_default();
    Err(format!("the service has no field {bare}{hint}"))
}

/// Paths of all nodes, hidden ones too.
fn paths(node: &Node, base: &str, out: &mut Vec<String>) {
    let visit = |member: &Node, out: &mut Vec<String>| {
        let path = if base.is_empty() {
            member.name.clone()
        } else {
            format!("{base}/{}", member.name)
        };
        out.push(path.clone());
        paths(member, &path, out);
    };
    match &node.kind {
        Kind::Object(members) => members.iter().for_each(|m| match &m.kind {
            Kind::Select(select) => select.arms.iter().for_each(|arm| visit(&arm.node, out)),
            _ => visit(m, out),
        }),
        Kind::Array(array) => paths(&array.element, base, out),
        _ => {}
    }
}

/// Paths of the tables a path goes through.
fn tables(shape: &Shape, path: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut at = String::new();
    for name in path.split('/').filter(|s| !s.is_empty()) {
        at = if at.is_empty() {
            name.to_owned()
        } else {
            format!("{at}/{name}")
        };
        match shape.find(&at) {
            Some(node) if matches!(node.kind, Kind::Array(_)) => out.push(at.clone()),
            Some(_) => {}
            None => break,
        }
    }
    out
}

fn members<'a>(root: &'a mut Node, path: &str) -> Option<&'a mut Vec<Node>> {
    match &mut find_mut(root, path)?.kind {
        Kind::Object(members) => Some(members),
        Kind::Array(array) => match &mut array.element.kind {
            Kind::Object(members) => Some(members),
            _ => None,
        },
        _ => None,
    }
}

/// The members of the object at `path`; missing objects are made.
fn ensure<'a>(root: &'a mut Node, path: &str, offset: usize) -> Option<&'a mut Vec<Node>> {
    let mut at = String::new();
    for name in path.split('/').filter(|s| !s.is_empty()) {
        let all = members(root, &at)?;
        if !all.iter().any(|m| m.name == name) {
            all.push(Node::object(name, offset, Vec::new()));
        }
        at = if at.is_empty() {
            name.to_owned()
        } else {
            format!("{at}/{name}")
        };
    }
    members(root, path)
}
