//! CEDA screens: lines of an answer, a list with room for commands, the attributes of a definition.

use crate::clock;
use crate::panel::{Panel, Reply};
use crate::prose;
use crate::session::Session;
use transom_csd::{Attribute, ResourceKind, Rule, common_attributes};
use transom_datastream::ScreenSize;
use transom_messages as messages;
use transom_wire::language;
use transom_workers::seam::Outcome;

/// Above what can be typed first.
pub(super) const CHOOSE: &str = "ENTER ONE OF THE FOLLOWING";
/// Lines around the body.
const FRAME_LINES: usize = 7;
const FIRST_LINE: usize = 4;
/// Characters of a value and of a command in a list.
const VALUE_CHARS: usize = 50;
const COMMAND_CHARS: usize = 20;
/// Characters of a value that is a word or a number, at least, and where the hint behind it begins.
const WORD_CHARS: usize = 16;
const HINT_COLUMN: usize = 42;
/// Lines, rows and values kept between inputs: with 80 characters each they fit into a COMMAREA.
pub(super) const KEPT_MAX: usize = 300;
const KEYS: &str = "PF 1 HELP       3 END            7 SBH 8 SFH 9 MSG 10 SB 11 SF 12 CNCL";

language! {
    /// A definition in a list.
    #[derive(Debug, Clone, Default, PartialEq, Eq)]
    pub(super) struct Entry {
        pub name: String,
        pub kind: String,
        pub group: String,
        /// DESCRIPTION, or what came of a command.
        pub text: String,
    }

    /// What the body is.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) enum Body {
        0 = Lines(lines: Vec<String>),
        /// A part of a list.
        1 = Rows {
            rows: Vec<Entry>,
            /// Number of the first of them.
            first: usize,
            /// Definitions of the whole list.
            all: usize,
        },
        /// One definition: values that were given.
        2 = Sheet {
            entry: Entry,
            open: bool,
            values: Vec<(String, String)>,
        },
    }

    /// What a screen showed.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub(super) struct Shown {
        pub line: String,
        pub top: usize,
        pub body: Body,
        pub messages: Vec<String>,
    }
}

impl Shown {
    /// Items of the body.
    pub(super) fn count(&self) -> usize {
        match &self.body {
            Body::Lines(lines) => lines.len(),
            Body::Rows { all, .. } => *all,
            Body::Sheet { entry, .. } => attributes(&entry.kind).count(),
        }
    }

    /// The part of the list that is known has all that a screen shows from its top on.
    pub(super) fn covers(&self, lines: usize) -> bool {
        match &self.body {
            Body::Rows { rows, first, all } => {
                *first <= self.top && (self.top + lines).min(*all) <= first + rows.len()
            }
            _ => true,
        }
    }

    /// What is kept for the next input.
    fn kept(&self) -> Self {
        let mut kept = self.clone();
        kept.messages.truncate(KEPT_MAX);
        match &mut kept.body {
            Body::Lines(lines) => lines.truncate(KEPT_MAX),
            Body::Rows { rows, .. } => rows.truncate(KEPT_MAX),
            Body::Sheet { values, .. } => values.truncate(KEPT_MAX),
        }
        kept
    }
}

/// Attributes of a kind in the order of a sheet: DESCRIPTION, then its own.
fn attributes(kind: &str) -> impl Iterator<Item = &'static Attribute> {
    let kind = ResourceKind::by_keyword(kind);
    let described = common_attributes().iter();
    let described = described.filter(|attribute| attribute.keyword == "DESCRIPTION");
    described.chain(kind.map_or(&[][..], ResourceKind::attributes))
}

/// Items of the body that fit.
pub(super) fn body_lines(size: ScreenSize) -> usize {
    size.rows() - FRAME_LINES
}

fn layout(size: ScreenSize, shown: &Shown) -> Panel {
    let mut panel = Panel::sized(size);
    panel.input("LINE", (1, 2), size.columns() - 4, &shown.line);
    let room = body_lines(size);
    match &shown.body {
        Body::Lines(lines) => {
            for (at, line) in lines.iter().skip(shown.top).take(room).enumerate() {
                panel.text(FIRST_LINE + at, 2, line);
            }
        }
        Body::Rows { rows, first, .. } => {
            panel
                .bright(2, 2, "ENTER COMMANDS")
                .text(3, 2, "NAME     TYPE         GROUP");
            let numbered = rows.iter().enumerate().map(|(at, row)| (first + at, row));
            for (at, row) in numbered.skip(shown.top.saturating_sub(*first)).take(room) {
                let line = FIRST_LINE + at - shown.top;
                let text = format!("{:8} {:12} {:8}", row.name, row.kind, row.group);
                panel
                    .text(line, 2, text)
                    .input(&format!("C{at}"), (line, 34), COMMAND_CHARS, "");
                let text: String = row.text.chars().take(size.columns() - 57).collect();
                panel.text(line, 56, text);
            }
        }
        Body::Sheet {
            entry,
            open,
            values,
        } => sheet(&mut panel, shown.top, entry, *open, values),
    }
    panel
}

fn sheet(panel: &mut Panel, top: usize, entry: &Entry, open: bool, values: &[(String, String)]) {
    let size = panel.size();
    let title = if open {
        "OVERTYPE TO MODIFY"
    } else {
        "OBJECT CHARACTERISTICS"
    };
    panel.bright(2, 2, title).text(
        3,
        2,
        format!("{}({})  GROUP({})", entry.kind, entry.name, entry.group),
    );
    let known = attributes(&entry.kind).enumerate().skip(top);
    for (at, attribute) in known.take(body_lines(size)) {
        let line = FIRST_LINE + at - top;
        let chars = room(attribute.rule, size);
        let value: String = value_of(attribute, values).chars().take(chars).collect();
        if open {
            panel
                .text(line, 3, format!("{:14} ==>", attribute.keyword))
                .input(attribute.keyword, (line, 23), chars, &value);
        } else {
            panel.text(line, 3, format!("{:14} : {value}", attribute.keyword));
        }
        let hint = prose::from_below(&hint(attribute.rule), &[size.columns() - HINT_COLUMN]);
        panel.text(line, HINT_COLUMN, hint.concat());
    }
}

/// Characters of a value on a sheet: words and numbers leave room for the hint.
fn room(rule: Rule, size: ScreenSize) -> usize {
    let longest = |words: &[&str]| words.iter().map(|word| word.len()).max();
    let words = match rule {
        Rule::Number(..) => Some(0),
        Rule::NumberOr(_, _, words) | Rule::OneOf(words) => longest(words),
        Rule::Name(_) | Rule::CaseName(_) | Rule::Text(_) | Rule::Path(_) | Rule::Any => None,
    };
    let room = words.map_or(VALUE_CHARS, |words| words.max(WORD_CHARS));
    room.min(size.columns() - 24)
}

/// At the right of a sheet: the words or the numbers that an attribute takes.
fn hint(rule: Rule) -> String {
    match rule {
        Rule::Number(low, high) => format!("{low}-{high}"),
        Rule::NumberOr(low, high, words) => format!("{} | {low}-{high}", joined(words)),
        Rule::OneOf(words) => joined(words),
        Rule::Name(_) | Rule::CaseName(_) | Rule::Text(_) | Rule::Path(_) | Rule::Any => {
            String::new()
        }
    }
}

/// `Enabled | Disabled`
fn joined(words: &[&str]) -> String {
    let shown = words.iter().map(|word| {
        let (first, rest) = word.split_at(word.len().min(1));
        format!("{first}{}", rest.to_ascii_lowercase())
    });
    shown.collect::<Vec<_>>().join(" | ")
}

/// As given, else the default.
fn value_of<'a>(attribute: &'a Attribute, values: &'a [(String, String)]) -> &'a str {
    let given = values
        .iter()
        .find(|(keyword, _)| keyword == attribute.keyword);
    given.map_or(attribute.default, |(_, value)| value)
}

/// Shows it; the next input comes back to the same transaction.
pub(super) fn show(session: &mut Session<'_>, shown: &Shown) -> Outcome {
    let size = session.screen();
    let mut panel = layout(size, shown);
    let facts = session.facts();
    let (rows, columns) = (size.rows(), size.columns());
    let names = format!("SYSID={} APPLID={}", facts.sysid, facts.applid);
    let time = clock::in_words(session.host);
    let message = match shown.messages.as_slice() {
        [] => String::new(),
        [one] => one.clone(),
        several => messages::am::several_messages(several.len()).to_string(),
    };
    if shown.top > 0 {
        panel.text(2, columns - 1, "+");
    }
    if shown.top + body_lines(size) < shown.count() {
        panel.text(rows - 3, 2, "+");
    }
    let rooms = [
        columns - 4,
        columns - names.len() - 4,
        columns - time.len() - 4,
    ];
    let message = prose::from_below(&message, &rooms);
    panel
        .text(rows - 2, columns - names.len(), names)
        .text(rows - 1, columns - time.len(), time)
        .text(rows, 2, KEYS);
    let lines = (rows - message.len()..rows).zip(&message);
    for (line, text) in lines.filter(|(_, text)| !text.is_empty()) {
        panel.bright(line, 3, text);
    }
    session.show(&panel);
    session.again(&shown.kept().encode())
}

/// The command line as it is now.
pub(super) fn typed_line(size: ScreenSize, shown: &Shown, reply: &Reply) -> String {
    let typed = layout(size, shown).read(reply, "LINE");
    typed.unwrap_or_default().trim().to_owned()
}

/// Commands typed behind entries of a list: place and command.
pub(super) fn commands(size: ScreenSize, shown: &Shown, reply: &Reply) -> Vec<(usize, String)> {
    let panel = layout(size, shown);
    let places = shown.top..shown.top + body_lines(size);
    let typed = places.filter_map(|at| {
        let text = panel.read(reply, &format!("C{at}"))?;
        let text = text.trim().to_owned();
        (!text.is_empty()).then_some((at, text))
    });
    typed.collect()
}

/// Attributes of a sheet that say something else than before.
pub(super) fn overtyped(
    size: ScreenSize,
    shown: &Shown,
    reply: &Reply,
) -> Vec<(&'static str, String)> {
    let Body::Sheet { entry, values, .. } = &shown.body else {
        return Vec::new();
    };
    let panel = layout(size, shown);
    let changed = attributes(&entry.kind).filter_map(|attribute| {
        let chars = room(attribute.rule, size);
        let now = panel.read(reply, attribute.keyword)?;
        let now = now.trim().to_owned();
        let before: String = value_of(attribute, values).chars().take(chars).collect();
        (now != before.trim()).then_some((attribute.keyword, now))
    });
    changed.collect()
}
