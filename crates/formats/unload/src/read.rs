//! The values of a record.

use crate::layout::{Field, Layout, Shape};
use crate::{Value, Wrong, hexfloat, numbers};

impl Layout {
    /// The values of a record, those of [`Layout::columns`].
    pub fn read(&self, record: &[u8]) -> Result<Vec<Value>, Wrong> {
        let mut values = Vec::with_capacity(self.fields.len());
        let mut at = 0;
        for field in &self.fields {
            let start = field.start.unwrap_or(at);
            let short = || Wrong::new(&field.name, "the record ends in it");
            let is_null = match &field.null_if {
                Some(test) => test.holds(record).ok_or_else(short)?,
                None => false,
            };
            let (bytes, end) = self.bytes(field, record, start)?.ok_or_else(short)?;
            at = end;
            if !field.is_column {
                continue;
            }
            values.push(match is_null {
                true => Value::Null,
                false => self
                    .value(field.shape, bytes)
                    .map_err(|what| Wrong::new(&field.name, what))?,
            });
        }
        Ok(values)
    }

    /// The bytes of a field without those of its length, and where it ends; `None`: the record ends
    /// before.
    fn bytes<'r>(
        &self,
        field: &Field,
        record: &'r [u8],
        start: usize,
    ) -> Result<Option<(&'r [u8], usize)>, Wrong> {
        let most = match field.shape {
            Shape::VarChar(most) | Shape::VarBits(most) => most,
            shape => {
                let end = start + shape.size();
                return Ok(record.get(start..end).map(|bytes| (bytes, end)));
            }
        };
        let Some(&[high, low]) = record.get(start..start + 2) else {
            return Ok(None);
        };
        let length = usize::from(u16::from_be_bytes([high, low]));
        if length > most {
            let what = format!("its length is {length}, and {most} at most");
            return Err(Wrong::new(&field.name, what));
        }
        let end = start + 2 + length;
        Ok(record.get(start + 2..end).map(|bytes| (bytes, end)))
    }

    fn value(&self, shape: Shape, bytes: &[u8]) -> Result<Value, String> {
        let text = || {
            let text = self.characters.decode(bytes);
            text.ok_or_else(|| "its characters are not UTF-8".to_owned())
        };
        let shown = |what: &str| format!("X'{}': {what}", hex(bytes));
        let decimal = |digits, scale| Value::Decimal {
            digits,
            precision: 31,
            scale,
        };
        Ok(match shape {
            Shape::Char(_) | Shape::VarChar(_) => Value::Text(text()?),
            Shape::Bits(_) | Shape::VarBits(_) => Value::Bytes(bytes.to_vec()),
            Shape::Integer(_) => {
                let negative = bytes.first().is_some_and(|first| first & 0x80 != 0);
                let start = if negative { -1_i64 } else { 0 };
                let add = |sum: i64, byte: &u8| sum << 8 | i64::from(*byte);
                Value::Integer(bytes.iter().fold(start, add))
            }
            Shape::Packed(_, scale) => decimal(fits(numbers::packed(bytes)).map_err(shown)?, scale),
            Shape::Zoned(_, scale) => decimal(fits(numbers::zoned(bytes)).map_err(shown)?, scale),
            Shape::Digits(_, scale) => {
                let text = text()?;
                let number = numbers::written(&text, scale);
                let number = number.filter(|(digits, scale)| is_decimal(*digits) && *scale <= 31);
                let (digits, scale) = number.ok_or_else(|| format!("'{text}' is no number"))?;
                decimal(digits, scale)
            }
            Shape::Float(4) if self.ieee => {
                let bits = bytes.try_into().map(u32::from_be_bytes).unwrap_or_default();
                finite(f64::from(f32::from_bits(bits))).ok_or_else(|| shown("it is no number"))?
            }
            Shape::Float(_) if self.ieee => {
                let bits = bytes.try_into().map(u64::from_be_bytes).unwrap_or_default();
                finite(f64::from_bits(bits)).ok_or_else(|| shown("it is no number"))?
            }
            Shape::Float(_) => Value::Double(hexfloat::read(bytes)),
            Shape::FloatDigits(_) => {
                let text = text()?;
                let number = text.trim().parse().ok().and_then(finite);
                number.ok_or_else(|| format!("'{text}' is no number"))?
            }
        })
    }
}

fn finite(value: f64) -> Option<Value> {
    value.is_finite().then_some(Value::Double(value))
}

/// A DECIMAL has 31 digits at most.
fn is_decimal(digits: i128) -> bool {
    digits.unsigned_abs() < 10_u128.pow(31)
}

fn fits(number: Result<i128, &'static str>) -> Result<i128, &'static str> {
    number.and_then(|digits| match is_decimal(digits) {
        true => Ok(digits),
        false => Err("it has more than 31 digits"),
    })
}

fn hex(bytes: &[u8]) -> String {
    let shown: String = bytes.iter().take(16).map(|b| format!("{b:02X}")).collect();
    if bytes.len() > 16 {
        shown + ".."
    } else {
        shown
    }
}
