//! Values of arguments and storage as text, and back.
//!
//! Not here: what the values belong to.

/// Characters as they are, a period for what a screen cannot show.
pub(super) fn printable(bytes: &[u8]) -> String {
    let shown = |byte: &u8| match byte {
        0x20..=0x7E | 0xA0..=0xFF => char::from(*byte),
        _ => '.',
    };
    bytes.iter().map(shown).collect()
}

/// `X'00C1'`.
pub(super) fn hex_of(bytes: &[u8]) -> String {
    let digits: String = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    format!("X'{digits}'")
}

/// A value in brackets; `more`: what says that there is more of it.
pub(super) fn shown_as(bytes: &[u8], hex: bool, more: &str) -> String {
    match hex {
        true => format!("({}{more})", hex_of(bytes)),
        false => format!("('{}'{more})", printable(bytes)),
    }
}

/// A number in brackets, with its sign.
pub(super) fn number_of(number: i64, short: bool) -> String {
    match short {
        true => format!("({number:+06})"),
        false => format!("({number:+011})"),
    }
}

/// What stands between the quotes of a value.
pub(super) fn read_text(typed: &str) -> Option<String> {
    let typed = typed.trim_end();
    let typed = typed.strip_prefix("('")?.strip_suffix(')')?;
    let typed = typed.strip_suffix("...").unwrap_or(typed);
    typed.strip_suffix('\'').map(str::to_owned)
}

/// The number of a value.
pub(super) fn read_number(typed: &str) -> Option<i64> {
    let typed = typed.trim().strip_prefix('(')?.strip_suffix(')')?;
    typed.trim().parse().ok()
}

/// The bytes of a value in hexadecimal digits.
pub(super) fn read_hex(typed: &str) -> Option<Vec<u8>> {
    let typed = typed.trim().trim_start_matches('(').trim_end_matches(')');
    let typed = typed.strip_suffix("...").unwrap_or(typed);
    let digits = typed.strip_prefix("X'")?.strip_suffix('\'')?;
    bytes_of(digits)
}

/// Bytes of an even number of hexadecimal digits.
pub(super) fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let digits = digits.as_bytes();
    if !digits.len().is_multiple_of(2) || !digits.iter().all(u8::is_ascii_hexdigit) {
        return None;
    }
    let pair = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
    digits.chunks(2).map(pair).collect()
}

/// Bytes with what was typed over their characters. A period that stood there for a byte without
/// character, or that was typed, leaves the byte as it is.
pub(super) fn read_bytes(now: &[u8], typed: &str) -> Vec<u8> {
    let shown = printable(now);
    let mut new = now.to_vec();
    let typed = typed.chars().chain(std::iter::repeat(' '));
    for ((byte, shown), typed) in new.iter_mut().zip(shown.chars()).zip(typed) {
        if typed != shown && typed != '.' {
            *byte = u8::try_from(u32::from(typed)).unwrap_or(b'?');
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_back() {
        assert_eq!(shown_as(b"AB\0 ", false, ""), "('AB. ')");
        assert_eq!(read_text("('AB. ')").as_deref(), Some("AB. "));
        assert_eq!(read_text("('AB'...)").as_deref(), Some("AB"));
        assert_eq!(read_bytes(b"AB\0 ", "AX.Y"), b"AX\0Y");
        assert_eq!(shown_as(&[0xC1, 0], true, "..."), "(X'C100'...)");
        assert_eq!(read_hex("(X'C1FF'...)"), Some(vec![0xC1, 0xFF]));
        assert_eq!(number_of(-5, true), "(-00005)");
        assert_eq!(read_number("(-00005)"), Some(-5));
        assert_eq!(read_number("(+0000000154)"), Some(154));
    }

    #[test]
    fn what_is_no_value_is_none() {
        assert_eq!(read_text("AB"), None);
        assert_eq!(read_text("('AB"), None);
        for bad in ["(X'C')", "(X'GG')", "X'C1", "('C1')"] {
            assert_eq!(read_hex(bad), None, "{bad}");
        }
        assert_eq!(read_number("(1A)"), None);
        assert_eq!(read_number("154"), None);
    }
}
