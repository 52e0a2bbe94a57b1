//! What can be wrong with a transom.toml.

use std::fmt;
use transom_messages::{Message, si};

/// One thing wrong with the settings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SettingProblem {
    message: Message,
    /// Line in the file, 1-based; 0 when not known.
    pub line: usize,
}

/// What would be a value; the end of a sentence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needed(pub(crate) String);

impl SettingProblem {
    /// A key that nobody knows.
    pub(crate) fn unknown(table: &str, key: &str, nearest: Option<&str>) -> Self {
        let hint = nearest
            .map(|n| format!("; the nearest known one is {n}"))
            .unwrap_or_default();
        si::key_unknown(table, key, hint).into()
    }

    /// A value that does not fit.
    pub(crate) fn value(key: &str, value: &str, Needed(why): Needed) -> Self {
        si::value_not_valid(key, format!("{value:?}"), why).into()
    }

    pub(crate) fn syntax(text: &str) -> Self {
        si::not_toml(text).into()
    }

    pub(crate) fn at(mut self, line: usize) -> Self {
        self.line = line;
        self
    }
}

impl From<Message> for SettingProblem {
    fn from(message: Message) -> Self {
        Self { message, line: 0 }
    }
}

impl fmt::Display for SettingProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.message.fmt(f)
    }
}

impl std::error::Error for SettingProblem {}

/// The candidate with the fewest edits, when it is near enough to be a slip of the hand.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    candidates
        .map(|c| {
            (
                edits(&word.to_ascii_uppercase(), &c.to_ascii_uppercase()),
                c,
            )
        })
        .min_by_key(|(n, _)| *n)
        .filter(|(n, c)| *n <= 1 + c.len() / 3)
        .map(|(_, c)| c)
}

/// Edit distance in which swapping two neighbours counts as one edit.
fn edits(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let change = usize::from(a[i - 1] != b[j - 1]);
                let mut best = (rows[i - 1][j] + 1)
                    .min(rows[i][j - 1] + 1)
                    .min(rows[i - 1][j - 1] + change);
                if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                    best = best.min(rows[i - 2][j - 2] + 1);
                }
                best
            };
        }
    }
    rows[a.len()][b.len()]
}
