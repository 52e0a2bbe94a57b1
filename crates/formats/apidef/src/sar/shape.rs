//! Interface fields into the shape a converter is compiled from.
//!
//! Redefinitions: the interface lists every arm, and the service says which one it uses by
//! including it. Arms nobody includes are dropped, because as hidden fields their initial values
//! would overwrite the arm in use. If several are included, a request fills the one it has a member
//! for and a response shows all.

use crate::problem::Result;
use crate::sar::interface::{Container, Field, Interface};
use crate::sar::kinds::elementary;
use crate::sar::{Carrier, ContainerPlace, ServiceData};
use serde_json::Value;
use std::collections::HashMap;
use transom_copybook::shape::{
    Arm, BytesForm, Kind, MAX_RECORD, Node, Presence, Select, Shape, Text,
};
use transom_messages as messages;
use transom_messages::Problem;

/// Bytes of a CHAR container without any length in its interface.
const CHAR_CONTAINER_BYTES: usize = 32_000;
/// Deepest nesting of fields.
const FIELD_DEPTH_MAX: usize = 60;

/// Which way the data goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// JSON to bytes.
    Request,
    /// Bytes to JSON.
    Response,
}

/// Builds shape and carrier of one direction.
pub(super) fn build(
    interface: &Interface,
    service: &str,
    direction: Direction,
    schema: Option<&Value>,
) -> Result<ServiceData> {
    let suffix = match direction {
        Direction::Request => "Operation",
        Direction::Response => "OperationResponse",
    };
    let mut builder = Builder {
        file: &interface.file,
        direction,
        arrays: 0,
        places: HashMap::new(),
    };
    if !interface.channel {
        let container = &interface.containers[0];
        let wrapper = wrapper_of(schema, container);
        let inner = wrapper.map_or(schema, |w| property(schema, w));
        let (members, end) = builder.members(&container.fields, &Level::record(0, inner))?;
        let members = match wrapper {
            Some(name) => vec![Node::object(name, 0, members)],
            None => members,
        };
        let shape = Shape::new(members).with_len(end);
        return Ok(ServiceData {
            shape,
            carrier: Carrier::Commarea,
        });
    }
    let wrapper = format!("{service}{suffix}");
    let (members, end, places) = builder.channel(interface, property(schema, &wrapper))?;
    let carrier = Carrier::Channel {
        name: String::new(),
        containers: places,
    };
    Ok(ServiceData {
        shape: Shape::new(vec![Node::object(wrapper, 0, members)]).with_len(end),
        carrier,
    })
}

/// The one member of the schema's root, when the fields are below it and it is none of them.
fn wrapper_of<'a>(schema: Option<&'a Value>, container: &Container) -> Option<&'a str> {
    let properties = schema?.get("properties")?.as_object()?;
    let (name, inner) = properties.iter().next().filter(|_| properties.len() == 1)?;
    let is_field = |name: &str| container.fields.iter().any(|f| f.name == name);
    let inside = inner.get("properties")?.as_object()?;
    (!is_field(name) && inside.keys().any(|k| is_field(k))).then_some(name.as_str())
}

fn property<'a>(schema: Option<&'a Value>, name: &str) -> Option<&'a Value> {
    schema?.get("properties")?.get(name)
}

pub(super) struct Builder<'a> {
    pub(super) file: &'a str,
    direction: Direction,
    pub(super) arrays: usize,
    /// Elementary numbers seen so far, by path of names, for OCCURS DEPENDING ON.
    pub(super) places: HashMap<String, Place>,
}

pub(super) struct Place {
    /// Tables around the field, outermost first.
    pub(super) chain: Vec<usize>,
    pub(super) offset: usize,
    pub(super) kind: Kind,
    pub(super) original: String,
}

/// Where a list of fields stands.
#[derive(Clone)]
pub(super) struct Level<'a> {
    /// Offset of the first field from the start of the enclosing element.
    pub(super) base: usize,
    /// Offset that `startPos` 1 means; `None` inside tables, where positions follow from the sizes.
    pub(super) origin: Option<usize>,
    pub(super) path: String,
    pub(super) chain: Vec<usize>,
    pub(super) schema: Option<&'a Value>,
    pub(super) depth: usize,
}

impl<'a> Level<'a> {
    fn record(base: usize, schema: Option<&'a Value>) -> Level<'a> {
        Level {
            base,
            origin: Some(base),
            path: String::new(),
            chain: Vec::new(),
            schema,
            depth: 0,
        }
    }

    pub(super) fn below(&self, field: &Field, base: usize) -> Level<'a> {
        Level {
            base,
            origin: self.origin,
            path: join(&self.path, &field.name),
            chain: self.chain.clone(),
            schema: property(self.schema, &field.name),
            depth: self.depth + 1,
        }
    }
}

fn join(path: &str, name: &str) -> String {
    if path.is_empty() {
        name.to_owned()
    } else {
        format!("{path}.{name}")
    }
}

/// COBOL names compare without case and with `-` and `_` alike.
pub(super) fn same_name(a: &str, b: &str) -> bool {
    let norm = |s: &str| s.replace('-', "_").to_ascii_uppercase();
    norm(a) == norm(b)
}

impl Builder<'_> {
    fn channel(
        &mut self,
        interface: &Interface,
        schema: Option<&Value>,
    ) -> Result<(Vec<Node>, usize, Vec<ContainerPlace>)> {
        let mut order: Vec<usize> = (0..interface.containers.len()).collect();
        let varies: Vec<bool> = interface
            .containers
            .iter()
            .map(|c| varies(&c.fields))
            .collect();
        if varies.iter().filter(|v| **v).count() > 1 {
            return Err(Problem::new(messages::ad::varying_containers(), self.file));
        }
        // Everything behind a short table slides, so its container comes last in the record.
        order.sort_by_key(|i| varies[*i]);
        let mut members: Vec<Option<Node>> = vec![None; interface.containers.len()];
        let mut places = Vec::new();
        let mut at = 0;
        for i in order {
            let container = &interface.containers[i];
            self.places.clear();
            let inner = property(schema, &container.json_name);
            let (node, end) = self.container(container, at, inner)?;
            let name = container.name.parse().map_err(|e| {
                Problem::new(
                    messages::ad::interface_not_possible(format_args!(
                        "container name \"{}\": {e}",
                        container.name
                    )),
                    self.file,
                )
                .at(container.line, 1)
            })?;
            places.push(ContainerPlace {
                name,
                offset: at,
                bytes: end - at,
                character: container.character,
                required: container.required,
            });
            members[i] = Some(node);
            at = end;
        }
        Ok((members.into_iter().flatten().collect(), at, places))
    }

    fn container(
        &mut self,
        container: &Container,
        at: usize,
        schema: Option<&Value>,
    ) -> Result<(Node, usize)> {
        if container.fields.is_empty() {
            let max_length = schema
                .and_then(|s| s.get("maxLength"))
                .and_then(Value::as_u64)
                .and_then(|n| usize::try_from(n).ok());
            let len = container
                .bytes
                .or(max_length)
                .unwrap_or(CHAR_CONTAINER_BYTES)
                .min(MAX_RECORD);
            let kind = if container.character {
                Kind::Text(Text::new(len))
            } else {
                Kind::Bytes {
                    len,
                    form: BytesForm::Base64,
                }
            };
            return Ok((
                Node::new(&container.json_name, at, kind).of_field(&container.name),
                at + len,
            ));
        }
        let (members, end) = self.members(&container.fields, &Level::record(at, schema))?;
        Ok((
            Node::object(&container.json_name, at, members).of_field(&container.name),
            end,
        ))
    }

    /// The nodes of a list of fields and the offset behind the last of them.
    pub(super) fn members(
        &mut self,
        fields: &[Field],
        level: &Level<'_>,
    ) -> Result<(Vec<Node>, usize)> {
        let mut nodes = Vec::new();
        let mut next = level.base;
        let mut end = level.base;
        let mut i = 0;
        while i < fields.len() {
            let base = &fields[i];
            let arms = 1 + fields[i + 1..]
                .iter()
                .take_while(|f| {
                    f.redefines
                        .as_deref()
                        .is_some_and(|r| same_name(r, &base.original) || same_name(r, &base.name))
                })
                .count();
            let set = &fields[i..i + arms];
            let mut built = Vec::new();
            for field in set {
                let offset = match (level.origin, field.start) {
                    (Some(origin), Some(start)) => origin + start,
                    _ => next,
                };
                let node = self.field(field, offset, level)?;
                end = end.max(offset + field.bytes.max(node.end().saturating_sub(offset)));
                built.push(node);
            }
            next = end;
            self.take_arms(built, &mut nodes);
            i += arms;
        }
        if end > MAX_RECORD {
            return Err(Problem::new(
                messages::ad::limit_passed(format_args!(
                    "the record has {end} bytes, at most {MAX_RECORD} are accepted"
                )),
                self.file,
            ));
        }
        Ok((nodes, end))
    }

    fn take_arms(&self, mut built: Vec<Node>, nodes: &mut Vec<Node>) {
        if built.len() > 1 && built.iter().any(|n| n.presence == Presence::Shown) {
            built.retain(|n| n.presence == Presence::Shown);
        } else {
            built.truncate(1);
        }
        if built.len() > 1 && self.direction == Direction::Request {
            let offset = built.iter().map(|n| n.offset).min().unwrap_or(0);
            let arms = built
                .into_iter()
                .map(|node| Arm { rule: None, node })
                .collect();
            nodes.push(Node::new(
                "",
                offset,
                Kind::Select(Box::new(Select { arms })),
            ));
        } else {
            nodes.append(&mut built);
        }
    }

    fn field(&mut self, field: &Field, offset: usize, level: &Level<'_>) -> Result<Node> {
        if level.depth >= FIELD_DEPTH_MAX {
            return Err(self.bad(
                field,
                messages::ad::limit_passed(format_args!(
                    "field {}: more than {FIELD_DEPTH_MAX} levels of fields",
                    field.name
                )),
            ));
        }
        let kind = match field.occurs {
            Some((min, max)) => self.table(field, level, min, max)?,
            None if !field.children.is_empty() || field.datatype == "STRUCT" => Kind::Object(
                self.members(&field.children, &level.below(field, offset))?
                    .0,
            ),
            None => {
                let kind = elementary(field, field.bytes).map_err(|why| {
                    self.bad(field, messages::ad::field_not_supported(&field.name, why))
                })?;
                self.remember(field, offset, level, &kind);
                kind
            }
        };
        let mut node = Node::new(&field.name, offset, kind).of_field(&field.original);
        let nothing_inside = matches!(&node.kind, Kind::Object(m) if m.iter().all(|n| n.presence != Presence::Shown));
        if !field.included || nothing_inside {
            node.presence = Presence::Hidden;
        }
        node.default.clone_from(&field.default);
        Ok(node)
    }

    fn remember(&mut self, field: &Field, offset: usize, level: &Level<'_>, kind: &Kind) {
        if kind.is_number() {
            let place = Place {
                chain: level.chain.clone(),
                offset,
                kind: kind.clone(),
                original: field.original.clone(),
            };
            self.places.insert(join(&level.path, &field.name), place);
        }
    }

    pub(super) fn bad(&self, field: &Field, message: messages::Message) -> Problem {
        Problem::new(message, self.file).at(field.line, field.column)
    }
}

fn varies(fields: &[Field]) -> bool {
    fields
        .iter()
        .any(|f| f.depends_on.is_some() || varies(&f.children))
}
