//! Elementary items made ready: code page tables chosen, limits computed.

use super::error::ConvertError;
use super::number::Number;
use super::page::Page;
use super::text::{self, Style};
use super::{MAX_NUMBER_DIGITS, MAX_SCALE, float, number};
use crate::shape::{BytesForm, CharVarying, FloatFormat, Kind, Properties, RecordFormat};
use std::sync::Arc;
use transom_messages as messages;
use transom_messages::Problem;

/// An elementary item; its length is kept by whoever places it.
#[derive(Debug, Clone)]
pub(super) enum Leaf {
    Text {
        page: Arc<Page>,
        style: Style,
        varying: CharVarying,
        justified: bool,
    },
    Number {
        number: Number,
        screen: bool,
    },
    Float {
        format: FloatFormat,
        screen: bool,
    },
    National {
        style: Style,
    },
    Bytes {
        form: BytesForm,
    },
}

impl Leaf {
    /// `default_page` is that of the record format.
    pub(super) fn compile(
        kind: &Kind,
        field: &str,
        properties: &Properties,
        format: &RecordFormat,
        default_page: &Arc<Page>,
    ) -> Result<Leaf, Problem> {
        let number = |number| Leaf::Number {
            number,
            screen: properties.data_screening,
        };
        check_number(kind, field)?;
        Ok(match kind {
            Kind::Text(text) => {
                let page = match text.ccsid {
                    Some(ccsid) if u32::from(ccsid) != default_page.cp.ccsid => Page::of(ccsid)?,
                    _ => Arc::clone(default_page),
                };
                let style = Style::of(properties, text.varying);
                Leaf::Text {
                    page,
                    style,
                    varying: text.varying,
                    justified: text.justified,
                }
            }
            Kind::Zoned(zoned) => number(Number::zoned(zoned, default_page)),
            Kind::Packed(packed) => number(Number::packed(packed)),
            Kind::Binary(binary) if matches!(binary.len, 1..=16) => {
                number(Number::binary(binary, format))
            }
            Kind::Binary(_) => {
                return Err(bad_kind(field, "binary numbers have 1 to 16 bytes"));
            }
            Kind::Float { len: 4 | 8 } => Leaf::Float {
                format: format.float,
                screen: properties.data_screening,
            },
            Kind::Float { .. } => {
                return Err(bad_kind(field, "floating-point numbers have 4 or 8 bytes"));
            }
            Kind::National { .. } => Leaf::National {
                style: Style::of(properties, CharVarying::Collapse),
            },
            Kind::Bytes { form, .. } => Leaf::Bytes { form: *form },
            Kind::Object(_) | Kind::Array(_) | Kind::Select(_) => {
                return Err(bad_kind(
                    field,
                    "a group or table stands where one value is needed",
                ));
            }
        })
    }

    /// Values in quotes.
    pub(super) fn is_string(&self) -> bool {
        !matches!(self, Leaf::Number { .. } | Leaf::Float { .. })
    }

    /// Appends the JSON value without quotes. `offset` is the item's place in the record, for
    /// errors.
    #[inline]
    pub(super) fn put(
        &self,
        out: &mut Vec<u8>,
        bytes: &[u8],
        offset: usize,
    ) -> Result<(), Box<ConvertError>> {
        match self {
            Leaf::Text {
                page,
                style,
                varying,
                ..
            } => {
                text::put(out, bytes, page, *style, *varying == CharVarying::Null);
            }
            Leaf::Number { number, screen } => match number.read(bytes) {
                Some(value) => number::put(out, value, number.scale),
                None if *screen => return Err(not_numeric(bytes, offset)),
                None => number::put(
                    out,
                    number::Value {
                        negative: false,
                        magnitude: 0,
                    },
                    number.scale,
                ),
            },
            Leaf::Float { format, screen } => {
                if !float::put(out, bytes, *format) {
                    if *screen {
                        return Err(ConvertError::new(
                            messages::cb::float_without_value(),
                            offset,
                        ));
                    }
                    out.push(b'0');
                }
            }
            Leaf::National { style } => text::put_utf16(out, bytes, *style),
            Leaf::Bytes {
                form: BytesForm::Hex,
            } => text::put_hex(out, bytes),
            Leaf::Bytes {
                form: BytesForm::Base64,
            } => text::put_base64(out, bytes),
        }
        Ok(())
    }
}

fn check_number(kind: &Kind, field: &str) -> Result<(), Problem> {
    let (digits, scale) = match kind {
        Kind::Zoned(zoned) => (zoned.digits, zoned.scale),
        Kind::Packed(packed) => (packed.digits, packed.scale),
        Kind::Binary(binary) => (binary.digits, binary.scale),
        _ => return Ok(()),
    };
    if digits == 0 || digits > MAX_NUMBER_DIGITS {
        let why = format!("numbers have 1 to {MAX_NUMBER_DIGITS} digits");
        return Err(bad_kind(field, &why));
    }
    if scale.unsigned_abs() > MAX_SCALE {
        let why = format!("the decimal point is more than {MAX_SCALE} places away");
        return Err(bad_kind(field, &why));
    }
    Ok(())
}

#[cold]
fn not_numeric(bytes: &[u8], offset: usize) -> Box<ConvertError> {
    let mut shown = Vec::new();
    text::put_hex(&mut shown, &bytes[..bytes.len().min(40)]);
    let shown = String::from_utf8_lossy(&shown).into_owned();
    ConvertError::new(messages::cb::not_a_number(&shown), offset)
}

fn bad_kind(field: &str, why: &str) -> Problem {
    Problem::from(messages::cb::field_not_convertible(field, why))
}
