//! Slack bytes of SYNCHRONIZED items, written out as FILLERs.
//!
//! Why: cobc puts them at other places than z/OS does, or not at all, and a record whose bytes lie
//! elsewhere is read wrong by whoever shares it. Layout and compiled program take the places from
//! one rule (`transom_copybook::layout`): each record with a SYNCHRONIZED clause is laid out here,
//! the words of the clause go, and the bytes come as items. Not here: the rule.

use crate::token::{At, Kind, Session, Token};
use transom_copybook::{FieldId, Layout, ParseOptions, Profile, SourceFormat, parse};
use transom_messages as messages;

/// Puts slack bytes into all records of the DATA DIVISIONs.
pub(crate) fn place_slack(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    if !tokens.iter().any(asks) {
        return tokens;
    }
    let options = options(&tokens);
    let mut out = Vec::with_capacity(tokens.len() + 64);
    let mut at = 0;
    let mut data = false;
    let mut begins = true;
    while let Some(token) = tokens.get(at) {
        if tokens.get(at + 1).is_some_and(|t| t.is("DIVISION")) {
            data = token.is("DATA");
        }
        if data && begins && level(token).is_some() {
            let entries = entries(&tokens, at);
            let end = entries.last().map_or(at + 1, |e| e.end);
            record(&tokens, &entries, &options, session, &mut out);
            at = end;
            continue;
        }
        begins = token.kind == Kind::Period || token.is("END-EXEC");
        out.push(token.clone());
        at += 1;
    }
    out
}

/// One data description entry: its words with the period.
pub(crate) struct Entry {
    pub(crate) level: u8,
    pub(crate) start: usize,
    pub(crate) end: usize,
}

fn asks(token: &Token) -> bool {
    token.is_any(&["SYNC", "SYNCHRONIZED"])
}

fn level(token: &Token) -> Option<u8> {
    let short = token.kind == Kind::Word && token.text.len() <= 2;
    let number = token.text.parse().ok().filter(|_| short);
    number.filter(|n| matches!(n, 1..=49 | 66 | 77 | 88))
}

/// What the program says of its own pictures.
pub(crate) fn options(tokens: &[Token]) -> ParseOptions {
    let mut options = ParseOptions {
        format: SourceFormat::Free,
        ..ParseOptions::default()
    };
    for (at, token) in tokens.iter().enumerate() {
        if token.is("DECIMAL-POINT") {
            options.decimal_comma = true;
        }
        if token.is("CURRENCY") {
            let mut sign = tokens[at..].iter().take(4);
            let literal = sign.find(|t| t.kind == Kind::Literal);
            options.currency = literal.and_then(|t| t.text.chars().nth(1));
        }
    }
    options
}

/// The entries of one record: up to the next 01 or 77, or up to what is no entry.
pub(crate) fn entries(tokens: &[Token], start: usize) -> Vec<Entry> {
    let mut out: Vec<Entry> = Vec::new();
    let mut at = start;
    while let Some(level) = tokens.get(at).and_then(level) {
        if !out.is_empty() && matches!(level, 1 | 77) {
            break;
        }
        let words = tokens[at..].iter();
        let end = words.take_while(|t| t.kind != Kind::Period).count() + at + 1;
        let end = end.min(tokens.len());
        out.push(Entry {
            level,
            start: at,
            end,
        });
        at = end;
    }
    out
}

fn record(
    tokens: &[Token],
    entries: &[Entry],
    options: &ParseOptions,
    session: &mut Session,
    out: &mut Vec<Token>,
) {
    let words = entries.first().map_or(0, |e| e.start)..entries.last().map_or(0, |e| e.end);
    if !tokens[words.clone()].iter().any(asks) {
        out.extend_from_slice(&tokens[words]);
        return;
    }
    let layout = match layout(tokens, entries, options) {
        Ok(layout) => layout,
        Err((entry, why)) => {
            let at = entries.get(entry).map_or(0, |e| e.start);
            session.problem(messages::tr::slack_unknown(why), tokens[at].at);
            Layout::default()
        }
    };
    let slack = Slack::of(&layout, entries);
    for (n, entry) in entries.iter().enumerate() {
        let place = tokens[entry.start].at;
        for &(level, bytes) in &slack.before[n] {
            filler(level, bytes, place, out);
        }
        without_clause(&tokens[entry.start..entry.end], out);
        let place = out.last().map_or(place, |t| t.at);
        for &(level, bytes) in &slack.after[n] {
            filler(level, bytes, place, out);
        }
    }
}

/// The record as the rule for z/OS places it; line n of its text is entry n (from 1).
pub(crate) fn layout(
    tokens: &[Token],
    entries: &[Entry],
    options: &ParseOptions,
) -> Result<Layout, (usize, String)> {
    let mut text = String::new();
    for entry in entries {
        let words = tokens[entry.start..entry.end].iter();
        let words = words.filter(|t| t.kind != Kind::Directive);
        for (n, word) in words.enumerate() {
            if n > 0 && !word.glued {
                text.push(' ');
            }
            text.push_str(&word.text);
        }
        text.push('\n');
    }
    let (copybook, problems) = parse(&text, options);
    let told = |p: &transom_messages::Problem| {
        let line = p.place.line as usize;
        (line.saturating_sub(1), p.words().to_owned())
    };
    if let Some(problem) = problems.iter().find(|p| p.is_error()) {
        return Err(told(problem));
    }
    Layout::new(&copybook, Profile::Native).map_err(|p| told(&p))
}

/// Levels and bytes of FILLERs before and after each entry.
struct Slack {
    before: Vec<Vec<(u8, usize)>>,
    after: Vec<Vec<(u8, usize)>>,
}

impl Slack {
    fn of(layout: &Layout, entries: &[Entry]) -> Self {
        let none = || vec![Vec::new(); entries.len()];
        let mut slack = Self {
            before: none(),
            after: none(),
        };
        // Groups come before what they hold: of several that end at one entry the innermost is
        // the last one, and its bytes come first.
        for id in layout.ids().collect::<Vec<FieldId>>().into_iter().rev() {
            let field = &layout[id];
            let Some(n) = (field.line as usize).checked_sub(1) else {
                continue;
            };
            let (Some(entry), Some(before)) = (entries.get(n), slack.before.get_mut(n)) else {
                continue;
            };
            if field.slack > 0 {
                before.push((field.level, field.slack));
            }
            if field.tail_slack > 0 {
                let inside = entries[n + 1..].iter();
                let inside = inside.take_while(|e| e.level == 88 || inner(e.level, entry.level));
                let last = n + inside.count();
                let child = field.children.first().map(|c| layout[*c].level);
                slack.after[last].push((child.unwrap_or(49), field.tail_slack));
            }
        }
        slack
    }
}

fn inner(level: u8, group: u8) -> bool {
    level <= 49 && level > group
}

fn without_clause(entry: &[Token], out: &mut Vec<Token>) {
    let mut clause = false;
    for token in entry {
        let side = clause && token.is_any(&["LEFT", "RIGHT"]);
        clause = asks(token);
        if !clause && !side {
            out.push(token.clone());
        }
    }
}

fn filler(level: u8, bytes: usize, at: At, out: &mut Vec<Token>) {
    let word = |kind, text: String, glued| Token {
        kind,
        text: text.into(),
        at,
        glued,
        debug: false,
    };
    out.extend([
        word(Kind::Word, format!("{level:02}"), false),
        word(Kind::Word, "FILLER".to_owned(), false),
        word(Kind::Word, "PIC".to_owned(), false),
        word(Kind::Word, "X".to_owned(), false),
        word(Kind::Open, "(".to_owned(), true),
        word(Kind::Word, bytes.to_string(), true),
        word(Kind::Close, ")".to_owned(), true),
        word(Kind::Period, ".".to_owned(), true),
    ]);
}
