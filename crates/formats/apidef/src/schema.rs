//! JSON schemas of shapes, in the dialect of the API toolkit and of Swagger.
//!
//! Texts have `maxLength`, whole numbers `minimum` and `maximum`, numbers with decimals
//! `format: decimal` and, outside of Swagger documents, `multipleOf`; tables have `minItems` and
//! `maxItems`. Numbers are written digit by digit, so that 31 digits stay exact.

use crate::digits::Digits;
use serde_json::{Map, Number, Value, json};
use transom_copybook::shape::{
    Array, BytesForm, CharVarying, Count, Kind, Node, Presence, RecordFormat, Shape,
};

/// Hexadecimal digits of whole bytes.
const HEX: &str = "^([0-9A-Fa-f]{2})*$";
/// Base 64 with its padding.
const BASE64: &str = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$";
/// Characters of one UTF-16 unit.
const ONE_UNIT: &str = "^[\u{0}-\u{d7ff}\u{e000}-\u{ffff}]*$";
/// The largest COMP-1.
const SINGLE_MAX: f32 = f32::MAX;

/// The schema a service archive holds.
pub fn of_shape(shape: &Shape) -> Value {
    Writer {
        multiple_of: true,
        request: None,
        loose: false,
    }
    .node(&shape.root)
}

/// The same for the definitions of a Swagger 2.0 document, as IBM's editor writes it.
pub fn of_shape_for_swagger(shape: &Shape) -> Value {
    Writer {
        multiple_of: false,
        request: None,
        loose: false,
    }
    .node(&shape.root)
}

/// What a response document looks like. `loose`: a table may have fewer elements than its minimum.
pub fn of_response(shape: &Shape, loose: bool) -> Value {
    Writer {
        multiple_of: true,
        request: None,
        loose,
    }
    .node(&shape.root)
}

/// Schema of a value of a request that goes to a field of this kind.
pub fn of_field(kind: &Kind, format: &RecordFormat) -> Value {
    Writer {
        multiple_of: true,
        request: Some(format),
        loose: false,
    }
    .leaf(kind)
}

/// How many elements an array has; `fewer`: it may have less than its minimum.
pub(crate) fn bounds(array: &Array, fewer: bool) -> Value {
    let min = match array.count {
        Count::Fixed => array.max,
        Count::DependsOn(_) if fewer => 0,
        Count::DependsOn(_) => array.min,
    };
    json!({"type": "array", "maxItems": array.max, "minItems": min})
}

/// Characters a text has room for; `None`: the kind is no text.
pub(crate) fn characters(kind: &Kind) -> Option<usize> {
    match kind {
        Kind::Text(text) => {
            let end = usize::from(text.varying == CharVarying::Null && text.len > 0);
            Some(text.len - end)
        }
        Kind::National { chars } => Some(*chars),
        _ => None,
    }
}

/// A number written digit by digit.
pub(crate) fn number(text: &str) -> Value {
    serde_json::from_str::<Number>(text).map_or(Value::Null, Value::Number)
}

/// Characters a text may have, where that is easily said; written out, because dialects of patterns
/// differ in escapes.
fn pattern(format: &RecordFormat) -> Option<&'static str> {
    (format.ccsid == 819).then_some("^[\u{0}-\u{ff}]*$")
}

struct Writer<'a> {
    multiple_of: bool,
    /// The value is of a request for such records: what is refused is said too.
    request: Option<&'a RecordFormat>,
    loose: bool,
}

impl Writer<'_> {
    fn node(&self, node: &Node) -> Value {
        match &node.kind {
            Kind::Object(members) => {
                let mut properties = Map::new();
                self.members(members, &mut properties);
                json!({"type": "object", "properties": properties})
            }
            Kind::Array(array) => self.array(array),
            kind => self.leaf(kind),
        }
    }

    fn members(&self, members: &[Node], properties: &mut Map<String, Value>) {
        for member in members {
            match &member.kind {
                Kind::Select(select) => {
                    for arm in &select.arms {
                        self.members(std::slice::from_ref(&arm.node), properties);
                    }
                }
                _ if member.presence == Presence::Shown => {
                    properties.insert(member.name.clone(), self.node(member));
                }
                _ => {}
            }
        }
    }

    fn array(&self, array: &Array) -> Value {
        let mut value = bounds(array, self.loose);
        value["items"] = self.node(&array.element);
        value
    }

    fn leaf(&self, kind: &Kind) -> Value {
        let mut value = match kind {
            Kind::Text(_) | Kind::National { .. } => {
                json!({"maxLength": characters(kind), "type": "string"})
            }
            Kind::Bytes {
                len,
                form: BytesForm::Hex,
            } => json!({"maxLength": len * 2, "type": "string"}),
            Kind::Bytes {
                len,
                form: BytesForm::Base64,
            } => {
                json!({"maxLength": len.div_ceil(3) * 4, "type": "string", "format": "byte"})
            }
            Kind::Float { len: 4 } => json!({"type": "number", "format": "float"}),
            Kind::Float { .. } => json!({"type": "number", "format": "double"}),
            Kind::Zoned(_) | Kind::Packed(_) | Kind::Binary(_) => self.digits(kind),
            Kind::Object(_) | Kind::Array(_) | Kind::Select(_) => json!({}),
        };
        if let Some(format) = self.request {
            refused(kind, format, &mut value);
        }
        value
    }

    fn digits(&self, kind: &Kind) -> Value {
        let Some(digits) = Digits::of(kind) else {
            return json!({});
        };
        let (least, most) = digits.range();
        let (minimum, maximum) = (number(&least), number(&most));
        let decimals = digits.decimals();
        if decimals == 0 {
            return json!({"minimum": minimum, "maximum": maximum, "type": "integer"});
        }
        let mut schema = Map::new();
        if self.multiple_of {
            let step = number(&format!("0.{}1", "0".repeat(decimals - 1)));
            schema.insert("multipleOf".into(), step);
        }
        schema.insert("minimum".into(), minimum);
        schema.insert("maximum".into(), maximum);
        schema.insert("type".into(), "number".into());
        schema.insert("format".into(), "decimal".into());
        Value::Object(schema)
    }
}

/// What of its JSON type a field does not take.
fn refused(kind: &Kind, format: &RecordFormat, value: &mut Value) {
    let pattern = match kind {
        Kind::Text(_) => pattern(format),
        Kind::National { .. } => Some(ONE_UNIT),
        Kind::Bytes { form, .. } => match form {
            BytesForm::Hex => Some(HEX),
            BytesForm::Base64 => Some(BASE64),
        },
        Kind::Float { len: 4 } => {
            value["minimum"] = (-SINGLE_MAX).into();
            value["maximum"] = SINGLE_MAX.into();
            None
        }
        _ => None,
    };
    if let Some(pattern) = pattern {
        value["pattern"] = pattern.into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_copybook::shape::{Binary, Packed, Sign, Text, Zoned};

    #[test]
    fn numbers_keep_all_their_digits() {
        let shape = Shape::new(vec![Node::object(
            "R",
            0,
            vec![
                Node::new(
                    "a",
                    0,
                    Kind::Zoned(Zoned {
                        digits: 12,
                        scale: 2,
                        sign: Sign::Trailing,
                    }),
                ),
                Node::new(
                    "b",
                    12,
                    Kind::Packed(Packed {
                        digits: 31,
                        scale: 0,
                        signed: false,
                        sign_nibble: true,
                    }),
                ),
                Node::new(
                    "c",
                    28,
                    Kind::Binary(Binary {
                        len: 8,
                        digits: 18,
                        scale: 0,
                        signed: true,
                        native: true,
                        full_range: true,
                    }),
                ),
                Node::new("d", 36, Kind::Text(Text::new(5))).hidden(),
                Node::table(
                    "t",
                    41,
                    3,
                    2,
                    Node::new(
                        "",
                        0,
                        Kind::Zoned(Zoned {
                            digits: 2,
                            scale: -3,
                            sign: Sign::None,
                        }),
                    ),
                ),
            ],
        )]);
        let text = of_shape(&shape)["properties"]["R"]["properties"].to_string();
        let expected = concat!(
            r#"{"a":{"multipleOf":0.01,"minimum":-9999999999.99,"maximum":9999999999.99,"type":"number","format":"decimal"},"#,
            r#""b":{"minimum":0,"maximum":9999999999999999999999999999999,"type":"integer"},"#,
            r#""c":{"minimum":-9223372036854775808,"maximum":9223372036854775807,"type":"integer"},"#,
            r#""t":{"type":"array","maxItems":3,"minItems":3,"items":{"minimum":0,"maximum":99000,"type":"integer"}}}"#
        );
        assert_eq!(text, expected);
    }
}
