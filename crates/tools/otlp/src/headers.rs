//! The file of headers: who sends, for a collector that asks. A value is never shown.

use hyper::header::{HeaderName, HeaderValue};
use std::path::Path;
use transom_messages::{Message, ot};

/// Headers of a file.
const HEADERS_MAX: usize = 50;

/// Reads `name: value` lines.
///
/// # Errors
/// The first line that is none, or that there is no such file.
pub(crate) fn read(file: &Path) -> Result<Vec<(HeaderName, HeaderValue)>, Message> {
    let wrong = |line: usize, why: &str| ot::bad_headers(file.display(), line, why);
    let text = std::fs::read_to_string(file).map_err(|e| wrong(1, &e.to_string()))?;
    let lines = text
        .lines()
        .zip(1..)
        .map(|(text, line)| (text.trim(), line));
    let lines = lines.filter(|(text, _)| !text.is_empty() && !text.starts_with('#'));
    let mut all = Vec::new();
    for (text, line) in lines {
        if all.len() == HEADERS_MAX {
            return Err(wrong(line, "there are too many headers"));
        }
        let header = text.split_once(':').and_then(|(name, value)| {
            let value = HeaderValue::from_str(value.trim()).ok()?;
            Some((name.trim().parse::<HeaderName>().ok()?, value))
        });
        let Some((name, mut value)) = header else {
            return Err(wrong(line, "name: value is needed"));
        };
        value.set_sensitive(true);
        all.push((name, value));
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wrong_line_is_named_and_not_shown() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("headers");
        std::fs::write(&file, "# who\n\nAuthorization: Bearer abc\n").unwrap();
        let all = read(&file).unwrap();
        assert_eq!(
            (all[0].0.as_str(), all[0].1.as_bytes()),
            ("authorization", &b"Bearer abc"[..])
        );
        std::fs::write(&file, "a: b\nsecret\n").unwrap();
        let said = read(&file).unwrap_err().to_string();
        assert!(
            said.contains("headers:2:") && !said.contains("secret"),
            "{said}"
        );
        assert!(read(&folder.path().join("none")).is_err());
    }
}
