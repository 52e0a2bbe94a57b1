//! A system directory that is being planned: files, what was said, what has to be asked.
//!
//! Not here: which files become what (`plan`, `datasets`).

use crate::placeholders::of_line;
use crate::sorted::Sorted;
use crate::summary::Summary;
use crate::write::{Content, Item};
use std::collections::{BTreeMap, BTreeSet};
use transom_messages::{Message, im};

/// Columns of a card that hold a statement.
const CARD: usize = 71;
/// Places of a placeholder that a message names.
const PLACES_MAX: usize = 3;

/// The system directory as it will be.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) items: Vec<Item>,
    pub(crate) remarks: Vec<Message>,
    pub(crate) summary: Summary,
    /// Lists of the CSD to be installed; empty: everything.
    pub(crate) lists: Vec<String>,
    /// Schema of all tables.
    pub(crate) qualifier: Option<String>,
    /// Statements that make tables, one after the other, with their places.
    pub(crate) statements: Vec<(String, String)>,
    pub(crate) errors: Vec<Message>,
    /// Files by placeholders without a value.
    pub(crate) asked: BTreeMap<String, BTreeSet<usize>>,
}

impl Plan {
    /// A file of the checkout as it is.
    pub(crate) fn add(&mut self, sorted: &Sorted, at: usize, what: &'static str, to: String) {
        let content = Content::Copy(sorted.files[at].path.clone());
        self.items.push(Item { to, content });
        self.summary.take(at, what);
    }

    /// A text with its values, or as it is where it has none.
    pub(crate) fn add_text(&mut self, sorted: &Sorted, at: usize, what: &'static str, to: String) {
        let Some((_, text)) = sorted.texts.get(&at) else {
            return;
        };
        let with = sorted.with_values(text);
        let with = with_symbols(&with, sorted);
        if with == *text {
            return self.add(sorted, at, what, to);
        }
        for (number, (line, before)) in (1..).zip(with.lines().zip(text.lines())) {
            let wide = |line: &str| line.trim_end().chars().count() > CARD;
            if wide(line) && !wide(before) {
                let place = format!("{}:{number}", sorted.files[at].shown);
                self.errors.push(im::too_wide(place, CARD));
            }
        }
        let content = Content::Text(with);
        self.items.push(Item { to, content });
        self.summary.take(at, what);
    }

    pub(crate) fn asked_in(&mut self, sorted: &Sorted, at: usize, text: &str) {
        for name in sorted.open_in(text) {
            self.asked.entry(name).or_default().insert(at);
        }
    }

    /// Placeholders that matter and have no value, each once.
    pub(crate) fn ask(&mut self, sorted: &Sorted) {
        for (name, files) in &self.asked {
            let mut written = format!("&{name}");
            let mut places = Vec::new();
            for at in files {
                let text = sorted.texts.get(at).map_or("", |(_, text)| text);
                let found = (1..).zip(text.lines()).find_map(|(number, line)| {
                    let comment = line.starts_with('*') || line.starts_with("//*");
                    let all = of_line(line);
                    let here = all.into_iter().find(|p| p.name == *name && !comment)?;
                    Some((number, here.written))
                });
                let shown = &sorted.files[*at].shown;
                match found {
                    Some((number, as_written)) => {
                        written = as_written;
                        places.push(format!("{shown}:{number}"));
                    }
                    None => places.push(shown.clone()),
                }
            }
            let more = places.len().saturating_sub(PLACES_MAX);
            places.truncate(PLACES_MAX);
            let mut places = places.join(", ");
            if more > 0 {
                places.push_str(&format!(" and {more} more"));
            }
            self.errors.push(match sorted.said.get(name) {
                None => im::no_value(written, places, name),
                Some((value, at)) => {
                    im::no_value_but(written, places, name, &sorted.files[*at].shown, value)
                }
            });
        }
    }
}

/// Symbols of jobs with their values in statements; lines in the job keep theirs.
fn with_symbols(text: &str, sorted: &Sorted) -> String {
    if !text.starts_with("//") || !text.contains('&') {
        return text.to_owned();
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let mut line = line.to_owned();
        if line.starts_with("//") && !line.starts_with("//*") {
            for (name, value) in &sorted.values {
                line = line.replace(&format!("&{name}."), value);
                let plain = format!("&{name}");
                if line
                    .split(&plain)
                    .skip(1)
                    .all(|rest| !rest.starts_with(is_of_name))
                {
                    line = line.replace(&plain, value);
                }
            }
        }
        out.push_str(&line);
    }
    out
}

fn is_of_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || "@#$&".contains(c)
}
