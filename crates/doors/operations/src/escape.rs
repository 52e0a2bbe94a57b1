//! Text that a page shows.
//!
//! Why: names, messages and records hold whatever a program, a file or a client put there. All of
//! it comes into a page through this, so that none of it is markup.

/// Appends text as text.
pub(crate) fn put(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            '\n' | '\t' => out.push(c),
            c if c.is_control() => out.push('\u{fffd}'),
            // Marks that turn the direction of what follows.
            '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn nothing_is_markup() {
        let mut out = String::new();
        super::put(&mut out, "<a href=\"x\">'&\u{1b}\u{202e}</a>\n");
        assert_eq!(
            out,
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;\u{fffd}\u{fffd}&lt;/a&gt;\n"
        );
    }
}
