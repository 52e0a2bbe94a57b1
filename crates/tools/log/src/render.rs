//! Lines as they are written.
//!
//! What: time, level, id, task and all that is known by name, as text or as a JSON object. Why
//! times are UTC: lines of several machines are read together. Not here: plain lines, where lines
//! go.

use crate::config::Format;
use serde_json::{Map, Value};
use std::time::Duration;
use transom_messages::{Line, Severity, Source};
use transom_types::calendar::DateTime;

/// A line with its end. `since_1970`: when it was said.
pub(crate) fn line(format: Format, line: &Line, since_1970: Duration) -> Vec<u8> {
    match format {
        Format::Plain => shown(&line.to_string()),
        Format::Text => shown(&text(line, since_1970)),
        Format::Json => json(line, since_1970),
    }
    .into_bytes()
}

fn text(line: &Line, since_1970: Duration) -> String {
    let mut out = format!(
        "{} {:<5} {line}",
        moment(since_1970),
        level(line.level).to_uppercase()
    );
    for (name, value) in &line.fields {
        out += &format!(" {name}={value}");
    }
    if line.task != 0 {
        out += &format!(" task={}", line.task);
    }
    for (name, value) in whose(line) {
        out += &format!(" {name}={value}");
    }
    out
}

fn json(line: &Line, since_1970: Duration) -> String {
    let mut all = Map::new();
    let mut put = |name: &str, value: Value| all.insert(name.to_owned(), value);
    put("time", moment(since_1970).into());
    put("level", level(line.level).into());
    if let Some(id) = line.id() {
        put("id", id.into());
    }
    put("source", source(line.source).into());
    if line.task != 0 {
        put("task", line.task.into());
    }
    for (name, value) in whose(line) {
        put(name, value.into());
    }
    put("text", line.to_string().into());
    let fields: Map<String, Value> = line
        .all_fields()
        .map(|(name, value)| (name.to_owned(), value.into()))
        .collect();
    if !fields.is_empty() {
        put("fields", Value::Object(fields));
    }
    format!("{}\n", Value::Object(all))
}

/// Names of whom the task is that are known.
fn whose(line: &Line) -> impl Iterator<Item = (&'static str, &str)> {
    let names = line.who.iter().flat_map(|who| who.names());
    names.filter(|(_, name)| !name.is_empty())
}

fn level(level: Severity) -> &'static str {
    match level {
        Severity::Information => "info",
        Severity::Warning => "warn",
        Severity::Error => "error",
        Severity::Severe => "fatal",
    }
}

fn source(source: Source) -> &'static str {
    match source {
        Source::Region => "region",
        Source::Command => "command",
        Source::Display => "display",
        Source::Door => "door",
    }
}

/// A text with its end: control characters as `\x1b`, further lines of it are indented.
pub(crate) fn shown(text: &str) -> String {
    use std::fmt::Write as _;
    let mut line = String::with_capacity(text.len() + 1);
    for c in text.chars() {
        match c {
            '\n' => line.push_str("\n    "),
            '\t' => line.push(c),
            c if c.is_control() => {
                let _infallible = write!(line, "\\x{:02x}", u32::from(c));
            }
            c => line.push(c),
        }
    }
    line.push('\n');
    line
}

/// `2026-11-23T02:15:31.123Z`.
fn moment(since_1970: Duration) -> String {
    let unix_ms = i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX);
    DateTime::from_unix_ms(unix_ms).rfc3339()
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_messages as messages;

    const AT: Duration = Duration::from_millis(1_795_400_131_123);

    #[test]
    fn moments_are_utc() {
        for (seconds, expected) in [
            (0, "1970-01-01T00:00:00.000Z"),
            (951_782_400, "2000-02-29T00:00:00.000Z"),
            (4_107_542_399, "2100-02-28T23:59:59.000Z"),
            (4_107_542_400, "2100-03-01T00:00:00.000Z"),
            (1_798_761_599, "2026-12-31T23:59:59.000Z"),
        ] {
            assert_eq!(moment(Duration::from_secs(seconds)), expected);
        }
    }

    #[test]
    fn a_line_is_one_line_and_steers_nothing() {
        let said = "TXM1 of \u{1b}[2Jme\rTXM2\nTXM3 \u{9b}1m\tend";
        let expected = "TXM1 of \\x1b[2Jme\\x0dTXM2\n    TXM3 \\x9b1m\tend\n";
        assert_eq!(shown(said), expected);
        let json = String::from_utf8(line(Format::Json, &Line::heard(said), AT)).unwrap();
        assert_eq!(json.lines().count(), 1);
        let value: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value["text"], said);
    }

    #[test]
    fn a_line_says_all_that_is_known() {
        let told = Line::from(messages::pg::not_defined("PAY1"))
            .of_task(7)
            .by(messages::Who::new("PAY1", "    ", "SMITH   "))
            .with("url", "/a");
        let text = String::from_utf8(line(Format::Text, &told, AT)).unwrap();
        let time = moment(AT);
        assert_eq!(
            text,
            format!("{time} ERROR {told} url=/a task=7 transaction=PAY1 user=SMITH\n")
        );
        let json: Value = serde_json::from_slice(&line(Format::Json, &told, AT)).unwrap();
        assert_eq!(json["time"], time);
        assert_eq!(
            (&json["level"], &json["id"]),
            (&"error".into(), &"TXMPG0001E".into())
        );
        assert_eq!(
            (&json["task"], &json["source"]),
            (&7.into(), &"region".into())
        );
        assert_eq!(
            (&json["transaction"], &json["user"]),
            (&"PAY1".into(), &"SMITH".into())
        );
        assert_eq!(json.get("terminal"), None);
        assert_eq!(json["fields"]["url"], "/a");
        assert_eq!(json["text"], told.to_string());
    }
}
