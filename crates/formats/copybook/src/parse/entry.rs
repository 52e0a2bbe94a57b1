//! Tokens -> data description entries, one at a time; each clause into its place.
//!
//! Entries are not related to each other here: levels, REDEFINES and inheritance are the business of `tree`.

use super::lexer::{Kind, Token};
use super::{
    Item, MAX_ITEMS, MAX_OCCURS, OccursClause, ParseOptions, Problems, RenamesEntry, Usage,
    picture, value,
};
use crate::layout::{Condition, SignStyle};

/// One entry.
#[derive(Debug)]
pub(super) enum Entry {
    Item(Item),
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
    let mut cursor = Cursor {
        tokens,
        at: 0,
        problems,
    };
    let mut out = Vec::new();
    while let Some(token) = cursor.peek() {
        if out.len() >= MAX_ITEMS {
            cursor.complain("TXMCB0004E", format!("More than {MAX_ITEMS} entries"));
            break;
        }
        match token.integer() {
            Some(level @ (1..=49 | 66 | 77 | 88)) => {
                out.extend(entry(&mut cursor, level as u8, options))
            }
            Some(78) => {
                cursor.complain("TXMCB0010W", "Level 78 (constant) is ignored".to_owned());
                cursor.skip_sentence();
            }
            _ => not_an_entry(&mut cursor, token),
        }
    }
    out
}

/// A walk over tokens that can complain.
pub(super) struct Cursor<'a> {
    tokens: &'a [Token],
    at: usize,
    problems: &'a mut Problems,
}

impl<'a> Cursor<'a> {
    pub(super) fn peek(&self) -> Option<&'a Token> {
        self.tokens.get(self.at)
    }

    pub(super) fn advance(&mut self) {
        self.at += 1;
    }

    /// Complains at the current token, or at the last one at the end.
    pub(super) fn complain(&mut self, id: &'static str, text: String) {
        let token = self.tokens.get(self.at).or(self.tokens.last());
        let (line, column) = token.map_or((1, 1), |t| (t.line, t.column));
        self.problems.add(id, line, column, text);
    }

    /// Consumes the current token if it is one of these words.
    pub(super) fn take_any(&mut self, words: &[&str]) -> bool {
        let found = self.peek().is_some_and(|t| words.contains(&t.word()));
        self.at += usize::from(found);
        found
    }

    pub(super) fn take_mark(&mut self, mark: char) -> bool {
        let found = self.peek().is_some_and(|t| t.kind == Kind::Mark(mark));
        self.at += usize::from(found);
        found
    }

    fn take_integer(&mut self) -> Option<u32> {
        let n = self.peek()?.integer()?;
        self.advance();
        Some(n)
    }

    /// A name: any word that does not start a clause.
    fn take_name(&mut self) -> Option<String> {
        match &self.peek()?.kind {
            Kind::Word { upper, written } if !starts_clause(upper) => {
                self.advance();
                Some(written.clone())
            }
            _ => None,
        }
    }

    /// `name [OF name]...`.
    fn take_qualified(&mut self) -> Option<Vec<String>> {
        let mut names = vec![self.take_name()?];
        while self.take_any(&["OF", "IN"]) {
            names.extend(self.take_name());
        }
        Some(names)
    }

    fn at_period(&self) -> bool {
        self.peek().is_some_and(|t| t.kind == Kind::Period)
    }

    /// A level number at the start of a line: a new entry although the period is missing.
    fn at_new_entry(&self) -> bool {
        let level = |t: &Token| t.leads && matches!(t.integer(), Some(1..=49 | 66 | 77 | 88));
        self.peek().is_some_and(level)
            && self
                .tokens
                .get(self.at + 1)
                .is_some_and(|t| !t.word().is_empty())
    }

    /// Goes behind the next period, or to the next line that starts like an entry.
    fn skip_sentence(&mut self) {
        while let Some(token) = self.peek() {
            self.advance();
            if token.kind == Kind::Period || self.at_new_entry() {
                return;
            }
        }
    }
}

/// Things in copybooks that are not entries.
fn not_an_entry(cursor: &mut Cursor<'_>, token: &Token) {
    match token.word() {
        "EJECT" | "SKIP1" | "SKIP2" | "SKIP3" => cursor.advance(),
        "TITLE" => cursor.skip_sentence(),
        "EXEC" => {
            cursor.complain("TXMCB0010W", "An EXEC block is ignored".to_owned());
            while !cursor.take_any(&["END-EXEC"]) && cursor.peek().is_some() {
                cursor.advance();
            }
        }
        "COPY" | "REPLACE" => {
            cursor.complain(
                "TXMCB0007E",
                format!(
                    "{} must be expanded before the copybook is read",
                    token.word()
                ),
            );
            cursor.skip_sentence();
        }
        "DATA" | "FILE" | "WORKING-STORAGE" | "LOCAL-STORAGE" | "LINKAGE" | "FD" | "SD" => {
            cursor.complain(
                "TXMCB0010W",
                format!(
                    "{} is ignored: only data description entries are read",
                    token.word()
                ),
            );
            cursor.skip_sentence();
        }
        _ if token.kind == Kind::Period => cursor.advance(),
        _ => {
            cursor.complain(
                "TXMCB0008E",
                format!("A level number was expected, not {}", token.shown()),
            );
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
            Some(Entry::Item(item))
        }
    }
}

fn end_of_entry(cursor: &mut Cursor<'_>) {
    if cursor.at_period() {
        return cursor.advance();
    }
    if cursor.peek().is_none() || cursor.at_new_entry() {
        return cursor.complain(
            "TXMCB0009W",
            "The period at the end of the entry is missing".to_owned(),
        );
    }
    let shown = cursor.peek().map(Token::shown).unwrap_or_default();
    cursor.complain("TXMCB0011E", format!("{shown} does not belong here"));
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
    let next = cursor.tokens.get(cursor.at + 1);
    // Words reserved in some dialects only are names where a PICTURE or nothing follows.
    let before_picture =
        next.is_some_and(|t| matches!(t.word(), "PIC" | "PICTURE" | "REDEFINES" | "OCCURS"));
    if starts_clause(upper) && !(before_picture && is_weak(upper)) {
        return String::new();
    }
    if written.contains(':') {
        cursor.complain(
            "TXMCB0010W",
            format!("{written} holds a marker for COPY REPLACING; it is taken as it is"),
        );
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

fn starts_clause(word: &str) -> bool {
    usage_word(word).is_some()
        || matches!(
            word,
            "REDEFINES"
                | "PIC"
                | "PICTURE"
                | "USAGE"
                | "SIGN"
                | "LEADING"
                | "TRAILING"
                | "OCCURS"
                | "SYNC"
                | "SYNCHRONIZED"
                | "JUST"
                | "JUSTIFIED"
                | "BLANK"
                | "VALUE"
                | "VALUES"
                | "EXTERNAL"
                | "GLOBAL"
                | "VOLATILE"
                | "IS"
                | "RENAMES"
                | "GROUP-USAGE"
                | "DATE"
                | "ASCENDING"
                | "DESCENDING"
                | "INDEXED"
                | "DEPENDING"
                | "THRU"
                | "THROUGH"
        )
}

fn usage_word(word: &str) -> Option<Usage> {
    let word = word
        .strip_prefix("COMPUTATIONAL")
        .map(|rest| format!("COMP{rest}"))
        .unwrap_or_else(|| word.to_owned());
    Some(match word.as_str() {
        "DISPLAY" => Usage::Display,
        "DISPLAY-1" => Usage::Dbcs,
        "NATIONAL" => Usage::National,
        "COMP" | "COMP-0" | "COMP-4" | "BINARY" => Usage::Binary,
        "COMP-1" | "FLOAT-SHORT" => Usage::Comp1,
        "COMP-2" | "FLOAT-LONG" => Usage::Comp2,
        "COMP-3" | "PACKED-DECIMAL" => Usage::Packed,
        "COMP-5" => Usage::Comp5,
        "COMP-6" => Usage::Comp6,
        "BINARY-CHAR" => Usage::Native {
            len: 1,
            signed: true,
        },
        "BINARY-SHORT" => Usage::Native {
            len: 2,
            signed: true,
        },
        "BINARY-LONG" => Usage::Native {
            len: 4,
            signed: true,
        },
        "BINARY-DOUBLE" => Usage::Native {
            len: 8,
            signed: true,
        },
        "INDEX" => Usage::Index,
        "POINTER" => Usage::Pointer,
        "POINTER-32" => Usage::Pointer32,
        "PROCEDURE-POINTER" | "FUNCTION-POINTER" => Usage::CodePointer,
        "OBJECT" => Usage::ObjectReference,
        _ => return None,
    })
}

fn clause(cursor: &mut Cursor<'_>, item: &mut Item, options: &ParseOptions) {
    let Some(token) = cursor.peek() else { return };
    if usage_word(token.word()).is_some() {
        return usage(cursor, item);
    }
    cursor.advance();
    match token.word() {
        "REDEFINES" => match cursor.take_name() {
            Some(name) => item.redefines = Some((name, None)),
            None => cursor.complain("TXMCB0012E", "A name must follow REDEFINES".to_owned()),
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
            cursor.at -= 1;
            sign(cursor, item);
        }
        "OCCURS" => item.occurs = occurs(cursor),
        "SYNC" | "SYNCHRONIZED" => {
            item.synchronized = true;
            item.own_sync = true;
            cursor.take_any(&["LEFT", "RIGHT"]);
        }
        "JUST" | "JUSTIFIED" => {
            item.justified = true;
            cursor.take_any(&["RIGHT"]);
        }
        "BLANK" => {
            cursor.take_any(&["WHEN"]);
            if !cursor.take_any(&["ZERO", "ZEROS", "ZEROES"]) {
                cursor.complain("TXMCB0011E", "ZERO must follow BLANK WHEN".to_owned());
            }
            item.blank_when_zero = true;
        }
        "VALUE" | "VALUES" => {
            cursor.take_any(&["IS", "ARE"]);
            item.value = value::literal(cursor);
            if item.value.is_none() {
                cursor.complain("TXMCB0016E", "A literal must follow VALUE".to_owned());
            }
        }
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

fn unknown_clause(cursor: &mut Cursor<'_>, token: &Token) {
    cursor.at -= 1;
    cursor.complain(
        "TXMCB0011E",
        format!("{} is not a clause of a data description", token.shown()),
    );
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
        return cursor.complain("TXMCB0013E", "A PICTURE string must follow".to_owned());
    };
    match picture::analyse(text, options) {
        Ok(picture) => item.picture = Some(picture),
        Err(why) => cursor.complain("TXMCB0013E", format!("PICTURE {text} is not valid: {why}")),
    }
    cursor.advance();
}

fn usage(cursor: &mut Cursor<'_>, item: &mut Item) {
    let Some(token) = cursor.peek() else { return };
    let Some(mut usage) = usage_word(token.word()) else {
        cursor.complain(
            "TXMCB0014E",
            format!("{} is not a USAGE that is supported", token.shown()),
        );
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
}

fn sign(cursor: &mut Cursor<'_>, item: &mut Item) {
    let leading = cursor.take_any(&["LEADING"]);
    if !leading && !cursor.take_any(&["TRAILING"]) {
        return cursor.complain(
            "TXMCB0011E",
            "LEADING or TRAILING must follow SIGN".to_owned(),
        );
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
        cursor.complain(
            "TXMCB0015E",
            "A number of occurrences must follow OCCURS".to_owned(),
        );
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
            None => cursor.complain(
                "TXMCB0015E",
                "A number of occurrences must follow TO".to_owned(),
            ),
        }
    }
    cursor.take_any(&["TIMES"]);
    loop {
        if cursor.take_any(&["DEPENDING"]) {
            cursor.take_any(&["ON"]);
            clause.depends_on = cursor.take_qualified();
            if clause.depends_on.is_none() {
                cursor.complain("TXMCB0015E", "A name must follow DEPENDING ON".to_owned());
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
        cursor.complain(
            "TXMCB0015E",
            format!("OCCURS {} TO {} is not possible", clause.min, clause.max),
        );
        clause.max = clause.max.clamp(1, MAX_OCCURS);
        clause.min = clause.min.min(clause.max);
    }
    if clause.depends_on.is_none() && clause.min != clause.max {
        cursor.complain("TXMCB0015E", "OCCURS n TO m needs DEPENDING ON".to_owned());
        clause.min = clause.max;
    }
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
        cursor.complain("TXMCB0016E", "A level 88 needs a VALUE clause".to_owned());
    }
    Condition { name, values }
}

fn renames(cursor: &mut Cursor<'_>, name: String, line: u32) -> Option<RenamesEntry> {
    if !cursor.take_any(&["RENAMES"]) {
        cursor.complain("TXMCB0012E", "A level 66 needs a RENAMES clause".to_owned());
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
            cursor.complain("TXMCB0012E", "A name must follow RENAMES".to_owned());
            None
        }
    }
}
