//! Slack bytes of SYNCHRONIZED items, written out as FILLERs.
//!
//! Why: cobc puts them at other places than z/OS does, or not at all, and a record whose bytes lie
//! elsewhere is read wrong by whoever shares it. Layout and compiled program take the places from
//! one rule (`transom_copybook::layout`): each record with a SYNCHRONIZED clause is laid out here,
//! the words of the clause go, and the bytes come as items. Not here: the rule.

use crate::data::{self, Data, Entry};
use crate::token::{At, Kind, Session, Token};
use transom_copybook::{FieldId, Layout, ParseOptions};
use transom_messages as messages;

/// Puts slack bytes into all records of the DATA DIVISIONs.
pub(crate) fn place_slack(tokens: Vec<Token>, session: &mut Session) -> Vec<Token> {
    if !tokens.iter().any(asks) {
        return tokens;
    }
    let options = data::options(&tokens);
    let data = Data::of_file(&tokens);
    let mut out = Vec::with_capacity(tokens.len() + 64);
    let mut at = 0;
    for record in data.records() {
        let entries = &data.entries[record];
        if entries.iter().any(|entry| entry.clauses.synchronized) {
            at = place(&tokens, at, entries, &options, session, &mut out);
        }
    }
    out.extend_from_slice(&tokens[at..]);
    out
}

fn asks(token: &Token) -> bool {
    token.is_any(&["SYNC", "SYNCHRONIZED"])
}

/// Writes the words from `at` to the end of a record; answers what comes after it.
fn place(
    tokens: &[Token],
    mut at: usize,
    entries: &[Entry],
    options: &ParseOptions,
    session: &mut Session,
    out: &mut Vec<Token>,
) -> usize {
    let layout = match data::layout(tokens, entries, options) {
        Ok(layout) => layout,
        Err((entry, why)) => {
            let at = entries.get(entry).map_or(0, |e| e.start);
            session.problem(messages::tr::slack_unknown(why), tokens[at].at);
            Layout::default()
        }
    };
    let slack = Slack::of(&layout, entries);
    for (n, entry) in entries.iter().enumerate() {
        out.extend_from_slice(&tokens[at..entry.start]);
        let place = tokens[entry.start].at;
        for &(level, bytes) in &slack.before[n] {
            filler(level, bytes, place, out);
        }
        without_clause(&tokens[entry.start..entry.end], out);
        let place = out.last().map_or(place, |t| t.at);
        for &(level, bytes) in &slack.after[n] {
            filler(level, bytes, place, out);
        }
        at = entry.end;
    }
    at
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
