//! Tokens -> data description entries, one at a time; each clause into its place.
//!
//! Entries are not related to each other here: levels, REDEFINES and inheritance are the business
//! of `tree`.

use super::clause::clause;
use super::cursor::Cursor;
use super::lexer::{Kind, Token};
use super::words::starts_clause;
use super::{Item, MAX_ITEMS, ParseOptions, Problems, RenamesEntry, value};
use crate::layout::Condition;
use transom_messages as messages;

/// One entry.
#[derive(Debug)]
pub(super) enum Entry {
    Item(Box<Item>),
    Condition {
        condition: Condition,
        line: u32,
        column: u32,
    },
    Renames(RenamesEntry, u32),
}

/// Reads all entries.
pub(super) fn entries(
    tokens: &[Token],
    options: &ParseOptions,
    problems: &mut Problems,
) -> Vec<Entry> {
    let mut cursor = Cursor::new(tokens, problems);
    let mut out = Vec::new();
    while let Some(token) = cursor.peek() {
        if out.len() >= MAX_ITEMS {
            cursor.complain(messages::cb::too_many_entries(MAX_ITEMS));
            break;
        }
        match token.integer() {
            Some(level @ (1..=49 | 66 | 77 | 88)) => {
                out.extend(entry(&mut cursor, level as u8, options))
            }
            Some(78) => {
                cursor.complain(messages::cb::constant_ignored());
                cursor.skip_sentence();
            }
            _ => not_an_entry(&mut cursor, token),
        }
    }
    out
}

/// Things in copybooks that are not entries.
fn not_an_entry(cursor: &mut Cursor<'_>, token: &Token) {
    match token.word() {
        "EJECT" | "SKIP1" | "SKIP2" | "SKIP3" => cursor.advance(),
        "TITLE" => cursor.skip_sentence(),
        "EXEC" => {
            cursor.complain(messages::cb::exec_ignored());
            while !cursor.take_any(&["END-EXEC"]) && cursor.peek().is_some() {
                cursor.advance();
            }
        }
        "COPY" | "REPLACE" => {
            cursor.complain(messages::cb::not_expanded(token.word()));
            cursor.skip_sentence();
        }
        "DATA" | "FILE" | "WORKING-STORAGE" | "LOCAL-STORAGE" | "LINKAGE" | "FD" | "SD" => {
            cursor.complain(messages::cb::header_ignored(token.word()));
            cursor.skip_sentence();
        }
        _ if token.kind == Kind::Period => cursor.advance(),
        _ => {
            cursor.complain(messages::cb::level_expected(token.shown()));
            cursor.skip_sentence();
        }
    }
}

fn entry(cursor: &mut Cursor<'_>, level: u8, options: &ParseOptions) -> Option<Entry> {
    let &Token { line, column, .. } = cursor.peek()?;
    cursor.advance();
    let name = entry_name(cursor);
    match level {
        88 => {
            let condition = condition(cursor, name);
            end_of_entry(cursor);
            Some(Entry::Condition {
                condition,
                line,
                column,
            })
        }
        66 => {
            let renames = renames(cursor, name, line);
            end_of_entry(cursor);
            renames.map(|r| Entry::Renames(r, column))
        }
        _ => {
            let mut item = Item {
                level,
                name,
                line,
                column,
                ..Item::default()
            };
            while let Some(token) = cursor.peek() {
                if token.kind == Kind::Period || cursor.at_new_entry() {
                    break;
                }
                clause(cursor, &mut item, options);
            }
            end_of_entry(cursor);
            Some(Entry::Item(Box::new(item)))
        }
    }
}

fn end_of_entry(cursor: &mut Cursor<'_>) {
    if cursor.at_period() {
        return cursor.advance();
    }
    if cursor.peek().is_none() || cursor.at_new_entry() {
        return cursor.complain(messages::cb::period_missing());
    }
    let shown = cursor.peek().map(Token::shown).unwrap_or_default();
    cursor.complain(messages::cb::not_here(&shown));
    cursor.skip_sentence();
}

/// The name after the level number; empty for FILLER and for none.
fn entry_name(cursor: &mut Cursor<'_>) -> String {
    if cursor.take_any(&["FILLER"]) {
        return String::new();
    }
    let Some(Kind::Word { upper, written }) = cursor.peek().map(|t| &t.kind) else {
        return String::new();
    };
    let next = cursor.peek_second();
    // Words reserved in some dialects only are names where a PICTURE or nothing follows.
    let before_picture =
        next.is_some_and(|t| matches!(t.word(), "PIC" | "PICTURE" | "REDEFINES" | "OCCURS"));
    if starts_clause(upper) && !(before_picture && is_weak(upper)) {
        return String::new();
    }
    if written.contains(':') {
        cursor.complain(messages::cb::replacing_marker(written));
    }
    cursor.advance();
    written.clone()
}

fn is_weak(word: &str) -> bool {
    matches!(
        word,
        "INDEX"
            | "POINTER"
            | "SIGN"
            | "EXTERNAL"
            | "GLOBAL"
            | "VOLATILE"
            | "OBJECT"
            | "DATE"
            | "NATIONAL"
            | "BINARY"
    )
}

fn condition(cursor: &mut Cursor<'_>, name: String) -> Condition {
    let mut values = Vec::new();
    if cursor.take_any(&["VALUE", "VALUES"]) {
        cursor.take_any(&["IS", "ARE"]);
        values.extend(std::iter::from_fn(|| value::range(cursor)));
        if cursor.take_any(&["WHEN"]) {
            cursor.take_any(&["SET"]);
            cursor.take_any(&["TO"]);
        }
        if cursor.take_any(&["FALSE"]) {
            cursor.take_any(&["IS"]);
            value::literal(cursor);
        }
    }
    if values.is_empty() {
        cursor.complain(messages::cb::condition_without_value());
    }
    Condition { name, values }
}

fn renames(cursor: &mut Cursor<'_>, name: String, line: u32) -> Option<RenamesEntry> {
    if !cursor.take_any(&["RENAMES"]) {
        cursor.complain(messages::cb::renames_missing());
        return None;
    }
    let from = cursor.take_qualified();
    let through = if cursor.take_any(&["THRU", "THROUGH"]) {
        cursor.take_qualified()
    } else {
        None
    };
    match from {
        Some(from) => Some(RenamesEntry {
            name,
            line,
            record: None,
            from,
            through,
        }),
        None => {
            cursor.complain(messages::cb::name_expected("RENAMES"));
            None
        }
    }
}
