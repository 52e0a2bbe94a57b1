//! Clauses of a data description entry, each into its place in the item.

use super::cursor::Cursor;
use super::lexer::{Kind, Token};
use super::words::{starts_clause, usage_word};
use super::{Item, MAX_OCCURS, OccursClause, ParseOptions, Usage, picture, value};
use crate::layout::SignStyle;
use transom_messages as messages;

/// Reads one clause into the item.
pub(super) fn clause(cursor: &mut Cursor<'_>, item: &mut Item, options: &ParseOptions) {
    let Some(token) = cursor.peek() else { return };
    if usage_word(token.word()).is_some() {
        return usage(cursor, item);
    }
    cursor.advance();
    match token.word() {
        "REDEFINES" => match cursor.take_name() {
            Some(name) => item.redefines = Some((name, None)),
            None => cursor.complain(messages::cb::name_expected("REDEFINES")),
        },
        "PIC" | "PICTURE" => picture_clause(cursor, item, options),
        "USAGE" | "GROUP-USAGE" => {
            cursor.take_any(&["IS"]);
            usage(cursor, item);
        }
        "SIGN" => {
            cursor.take_any(&["IS"]);
            sign(cursor, item);
        }
        "LEADING" | "TRAILING" => {
            cursor.back();
            sign(cursor, item);
        }
        "OCCURS" => item.occurs = occurs(cursor),
        "SYNC" | "SYNCHRONIZED" => {
            item.synchronized = true;
            cursor.take_any(&["LEFT", "RIGHT"]);
        }
        "JUST" | "JUSTIFIED" => {
            item.justified = true;
            cursor.take_any(&["RIGHT"]);
        }
        "BLANK" => blank_when_zero(cursor, item),
        "VALUE" | "VALUES" => value_clause(cursor, item),
        "EXTERNAL" => {
            if cursor.take_any(&["AS"]) {
                value::literal(cursor);
            }
        }
        "GLOBAL" | "VOLATILE" | "IS" => {}
        "DATE" => {
            cursor.take_any(&["FORMAT"]);
            cursor.take_any(&["IS"]);
            cursor.take_name();
        }
        _ => unknown_clause(cursor, token),
    }
}

fn blank_when_zero(cursor: &mut Cursor<'_>, item: &mut Item) {
    cursor.take_any(&["WHEN"]);
    if !cursor.take_any(&["ZERO", "ZEROS", "ZEROES"]) {
        cursor.complain(messages::cb::zero_expected());
    }
    item.blank_when_zero = true;
}

fn value_clause(cursor: &mut Cursor<'_>, item: &mut Item) {
    cursor.take_any(&["IS", "ARE"]);
    item.value = value::literal(cursor);
    if item.value.is_none() {
        cursor.complain(messages::cb::literal_expected("VALUE"));
    }
}

fn unknown_clause(cursor: &mut Cursor<'_>, token: &Token) {
    cursor.back();
    cursor.complain(messages::cb::not_a_clause(token.shown()));
    cursor.advance();
    while let Some(next) = cursor.peek() {
        if next.kind == Kind::Period || starts_clause(next.word()) || cursor.at_new_entry() {
            return;
        }
        cursor.advance();
    }
}

fn picture_clause(cursor: &mut Cursor<'_>, item: &mut Item, options: &ParseOptions) {
    let Some(Token {
        kind: Kind::Picture(text),
        ..
    }) = cursor.peek()
    else {
        return cursor.complain(messages::cb::picture_missing());
    };
    match picture::analyse(text, options) {
        Ok(picture) => item.picture = Some(picture),
        Err(why) => cursor.complain(messages::cb::picture_not_valid(text, &why)),
    }
    cursor.advance();
}

fn usage(cursor: &mut Cursor<'_>, item: &mut Item) {
    let Some(token) = cursor.peek() else { return };
    let Some(mut usage) = usage_word(token.word()) else {
        cursor.complain(messages::cb::usage_not_supported(token.shown()));
        if !starts_clause(token.word()) && token.kind != Kind::Period {
            cursor.advance();
        }
        return;
    };
    cursor.advance();
    match &mut usage {
        Usage::ObjectReference => {
            cursor.take_any(&["REFERENCE"]);
            cursor.take_name();
        }
        Usage::Native { signed, .. } => {
            if cursor.take_any(&["UNSIGNED"]) {
                *signed = false;
            } else {
                cursor.take_any(&["SIGNED"]);
            }
        }
        _ => {
            cursor.take_any(&["NATIVE"]);
        }
    }
    item.usage = Some(usage);
    item.own_usage = true;
}

fn sign(cursor: &mut Cursor<'_>, item: &mut Item) {
    let leading = cursor.take_any(&["LEADING"]);
    if !leading && !cursor.take_any(&["TRAILING"]) {
        return cursor.complain(messages::cb::sign_where());
    }
    let separate = cursor.take_any(&["SEPARATE"]);
    cursor.take_any(&["CHARACTER"]);
    item.sign = Some(match (leading, separate) {
        (true, true) => SignStyle::LeadingSeparate,
        (true, false) => SignStyle::Leading,
        (false, true) => SignStyle::TrailingSeparate,
        (false, false) => SignStyle::Trailing,
    });
}

fn occurs(cursor: &mut Cursor<'_>) -> Option<OccursClause> {
    let Some(first) = cursor.take_integer() else {
        cursor.complain(messages::cb::occurs_without_number("OCCURS"));
        return None;
    };
    let mut clause = OccursClause {
        min: first,
        max: first,
        ..OccursClause::default()
    };
    if cursor.take_any(&["TO"]) {
        match cursor.take_integer() {
            Some(n) => clause.max = n,
            None => cursor.complain(messages::cb::occurs_without_number("TO")),
        }
    }
    cursor.take_any(&["TIMES"]);
    loop {
        if cursor.take_any(&["DEPENDING"]) {
            cursor.take_any(&["ON"]);
            clause.depends_on = cursor.take_qualified();
            if clause.depends_on.is_none() {
                cursor.complain(messages::cb::depending_on_what());
            } else if clause.min == clause.max {
                clause.min = clause.max.min(1);
            }
        } else if cursor.take_any(&["INDEXED"]) {
            cursor.take_any(&["BY"]);
            clause
                .indexed_by
                .extend(std::iter::from_fn(|| cursor.take_name()));
        } else if let Some(ascending) = take_order(cursor) {
            cursor.take_any(&["KEY"]);
            cursor.take_any(&["IS"]);
            while let Some(mut names) = cursor.take_qualified() {
                clause.keys.push((ascending, names.swap_remove(0)));
            }
        } else {
            break;
        }
    }
    check_occurs(cursor, &mut clause);
    Some(clause)
}

fn take_order(cursor: &mut Cursor<'_>) -> Option<bool> {
    if cursor.take_any(&["ASCENDING"]) {
        return Some(true);
    }
    cursor.take_any(&["DESCENDING"]).then_some(false)
}

fn check_occurs(cursor: &mut Cursor<'_>, clause: &mut OccursClause) {
    if clause.max == 0 || clause.max > MAX_OCCURS || clause.min > clause.max {
        cursor.complain(messages::cb::occurs_not_possible(clause.min, clause.max));
        clause.max = clause.max.clamp(1, MAX_OCCURS);
        clause.min = clause.min.min(clause.max);
    }
    if clause.depends_on.is_none() && clause.min != clause.max {
        cursor.complain(messages::cb::occurs_needs_depending());
        clause.min = clause.max;
    }
}
