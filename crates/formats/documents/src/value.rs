//! Elementary items as characters, trimmed.
//!
//! Not here: what is escaped, which differs between JSON and XML.

/// The content of an item.
#[derive(Debug, Clone, Copy)]
pub enum Value<'a> {
    /// Characters of ISO 8859-1.
    Text { bytes: &'a [u8], justified: bool },
    /// UTF-16, the high byte first.
    National { bytes: &'a [u8], justified: bool },
    /// A sign and digits, the last of them at 10 to the power of -`scale`.
    Digits { bytes: &'a [u8], scale: usize },
    /// COMP-1.
    Short(f32),
    /// COMP-2.
    Long(f64),
}

impl Value<'_> {
    /// As the document has it, before anything is escaped; whether it is a number.
    pub(crate) fn written(&self) -> (String, bool) {
        match *self {
            Value::Text { bytes, justified } => {
                let text = bytes.iter().map(|b| char::from(*b)).collect();
                (trimmed(text, justified), false)
            }
            Value::National { bytes, justified } => {
                let (units, _) = bytes.as_chunks::<2>();
                let units = units.iter().map(|unit| u16::from_be_bytes(*unit));
                let text = char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}'));
                (trimmed(text.collect(), justified), false)
            }
            Value::Digits { bytes, scale } => (number(bytes, scale), true),
            Value::Short(value) => (exponent(format!("{value:.8e}")), true),
            Value::Long(value) => (exponent(format!("{value:.17e}")), true),
        }
    }

    /// The bytes of text.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Value::Text { bytes, .. } => bytes,
            _ => &[],
        }
    }
}

/// Blanks go at the end, or in front where the item is JUSTIFIED; of blanks alone one stays.
fn trimmed(text: String, justified: bool) -> String {
    let kept = match justified {
        true => text.trim_start_matches(' '),
        false => text.trim_end_matches(' '),
    };
    match kept.is_empty() && !text.is_empty() {
        true => " ".to_owned(),
        false => kept.to_owned(),
    }
}

fn number(bytes: &[u8], scale: usize) -> String {
    let (minus, digits) = match bytes.split_first() {
        Some((b'-', digits)) => (true, digits),
        Some((b'+', digits)) => (false, digits),
        _ => (false, bytes),
    };
    let (whole, part) = digits.split_at(digits.len().saturating_sub(scale));
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let whole = text(whole);
    let whole = match whole.trim_start_matches('0') {
        "" => "0",
        kept => kept,
    };
    // Nothing is negative about zero.
    let sign = if minus && digits.iter().any(|d| *d != b'0') {
        "-"
    } else {
        ""
    };
    match part.is_empty() {
        true => format!("{sign}{whole}"),
        false => format!("{sign}{whole}.{}", text(part)),
    }
}

/// `1.5e1` as `1.5E+01`.
fn exponent(text: String) -> String {
    let Some((mantissa, exponent)) = text.split_once('e') else {
        return text;
    };
    let (sign, digits) = match exponent.strip_prefix('-') {
        Some(digits) => ('-', digits),
        None => ('+', exponent),
    };
    format!("{mantissa}E{sign}{digits:0>2}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_lose_zeros_in_front_and_keep_those_behind() {
        let shown = |bytes: &[u8], scale| number(bytes, scale);
        assert_eq!(shown(b"-012340", 3), "-12.340");
        assert_eq!(shown(b"+000045", 2), "0.45");
        assert_eq!(shown(b"+0013", 0), "13");
        assert_eq!(shown(b"+0000", 0), "0");
        assert_eq!(shown(b"-0000", 2), "0.00");
        assert_eq!(
            Value::Short(12.5).written(),
            ("1.25000000E+01".into(), true)
        );
        assert_eq!(Value::Short(-0.001).written().0, "-1.00000005E-03");
        assert_eq!(Value::Long(0.0).written().0, "0.00000000000000000E+00");
        assert_eq!(Value::Long(1e-7).written().0, "9.99999999999999955E-08");
    }

    #[test]
    fn blanks_go_at_one_end() {
        let trimmed = |text: &str, justified| trimmed(text.to_owned(), justified);
        assert_eq!(trimmed(" ab  ", false), " ab");
        assert_eq!(trimmed("  ab ", true), "ab ");
        assert_eq!(trimmed("   ", false), " ");
        assert_eq!(trimmed("\u{e4} ", false), "\u{e4}");
        let national = Value::National {
            bytes: b"\x20\xac\0 \0 ",
            justified: false,
        };
        assert_eq!(national.written(), ("\u{20ac}".to_owned(), false));
    }
}
