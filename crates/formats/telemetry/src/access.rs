//! A request of a client as one line of an access log.
//!
//! What: the combined format of web servers with three words more behind it (microseconds, API,
//! task), or a JSON object. Why escapes are here: path, user and headers are what a client likes to
//! send, and a line must stay one line of so many words. Not here: when a request is over, where
//! lines go, whether the query is a secret.

use core::fmt::Write as _;
use core::net::IpAddr;
use transom_types::calendar::{DateTime, MONTHS};

/// Most bytes of what a client sends that are told of one part.
const PART_BYTES: usize = 2_000;

/// A request that is over.
#[derive(Debug, Clone)]
pub struct Access<'a> {
    /// Who sent it.
    pub client: IpAddr,
    /// Under which name; empty: none was needed.
    pub user: &'a str,
    /// When it came, nanoseconds since 1970.
    pub unix_ns: u64,
    /// GET, POST and so on.
    pub method: &'a str,
    /// Path, with the query where that is wanted.
    pub target: &'a str,
    /// `HTTP/1.1`.
    pub version: &'a str,
    /// Of the reply; 0: the client went away before it.
    pub status: u16,
    /// Of the reply's body.
    pub bytes: u64,
    /// Until the reply was handed to the connection.
    pub micros: u64,
    /// Where the client has the address from; empty: it did not say.
    pub referer: &'a str,
    /// What the client calls itself; empty: it did not say.
    pub agent: &'a str,
    /// The trace the client says it belongs to, as W3C has it; empty: it does not say.
    pub traceparent: &'a str,
    /// API or service; empty: none.
    pub api: &'a str,
    /// Number of the task that ran for it; 0: none did.
    pub task: u32,
}

impl Access<'_> {
    /// `client - user [time] "METHOD path HTTP/1.1" status bytes "referer" "agent" micros api
    /// task`, with the end of the line; `-` for what is not there.
    pub fn combined(&self) -> String {
        let mut out = String::with_capacity(256);
        let _ = write!(out, "{} - ", self.client);
        word(&mut out, self.user);
        out.push_str(" [");
        moment(&mut out, self.unix_ns / 1_000_000);
        out.push_str("] \"");
        escaped(&mut out, self.method);
        out.push(' ');
        escaped(&mut out, self.target);
        let _ = write!(out, " {}\" ", self.version);
        number(&mut out, self.status.into());
        let _ = write!(out, " {} ", self.bytes);
        for text in [self.referer, self.agent] {
            out.push('"');
            escaped(&mut out, if text.is_empty() { "-" } else { text });
            out.push_str("\" ");
        }
        let _ = write!(out, "{} ", self.micros);
        word(&mut out, self.api);
        out.push(' ');
        number(&mut out, self.task);
        out.push('\n');
        out
    }

    /// An object of the same, with the end of the line; what is not there has no member.
    pub fn json(&self) -> String {
        let mut out = String::with_capacity(384);
        let _ = write!(
            out,
            "{{\"time\":\"{}\"",
            utc(self.unix_ns / 1_000_000).rfc3339()
        );
        let client = self.client.to_string();
        let texts = [
            ("client", client.as_str()),
            ("user", self.user),
            ("method", self.method),
            ("path", self.target),
            ("protocol", self.version),
            ("referer", self.referer),
            ("agent", self.agent),
            ("api", self.api),
        ];
        for (name, text) in texts.into_iter().filter(|(_, text)| !text.is_empty()) {
            let _ = write!(out, ",\"{name}\":\"");
            json_text(&mut out, text);
            out.push('"');
        }
        for (name, number) in [("status", self.status.into()), ("task", self.task)] {
            if number != 0 {
                let _ = write!(out, ",\"{name}\":{number}");
            }
        }
        let (bytes, micros) = (self.bytes, self.micros);
        let _ = writeln!(out, ",\"bytes\":{bytes},\"micros\":{micros}}}");
        out
    }
}

/// A text without blanks; `-`: none.
fn word(out: &mut String, text: &str) {
    if text.is_empty() {
        out.push('-');
    }
    for (n, part) in text.split(' ').enumerate() {
        out.push_str(if n > 0 { "\\x20" } else { "" });
        escaped(out, part);
    }
}

fn number(out: &mut String, number: u32) {
    match number {
        0 => out.push('-'),
        number => {
            let _ = write!(out, "{number}");
        }
    }
}

/// As Apache writes what a client sent: quotes and backslashes with one in front, what is no
/// printable character of ASCII by its bytes.
fn escaped(out: &mut String, text: &str) {
    for byte in text.bytes().take(PART_BYTES) {
        match byte {
            b'"' | b'\\' => {
                out.push('\\');
                out.push(char::from(byte));
            }
            b' '..=b'~' => out.push(char::from(byte)),
            _ => {
                let _ = write!(out, "\\x{byte:02x}");
            }
        }
    }
}

fn json_text(out: &mut String, text: &str) {
    let mut left = PART_BYTES;
    for c in text.chars() {
        let Some(rest) = left.checked_sub(c.len_utf8()) else {
            return;
        };
        left = rest;
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
}

/// `23/Nov/2026:02:15:31 +0000`.
fn moment(out: &mut String, unix_ms: u64) {
    let at = utc(unix_ms);
    let name = MONTHS
        .get((at.month as usize).saturating_sub(1))
        .unwrap_or(&"?");
    let _ = write!(
        out,
        "{:02}/{name}/{:04}:{:02}:{:02}:{:02} +0000",
        at.day, at.year, at.hour, at.minute, at.second
    );
}

fn utc(unix_ms: u64) -> DateTime {
    DateTime::from_unix_ms(i64::try_from(unix_ms).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn access() -> Access<'static> {
        Access {
            client: IpAddr::from([127, 0, 0, 1]),
            user: "SMITH",
            unix_ns: 1_795_400_131_123_000_000,
            method: "GET",
            target: "/bank/accounts/1",
            version: "HTTP/1.1",
            status: 200,
            bytes: 512,
            micros: 1_234,
            referer: "",
            agent: "curl/8.5.0",
            traceparent: "",
            api: "bank",
            task: 42,
        }
    }

    #[test]
    fn a_request_is_a_line_of_the_combined_format_with_three_words_more() {
        assert_eq!(
            access().combined(),
            "127.0.0.1 - SMITH [23/Nov/2026:02:15:31 +0000] \"GET /bank/accounts/1 HTTP/1.1\" 200 \
             512 \"-\" \"curl/8.5.0\" 1234 bank 42\n"
        );
    }

    #[test]
    fn what_is_not_there_is_a_dash_or_no_member() {
        let gone = Access {
            user: "",
            status: 0,
            api: "",
            task: 0,
            agent: "",
            ..access()
        };
        let line = gone.combined();
        assert!(
            line.ends_with("HTTP/1.1\" - 512 \"-\" \"-\" 1234 - -\n"),
            "{line}"
        );
        let line = gone.json();
        for name in ["user", "status", "api", "task", "agent"] {
            assert!(!line.contains(&format!("\"{name}\"")), "{line}");
        }
    }

    #[test]
    fn nothing_a_client_sends_ends_a_line_or_a_word() {
        let hostile = Access {
            user: "A B\n",
            target: "/\"x\\\r\n\u{1b}[2J\u{e4}",
            agent: "a\" 200 1 \"b\u{7f}",
            api: "two words",
            ..access()
        };
        let line = hostile.combined();
        assert!(line.starts_with("127.0.0.1 - A\\x20B\\x0a ["), "{line}");
        assert!(
            line.contains("/\\\"x\\\\\\x0d\\x0a\\x1b[2J\\xc3\\xa4 HTTP"),
            "{line}"
        );
        assert!(line.contains("\"a\\\" 200 1 \\\"b\\x7f\""), "{line}");
        assert_eq!(line.lines().count(), 1);
        let line = hostile.json();
        assert_eq!(line.lines().count(), 1);
        assert!(
            line.contains("\"path\":\"/\\\"x\\\\\\u000d\\u000a\\u001b[2J\u{e4}\""),
            "{line}"
        );
    }

    #[test]
    fn a_part_is_of_bounded_length() {
        let long = "x".repeat(1 << 20);
        let long = Access {
            target: &long,
            agent: &long,
            ..access()
        };
        assert!(long.combined().len() < 3 * PART_BYTES);
        assert!(long.json().len() < 3 * PART_BYTES);
    }
}
