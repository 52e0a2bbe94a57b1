//! Text of XML.
//!
//! Not here: which elements there are (`document`).

/// The name of an element or attribute that comes from a data-name.
pub(crate) fn name(of: &str) -> String {
    let digit = of.starts_with(|c: char| c.is_ascii_digit());
    let reserved = of.get(..3).is_some_and(|s| s.eq_ignore_ascii_case("xml"));
    match digit || reserved {
        true => format!("_{of}"),
        false => of.to_owned(),
    }
}

/// The five characters that mean something in XML, as references.
pub(crate) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&apos;"),
            '>' => out.push_str("&gt;"),
            '<' => out.push_str("&lt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// A character that no XML document may have.
pub(crate) fn is_illegal(byte: u8) -> bool {
    byte < b' ' && !matches!(byte, b'\t' | b'\n' | b'\r')
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02X}")).collect()
}

/// A name without a colon.
pub(crate) fn is_name(text: &str) -> bool {
    let begins = |c: char| c.is_alphabetic() || c == '_';
    let goes_on = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '\u{b7}');
    text.starts_with(begins) && text.chars().all(goes_on)
}
