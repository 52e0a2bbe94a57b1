//! Where, when and how a run was made.
//!
//! Why: a figure without its machine says nothing. Not here: what was measured.

use serde::{Deserialize, Serialize};
use std::fs;
use std::time::{SystemTime, UNIX_EPOCH};
use transom_types::calendar::DateTime;

/// The head of a report.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
pub struct Machine {
    /// When the run began, UTC.
    pub date: String,
    /// Name of the machine.
    pub host: String,
    /// Kind of its processors.
    pub cpu: String,
    /// Of the driver.
    pub version: String,
    /// The command with its options; what could be secret is left out.
    pub command: String,
}

impl Machine {
    /// This machine, now.
    pub(crate) fn here() -> Self {
        let since = SystemTime::now().duration_since(UNIX_EPOCH);
        Self {
            date: date(since.map_or(0, |d| d.as_secs())),
            host: line_of("/proc/sys/kernel/hostname"),
            cpu: processor(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            command: command(std::env::args()),
        }
    }
}

fn line_of(file: &str) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().next().unwrap_or("unknown").to_owned()
}

fn processor() -> String {
    let text = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let named = text.lines().find(|line| line.starts_with("model name"));
    let name = named.and_then(|line| line.split_once(':'));
    name.map_or("unknown", |(_, name)| name.trim()).to_owned()
}

/// `2026-11-23 05:07 UTC`.
fn date(seconds: u64) -> String {
    let unix_ms = i64::try_from(seconds.saturating_mul(1_000)).unwrap_or(i64::MAX);
    let at = DateTime::from_unix_ms(unix_ms);
    format!(
        "{:04}-{:02}-{:02} {:02}:{:02} UTC",
        at.year, at.month, at.day, at.hour, at.minute
    )
}

/// Words as a shell takes them. Values of headers and bodies can be secrets of those who run it.
fn command(words: impl Iterator<Item = String>) -> String {
    let mut shown = Vec::new();
    let mut hide: Option<&str> = None;
    for (nth, word) in words.enumerate() {
        let word = match hide.take() {
            Some("--header") => match word.split_once(':') {
                Some((name, _)) => format!("{name}: ..."),
                None => "...".to_owned(),
            },
            Some(_) => "...".to_owned(),
            None => word,
        };
        hide = ["--header", "--body"].into_iter().find(|o| *o == word);
        let word = match word.split_once('=') {
            Some((option @ ("--header" | "--body"), _)) => format!("{option}=..."),
            _ if nth == 0 => word.rsplit('/').next().unwrap_or_default().to_owned(),
            _ => without_user(&word),
        };
        let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:,=@%+".contains(c);
        shown.push(match !word.is_empty() && word.chars().all(plain) {
            true => word,
            false => format!("'{word}'"),
        });
    }
    shown.join(" ")
}

/// A URL without the user in it.
fn without_user(word: &str) -> String {
    let split = word.split_once("://");
    let Some((scheme, rest)) = split else {
        return word.to_owned();
    };
    let end = rest.find('/').unwrap_or(rest.len());
    match rest[..end].rfind('@') {
        Some(at) => format!("{scheme}://...{}", &rest[at..]),
        None => word.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        for (seconds, shown) in [
            (0, "1970-01-01 00:00 UTC"),
            (951_782_400, "2000-02-29 00:00 UTC"),
            (1_795_406_820, "2026-11-23 04:07 UTC"),
            (4_107_542_399, "2100-02-28 23:59 UTC"),
            (4_107_542_400, "2100-03-01 00:00 UTC"),
        ] {
            assert_eq!(date(seconds), shown);
        }
    }

    #[test]
    fn a_command_is_shown_without_secrets() {
        let words = [
            "/usr/bin/transom",
            "drive",
            "http://me:pw@h:1/a",
            "--header",
            "Authorization: Basic QQ==",
            "--body={\"pin\":1}",
            "--title",
            "a b",
        ];
        assert_eq!(
            command(words.iter().map(|w| (*w).to_owned())),
            "transom drive http://...@h:1/a --header 'Authorization: ...' --body=... --title 'a b'"
        );
    }
}
