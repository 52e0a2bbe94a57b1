//! Values of SQL as JSON, written straight into a text.
//!
//! Why by hand: a result may have many rows, and a tree of each would cost more than reading it.
//! Numbers keep all their digits. Not here: requests (serde_json reads them).

use std::fmt::Write as _;
use transom_region_api::SqlDatum;

/// A string with its quotes.
pub(crate) fn string(out: &mut String, text: &str) {
    out.push('"');
    let mut from = 0;
    for (at, byte) in text.bytes().enumerate() {
        let escape = match byte {
            b'"' => "\\\"",
            b'\\' => "\\\\",
            b'\n' => "\\n",
            b'\r' => "\\r",
            b'\t' => "\\t",
            0..=0x1F => "",
            _ => continue,
        };
        // Each of these bytes is a character of its own.
        out.push_str(&text[from..at]);
        from = at + 1;
        match escape {
            "" => {
                let _ = write!(out, "\\u{byte:04x}");
            }
            escape => out.push_str(escape),
        }
    }
    out.push_str(&text[from..]);
    out.push('"');
}

/// A value.
pub(crate) fn value(out: &mut String, value: &SqlDatum) {
    match value {
        SqlDatum::Null => out.push_str("null"),
        SqlDatum::Integer(number) => {
            let _ = write!(out, "{number}");
        }
        SqlDatum::Decimal(digits, scale) => decimal(out, *digits, usize::from(*scale)),
        // JSON has no word for what is no number; Db2 stores none either.
        SqlDatum::Double(number) if !number.is_finite() => out.push_str("null"),
        SqlDatum::Double(number) => {
            let _ = write!(out, "{number:?}");
        }
        SqlDatum::Text(text) => string(out, text),
    }
}

fn decimal(out: &mut String, digits: i128, scale: usize) {
    if digits < 0 {
        out.push('-');
    }
    let from = out.len();
    let (digits, width) = (digits.unsigned_abs(), scale + 1);
    // Nearly all of them; numbers of 128 bits are divided one digit at a time.
    let _ = match u64::try_from(digits) {
        Ok(few) => write!(out, "{few:0width$}"),
        Err(_) => write!(out, "{digits:0width$}"),
    };
    if scale > 0 {
        let point = out.len() - scale;
        debug_assert!(point > from);
        out.insert(point, '.');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(datum: SqlDatum) -> String {
        let mut out = String::new();
        value(&mut out, &datum);
        out
    }

    #[test]
    fn numbers_keep_their_digits() {
        assert_eq!(written(SqlDatum::Decimal(5_275_000, 2)), "52750.00");
        assert_eq!(written(SqlDatum::Decimal(-5, 2)), "-0.05");
        let long = i128::from(u64::MAX) + 1;
        assert_eq!(
            written(SqlDatum::Decimal(-long, 3)),
            "-18446744073709551.616"
        );
        assert_eq!(written(SqlDatum::Decimal(7, 0)), "7");
        assert_eq!(written(SqlDatum::Integer(i64::MIN)), i64::MIN.to_string());
        assert_eq!(written(SqlDatum::Double(1e300)), "1e300");
        assert_eq!(written(SqlDatum::Null), "null");
    }

    #[test]
    fn strings_are_strings_of_json() {
        let text = "a\"b\\c\n\u{1}\u{e4}\u{20ac}";
        let out = written(SqlDatum::Text(text.to_owned()));
        assert_eq!(out, "\"a\\\"b\\\\c\\n\\u0001\u{e4}\u{20ac}\"");
        let back: String = serde_json::from_str(&out).unwrap();
        assert_eq!(back, text);
    }
}
