//! JSON schemas of shapes, in the dialect of the API toolkit and of Swagger.
//!
//! Texts have `maxLength`, whole numbers `minimum` and `maximum`, numbers with decimals
//! `format: decimal` and, outside of Swagger documents, `multipleOf`; tables have `minItems` and
//! `maxItems`. Numbers are written digit by digit, so that 31 digits stay exact.

use serde_json::{Map, Number, Value, json};
use transom_copybook::shape::{
    Array, BytesForm, CharVarying, Count, Kind, Node, Presence, RecordFormat, Shape, Sign,
};

/// The schema a service archive holds.
pub fn of_shape(shape: &Shape) -> Value {
    Writer {
        multiple_of: true,
        pattern: None,
        loose: false,
    }
    .node(&shape.root)
}

/// The same for the definitions of a Swagger 2.0 document, as IBM's editor writes it.
pub fn of_shape_for_swagger(shape: &Shape) -> Value {
    Writer {
        multiple_of: false,
        pattern: None,
        loose: false,
    }
    .node(&shape.root)
}

/// What a request document must look like to be accepted, as exactly as a schema can say it.
pub fn of_request(shape: &Shape, format: &RecordFormat) -> Value {
    Writer {
        multiple_of: true,
        pattern: pattern(format),
        loose: false,
    }
    .node(&shape.root)
}

/// What a response document looks like. `loose`: a table may have fewer elements than its minimum.
pub fn of_response(shape: &Shape, loose: bool) -> Value {
    Writer {
        multiple_of: true,
        pattern: None,
        loose,
    }
    .node(&shape.root)
}

/// Schema of a parameter that goes to a field of this kind.
pub fn of_parameter(kind: &Kind, format: &RecordFormat) -> Value {
    Writer {
        multiple_of: true,
        pattern: pattern(format),
        loose: false,
    }
    .leaf(kind)
}

/// Characters a text may have, where that is easily said; written out, because dialects of patterns
/// differ in escapes.
fn pattern(format: &RecordFormat) -> Option<&'static str> {
    (format.ccsid == 819).then_some("^[\u{0}-\u{ff}]*$")
}

struct Writer {
    multiple_of: bool,
    pattern: Option<&'static str>,
    loose: bool,
}

impl Writer {
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
        let min = match array.count {
            Count::Fixed => array.max,
            Count::DependsOn(_) if self.loose => 0,
            Count::DependsOn(_) => array.min,
        };
        json!({"type": "array", "maxItems": array.max, "minItems": min, "items": self.node(&array.element)})
    }

    fn leaf(&self, kind: &Kind) -> Value {
        match kind {
            Kind::Text(text) => {
                let most =
                    text.len - usize::from(text.varying == CharVarying::Null && text.len > 0);
                let mut schema = json!({"maxLength": most, "type": "string"});
                if let Some(pattern) = self.pattern {
                    schema["pattern"] = pattern.into();
                }
                schema
            }
            Kind::National { chars } => json!({"maxLength": chars, "type": "string"}),
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
            Kind::Zoned(z) => self.number(z.digits, z.scale, z.sign != Sign::None),
            Kind::Packed(p) => self.number(p.digits, p.scale, p.signed),
            Kind::Binary(b) if b.full_range && b.scale == 0 && b.len <= 8 => {
                full_range(u32::from(b.len) * 8, b.signed)
            }
            Kind::Binary(b) => self.number(b.digits, b.scale, b.signed),
            Kind::Object(_) | Kind::Array(_) | Kind::Select(_) => json!({}),
        }
    }

    fn number(&self, digits: u8, scale: i16, signed: bool) -> Value {
        let most = largest(digits, scale);
        let least = if signed {
            format!("-{most}")
        } else {
            "0".to_owned()
        };
        let (minimum, maximum) = (number(&least), number(&most));
        if scale <= 0 {
            return json!({"minimum": minimum, "maximum": maximum, "type": "integer"});
        }
        let mut schema = Map::new();
        if self.multiple_of {
            schema.insert(
                "multipleOf".into(),
                number(&format!(
                    "0.{}1",
                    "0".repeat(usize::from(scale.unsigned_abs()) - 1)
                )),
            );
        }
        schema.insert("minimum".into(), minimum);
        schema.insert("maximum".into(), maximum);
        schema.insert("type".into(), "number".into());
        schema.insert("format".into(), "decimal".into());
        Value::Object(schema)
    }
}

fn full_range(bits: u32, signed: bool) -> Value {
    let (least, most) = if signed {
        (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1)
    } else {
        (0, (1i128 << bits) - 1)
    };
    json!({"minimum": number(&least.to_string()), "maximum": number(&most.to_string()), "type": "integer"})
}

/// Largest value of a picture: `digits` nines with the point `scale` places from the right.
fn largest(digits: u8, scale: i16) -> String {
    let digits = usize::from(digits);
    let places = usize::from(scale.unsigned_abs());
    if scale <= 0 {
        return format!("{}{}", "9".repeat(digits), "0".repeat(places));
    }
    match digits.checked_sub(places) {
        Some(0) => format!("0.{}", "9".repeat(digits)),
        Some(whole) => format!("{}.{}", "9".repeat(whole), "9".repeat(places)),
        None => format!("0.{}{}", "0".repeat(places - digits), "9".repeat(digits)),
    }
}

fn number(text: &str) -> Value {
    serde_json::from_str::<Number>(text).map_or(Value::Null, Value::Number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_copybook::shape::{Binary, Packed, Text, Zoned};

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
        assert_eq!(largest(2, 4), "0.0099");
    }
}
