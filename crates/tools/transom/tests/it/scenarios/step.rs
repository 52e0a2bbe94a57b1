//! One line of a `steps` file.
//!
//! What: words and texts in quotes, `< file`, `=> what is expected`, `#` comments. Not here: what
//! the first word does (`stage`).

/// A step.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Step {
    /// What to do, and its arguments.
    pub(super) words: Vec<String>,
    /// File that goes in.
    pub(super) input: Option<String>,
    /// What must come out.
    pub(super) expected: Vec<String>,
}

/// Reads a line; nothing of an empty one.
pub(super) fn read(line: &str) -> Result<Option<Step>, String> {
    let mut step = Step::default();
    let mut is_expected = false;
    let mut tokens = tokens(line)?.into_iter();
    while let Some((text, is_quoted)) = tokens.next() {
        match text.as_str() {
            "<" if !is_quoted => {
                let file = tokens.next().ok_or("a file is missing behind <")?;
                step.input = Some(file.0);
            }
            "=>" if !is_quoted => is_expected = true,
            _ if is_expected => step.expected.push(text),
            _ => step.words.push(text),
        }
    }
    Ok((!step.words.is_empty()).then_some(step))
}

/// Words and quoted texts; `\"`, `\\` and `\n` stand for themselves in quotes.
fn tokens(line: &str) -> Result<Vec<(String, bool)>, String> {
    let mut out = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() && !rest.starts_with('#') {
        if let Some(quoted) = rest.strip_prefix('"') {
            let mut text = String::new();
            let mut letters = quoted.char_indices();
            let end = loop {
                match letters.next().ok_or("a quote is not closed")? {
                    (at, '"') => break at + 1,
                    (_, '\\') => match letters.next().ok_or("a quote is not closed")?.1 {
                        'n' => text.push('\n'),
                        other => text.push(other),
                    },
                    (_, other) => text.push(other),
                }
            };
            out.push((text, true));
            rest = quoted[end..].trim_start();
        } else {
            let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
            out.push((rest[..end].to_owned(), false));
            rest = rest[end..].trim_start();
        }
    }
    Ok(out)
}

#[test]
fn a_line_has_words_a_file_and_what_is_expected() {
    let step = read(r#"http PUT /pay < body.json => 200 "a \"b\"" # why"#);
    let step = step.unwrap().unwrap();
    assert_eq!(step.words, ["http", "PUT", "/pay"]);
    assert_eq!(step.input.as_deref(), Some("body.json"));
    assert_eq!(step.expected, ["200", "a \"b\""]);
    assert_eq!(read("  # nothing"), Ok(None));
    assert!(read("type \"open").is_err());
}
