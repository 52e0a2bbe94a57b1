//! Tables of an interface: their elements, and the counters of OCCURS DEPENDING ON.

use crate::problem::Result;
use crate::sar::interface::Field;
use crate::sar::kinds::elementary;
use crate::sar::shape::{Builder, Level, same_name};
use serde_json::Value;
use transom_copybook::shape::{Array, Count, Counter, Kind, MAX_RECORD, Node};
use transom_messages as messages;

impl Builder<'_> {
    pub(super) fn table(
        &mut self,
        field: &Field,
        level: &Level<'_>,
        min: usize,
        max: usize,
    ) -> Result<Kind> {
        if max == 0 {
            return Err(self.bad(
                field,
                messages::ad::field_not_possible(&field.name, "maxOccurs is 0"),
            ));
        }
        let count = match &field.depends_on {
            None => Count::Fixed,
            Some(name) => Count::DependsOn(self.counter(field, name, level)?),
        };
        self.arrays += 1;
        let mut inner = level.below(field, 0);
        inner.origin = None;
        inner.chain.push(self.arrays);
        inner.schema = inner.schema.and_then(|s| s.get("items"));
        let (mut element, stride) = self.element(field, &inner, max)?;
        if stride == 0 {
            return Err(self.bad(
                field,
                messages::ad::field_not_possible(&field.name, "an array of elements without bytes"),
            ));
        }
        if stride.saturating_mul(max) > MAX_RECORD {
            return Err(self.bad(
                field,
                messages::ad::limit_passed(format_args!(
                    "field {}: more than {MAX_RECORD} bytes in a table",
                    field.name
                )),
            ));
        }
        element.name = String::new();
        let min = if matches!(count, Count::Fixed) {
            max
        } else {
            min
        };
        Ok(Kind::Array(Box::new(Array {
            element,
            stride,
            min,
            max,
            count,
        })))
    }

    /// One element and its bytes.
    fn element(&mut self, field: &Field, inner: &Level<'_>, max: usize) -> Result<(Node, usize)> {
        let whole = field.bytes / max;
        if field.children.is_empty() {
            // An elementary item that repeats: `bytes` is the whole table when the datatype says
            // so.
            let len = if field.datatype == "ARRAY" {
                whole
            } else {
                field.bytes
            };
            let kind = elementary(field, len).map_err(|why| {
                self.bad(field, messages::ad::field_not_supported(&field.name, why))
            })?;
            return Ok((Node::new("", 0, kind), len));
        }
        let (mut members, end) = self.members(&field.children, inner)?;
        if end > whole && field.bytes != 0 {
            return Err(self.bad(
                field,
                messages::ad::field_not_possible(
                    &field.name,
                    format_args!("its items need {end} bytes, {whole} are given for each of {max}"),
                ),
            ));
        }
        let scalar = members.len() == 1 && is_scalar(&members[0], field, inner.schema);
        let element = if scalar {
            members.remove(0)
        } else {
            Node::object("", 0, members)
        };
        Ok((element, if field.bytes == 0 { end } else { whole }))
    }

    fn counter(&self, field: &Field, name: &str, level: &Level<'_>) -> Result<Counter> {
        let last = name.rsplit(['.', '/']).next().unwrap_or(name);
        let path = name.replace('/', ".");
        let place = self.places.get(&path).or_else(|| {
            let mut found = self.places.iter().filter(|(p, v)| {
                same_name(&v.original, last)
                    || p.rsplit('.').next().is_some_and(|n| same_name(n, last))
            });
            found
                .next()
                .filter(|_| found.next().is_none())
                .map(|(_, v)| v)
        });
        let place = place.ok_or_else(|| {
            self.bad(
                field,
                messages::ad::field_not_possible(
                    &field.name,
                    format_args!("it depends on {name}, which is no number before it"),
                ),
            )
        })?;
        if !level.chain.starts_with(&place.chain) {
            return Err(self.bad(
                field,
                messages::ad::field_not_possible(
                    &field.name,
                    format_args!("it depends on {name}, which is inside another array"),
                ),
            ));
        }
        let up = u8::try_from(level.chain.len() - place.chain.len()).unwrap_or(u8::MAX);
        Ok(Counter {
            up,
            offset: place.offset,
            kind: place.kind.clone(),
            field: place.original.clone(),
        })
    }
}

/// Whether an array with one item is an array of plain values: the archive's schema says so, or,
/// without a schema, the item carries the array's own name.
fn is_scalar(member: &Node, field: &Field, items: Option<&Value>) -> bool {
    if matches!(
        member.kind,
        Kind::Object(_) | Kind::Array(_) | Kind::Select(_)
    ) {
        return false;
    }
    match items.and_then(|i| i.get("type")).and_then(Value::as_str) {
        Some(kind) => kind != "object",
        None => member.name == field.name,
    }
}
