//! Names of the region as text.
//!
//! Why: a name is bytes that a program chose. Two names that differ must not look alike to whoever
//! stores figures by them, and none may be more than a name. Not here: names in HTML (`escape`).

use std::borrow::Cow;
use std::fmt::Write as _;

/// The name without blanks at its end: bytes that are no printable ASCII as `\x1b`.
pub(crate) fn text(name: &[u8]) -> Cow<'_, str> {
    let end = name.iter().rposition(|b| *b != b' ').map_or(0, |at| at + 1);
    let name = &name[..end];
    let plain = |b: &u8| (b.is_ascii_graphic() || *b == b' ') && *b != b'\\';
    if let (true, Ok(text)) = (name.iter().all(plain), std::str::from_utf8(name)) {
        return Cow::Borrowed(text);
    }
    let mut out = String::new();
    for byte in name {
        match plain(byte) {
            true => out.push(char::from(*byte)),
            false => {
                let _infallible = write!(out, "\\x{byte:02x}");
            }
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn names_that_differ_look_different() {
        assert_eq!(text(b"PAY1"), "PAY1");
        assert_eq!(text(b"A B     "), "A B");
        assert_eq!(text(b"\x00\xFF\"\\x"), "\\x00\\xff\"\\x5cx");
        assert_eq!(text(b"    "), "");
    }
}
