//! Checks a value against its attribute's rule and brings it into normal form.

use transom_resources::Rule;

/// The value in normal form, or what values are allowed.
pub(crate) fn check(rule: Rule, value: &str) -> Result<String, String> {
    match rule {
        Rule::Name(max) => name(&value.to_ascii_uppercase(), max),
        Rule::CaseName(max) => name(value, max),
        Rule::Text(max) => text(value, max),
        // A path that was continued over lines has blanks where the lines met.
        Rule::Path(max) => {
            let joined: String = value.chars().filter(|c| *c != ' ').collect();
            text(&joined, max)
        }
        Rule::Number(low, high) => number(value, low, high)
            .ok_or_else(|| format!("it must be a number from {low} to {high}")),
        Rule::NumberOr(low, high, words) => number(value, low, high)
            .or_else(|| word(value, words))
            .ok_or_else(|| {
                format!(
                    "it must be a number from {low} to {high} or {}",
                    words.join(", ")
                )
            }),
        Rule::OneOf(words) => {
            word(value, words).ok_or_else(|| format!("it must be one of {}", words.join(", ")))
        }
        Rule::Any => Ok(any(value)),
    }
}

/// Checks a resource, group or list name.
pub(crate) fn name(value: &str, max: usize) -> Result<String, String> {
    let value = value.trim();
    if value.is_empty() {
        return Err("it is empty".to_string());
    }
    if value.chars().count() > max {
        return Err(format!("it has more than {max} characters"));
    }
    match value.chars().find(|c| !is_name_character(*c)) {
        Some(c) => Err(format!("the character {c:?} is not allowed in a name")),
        None => Ok(value.to_string()),
    }
}

/// A name pattern for ALTER, DELETE and COPY: `*` for any rest, `+` for one character.
pub(crate) fn matches(pattern: &str, name: &str) -> bool {
    let (pattern, open) = match pattern.split_once('*') {
        Some((head, _)) => (head, true),
        None => (pattern, false),
    };
    let fits = |(p, n): (char, char)| p == '+' || p == n;
    let (want, have) = (pattern.chars().count(), name.chars().count());
    (want == have || (open && want <= have)) && pattern.chars().zip(name.chars()).all(fits)
}

fn is_name_character(c: char) -> bool {
    c.is_ascii_graphic() && !matches!(c, '(' | ')' | '\'')
}

fn text(value: &str, max: usize) -> Result<String, String> {
    if value.chars().count() > max {
        return Err(format!("it has more than {max} characters"));
    }
    match value.chars().find(|c| c.is_control()) {
        Some(c) => Err(format!("the character {c:?} is not allowed")),
        None => Ok(value.to_string()),
    }
}

fn number(value: &str, low: i64, high: i64) -> Option<String> {
    let value = value.trim();
    if value.is_empty() || value.len() > 18 || !value.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    let number: i64 = value.parse().ok()?;
    (low..=high).contains(&number).then(|| number.to_string())
}

fn word(value: &str, words: &[&str]) -> Option<String> {
    let value = value.trim().to_ascii_uppercase();
    if let Some(exact) = words.iter().find(|w| **w == value) {
        return Some((*exact).to_string());
    }
    let mut fits = words
        .iter()
        .filter(|w| !value.is_empty() && w.starts_with(&value));
    match (fits.next(), fits.next()) {
        (Some(word), None) => Some((*word).to_string()),
        _ => None,
    }
}

/// Upper case, one comma between parts: `0 0 0` and `0, 0, 0` are `0,0,0`.
fn any(value: &str) -> String {
    let upper = value.to_ascii_uppercase();
    let parts: Vec<&str> = upper
        .split([' ', ','])
        .filter(|part| !part.is_empty())
        .collect();
    parts.join(",")
}
