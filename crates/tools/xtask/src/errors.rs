//! Errors are types: no `Result<_, String>`.
//!
//! Why: who gets a text cannot tell one failure from another but by comparing texts. Not here:
//! which rooms it holds for (`tidy`).

/// How many results of this source have a `String` as error.
pub(crate) fn string_errors(code: &str) -> usize {
    let results = code.match_indices("Result<");
    results
        .filter(|(at, word)| error_of(&code[at + word.len()..]) == Some("String"))
        .count()
}

/// The second type of the list that begins here.
fn error_of(list: &str) -> Option<&str> {
    let (mut depth, mut comma, mut before) = (0_u32, None, ' ');
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' => depth += 1,
            '>' if before == '-' => {}
            '>' | ')' | ']' if depth > 0 => depth -= 1,
            '>' => {
                return list
                    .get(comma? + 1..at)
                    .map(|error| error.trim_matches([' ', '\n', ',']).trim());
            }
            ',' if depth == 0 && comma.is_none() => comma = Some(at),
            ';' | '{' => return None,
            _ => {}
        }
        before = c;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_that_are_texts() {
        for (code, expected) in [
            ("fn a() -> Result<(), String> {", 1),
            ("fn a() -> Result<Vec<(u8, String)>, String>;", 1),
            (
                "fn a() -> Result<\n    Map<String, String>,\n    String,\n> {",
                1,
            ),
            ("f: impl Fn(u8) -> Result<Box<dyn Fn() -> u8>, String>,", 1),
            ("fn a() -> Result<String, Error> {", 0),
            ("fn a() -> Result<Map<u8, String>> {", 0),
            ("fn a() -> Result<u8, Map<u8, String>> {", 0),
            ("if a < b { Result::Ok(1) }", 0),
        ] {
            assert_eq!(string_errors(code), expected, "{code}");
        }
    }
}
