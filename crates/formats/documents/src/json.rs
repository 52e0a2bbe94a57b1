//! Text of JSON.
//!
//! Not here: which members there are (`document`).

/// A string with its quotation marks.
pub(crate) fn string(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\u{8}' => out.push_str("\\b"),
            '\t' => out.push_str("\\t"),
            '\n' => out.push_str("\\n"),
            '\u{c}' => out.push_str("\\f"),
            '\r' => out.push_str("\\r"),
            // EBCDIC's NEW LINE; no JSON but Enterprise COBOL's.
            '\u{85}' => out.push_str("\\x"),
            c if c < ' ' => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

#[cfg(test)]
mod tests {
    #[test]
    fn characters_are_escaped_as_enterprise_cobol_escapes_them() {
        let mut out = String::new();
        super::string("a\"\\/\u{8}\t\n\u{c}\r\u{1}\u{85}\u{e4}", &mut out);
        assert_eq!(out, "\"a\\\"\\\\/\\b\\t\\n\\f\\r\\u0001\\x\u{e4}\"");
    }
}
