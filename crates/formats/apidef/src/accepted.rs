//! The documents a gateway takes, as a schema of OpenAPI 3.0 says it.
//!
//! Why beside `schema`: that is what a service says of its data. A gateway takes more (numbers in
//! quotes, whole numbers for characters, null, unless types are strict) and less (a document of
//! which nothing is used). JSON Schema cannot bound the length of a number's text: the schema names
//! whole numbers for characters only, a gateway also takes others that are short enough. Not here:
//! bodies of answers.

use crate::digits::Digits;
use crate::schema;
use serde_json::{Map, Value, json};
use transom_copybook::shape::{
    Array, Kind, Node, Presence, Properties, RecordFormat, Shape, UnknownMembers,
};

/// More digits than this are written without bounds: no client has such a number.
const BOUNDED_DIGITS: usize = 38;

/// What a request document must look like. `empty`: one without any value is taken too, because the
/// request has values elsewhere.
pub(crate) fn of_request(
    shape: &Shape,
    properties: &Properties,
    format: &RecordFormat,
    empty: bool,
) -> Value {
    let writer = Writer {
        strict: properties.strict_types,
        closed: properties.unknown_members == UnknownMembers::Refuse,
        fewer: !properties.enforce_min_array_occurrence,
        format,
    };
    let given = writer.given(&shape.root);
    match empty {
        true => json!({"anyOf": [given, writer.empty(&shape.root)]}),
        false => given,
    }
}

struct Writer<'a> {
    strict: bool,
    /// Members nobody expects are refused.
    closed: bool,
    /// Tables of variable length may have fewer elements than their minimum.
    fewer: bool,
    format: &'a RecordFormat,
}

impl Writer<'_> {
    /// Any document of the node.
    fn any(&self, node: &Node) -> Value {
        let value = match &node.kind {
            Kind::Object(_) => self.object(node),
            Kind::Array(array) => self.array(array),
            kind => return self.elementary(kind, !self.strict),
        };
        self.or_null(value)
    }

    fn or_null(&self, mut value: Value) -> Value {
        if !self.strict {
            value["nullable"] = true.into();
        }
        value
    }

    fn object(&self, node: &Node) -> Value {
        let all = members(node);
        let properties: Map<String, Value> = all
            .iter()
            .map(|member| (member.name.clone(), self.any(member)))
            .collect();
        let mut value = json!({"type": "object", "properties": properties});
        if self.closed {
            value["additionalProperties"] = false.into();
        }
        if let Some(pairs) = exclusive(node) {
            value["not"] = pairs;
        }
        value
    }

    fn array(&self, array: &Array) -> Value {
        let mut value = schema::bounds(array, self.fewer);
        value["items"] = self.any(&array.element);
        value
    }

    /// A document of the node with at least one value in it.
    fn given(&self, node: &Node) -> Value {
        match &node.kind {
            Kind::Object(_) => {}
            Kind::Array(array) => return self.array(array),
            kind => return self.elementary(kind, false),
        }
        let mut value = self.object(node);
        let all = members(node);
        let used: Vec<&&Node> = all.iter().filter(|member| takes_value(member)).collect();
        match (used.as_slice(), all.len()) {
            ([], _) => {}
            ([one], 1) => {
                value["required"] = json!([one.name]);
                value["properties"][&one.name] = self.given(one);
            }
            (used, _) => {
                let one_of_them = |member: &&&Node| {
                    let properties = Map::from_iter([(member.name.clone(), self.given(member))]);
                    json!({"type": "object", "required": [member.name], "properties": properties})
                };
                value["anyOf"] = used.iter().map(one_of_them).collect();
            }
        }
        value
    }

    /// A document of the node without any value.
    fn empty(&self, node: &Node) -> Value {
        let mut properties = Map::new();
        for member in members(node) {
            match &member.kind {
                Kind::Object(_) => {
                    properties.insert(member.name.clone(), self.empty(member));
                }
                _ if !self.strict => {
                    let null = json!({"nullable": true, "enum": [null]});
                    properties.insert(member.name.clone(), null);
                }
                _ => {}
            }
        }
        let value =
            json!({"type": "object", "properties": properties, "additionalProperties": false});
        self.or_null(value)
    }

    fn elementary(&self, kind: &Kind, nullable: bool) -> Value {
        let mut all = vec![schema::of_field(kind, self.format)];
        if !self.strict {
            all.extend(other_type(kind));
        }
        if nullable {
            all[0]["nullable"] = true.into();
        }
        match all.len() {
            1 => all.remove(0),
            _ => json!({"anyOf": all}),
        }
    }
}

/// The members of an object, redefinitions beside each other.
fn members(node: &Node) -> Vec<&Node> {
    let Kind::Object(members) = &node.kind else {
        return Vec::new();
    };
    let mut all: Vec<&Node> = Vec::new();
    for member in members {
        match &member.kind {
            Kind::Select(select) => all.extend(select.arms.iter().map(|arm| &arm.node)),
            _ => all.push(member),
        }
    }
    all.retain(|member| member.presence == Presence::Shown && member.assign.is_none());
    all
}

/// Whether something in a member can be given.
fn takes_value(node: &Node) -> bool {
    match &node.kind {
        Kind::Object(_) => members(node).into_iter().any(takes_value),
        _ => true,
    }
}

/// Redefinitions of one area exclude each other.
fn exclusive(node: &Node) -> Option<Value> {
    let Kind::Object(members) = &node.kind else {
        return None;
    };
    let mut pairs = Vec::new();
    for member in members {
        let Kind::Select(select) = &member.kind else {
            continue;
        };
        let names: Vec<&str> = select.arms.iter().map(|a| a.node.name.as_str()).collect();
        for (at, one) in names.iter().enumerate() {
            let with = |other: &&str| json!({"required": [one, other]});
            pairs.extend(names[at + 1..].iter().map(with));
        }
    }
    (!pairs.is_empty()).then(|| json!({"anyOf": pairs}))
}

/// What may stand for a value beside the JSON type of its field.
fn other_type(kind: &Kind) -> Option<Value> {
    match kind {
        Kind::Text(_) | Kind::National { .. } => {
            let room = schema::characters(kind)?;
            whole_number(room)
        }
        Kind::Float { .. } => {
            let pattern = padded("[+-]?[0-9]{1,38}(\\.[0-9]+)?");
            Some(json!({"type": "string", "pattern": pattern}))
        }
        Kind::Zoned(_) | Kind::Packed(_) | Kind::Binary(_) => {
            let pattern = padded(&Digits::of(kind)?.pattern());
            Some(json!({"type": "string", "pattern": pattern}))
        }
        _ => None,
    }
}

/// A whole number whose digits and sign have room.
fn whole_number(room: usize) -> Option<Value> {
    if room == 0 {
        return None;
    }
    if room > BOUNDED_DIGITS {
        return Some(json!({"type": "integer"}));
    }
    let least = match room {
        1 => "0".to_owned(),
        _ => format!("-{}", "9".repeat(room - 1)),
    };
    let (least, most) = (schema::number(&least), schema::number(&"9".repeat(room)));
    Some(json!({"type": "integer", "minimum": least, "maximum": most}))
}

/// With the blanks that may stand around it.
fn padded(pattern: &str) -> String {
    format!("^[ \\t\\r\\n]*{pattern}[ \\t\\r\\n]*$")
}
