//! Definitions -> a deck, in the layout DFHCSDUP EXTRACT uses. Reading it gives the same CSD.

use crate::definition::Definition;
use crate::scan::COLUMNS;
use crate::store::Csd;
use std::fmt::Write as _;

/// Column where attributes begin, counted from 0.
const INDENT: usize = 7;

/// The whole CSD: groups with their definitions, then the lists.
pub fn write_deck(csd: &Csd) -> String {
    let mut out = String::new();
    for group in csd.groups() {
        let _ = writeln!(out, "* Group {group}");
        for definition in csd.group(group).unwrap_or_default() {
            out.push_str(&write_definition(definition));
        }
    }
    for list in csd.lists() {
        for group in csd.list(list).unwrap_or_default() {
            let _ = writeln!(out, " ADD GROUP({group}) LIST({list})");
        }
    }
    out
}

/// One DEFINE statement: the attributes that were given, in their order.
pub fn write_definition(definition: &Definition) -> String {
    write_as("DEFINE", definition)
}

/// A statement of a verb and operands, none of which is longer than a line.
pub fn write_statement(verb: &str, operands: &[String]) -> String {
    let mut lines = Lines::default();
    lines.item(1, verb);
    for operand in operands {
        lines.item(INDENT, operand);
    }
    lines.end_line();
    lines.out
}

/// The same as DEFINE or ALTER.
pub fn write_as(verb: &str, definition: &Definition) -> String {
    let mut lines = Lines::default();
    let kind = definition.kind.keyword();
    lines.item(
        1,
        &format!(
            "{verb} {kind}({}) GROUP({})",
            definition.name, definition.group
        ),
    );
    lines.end_line();
    for (keyword, value) in definition.attributes() {
        if keyword == "DESCRIPTION" {
            lines.end_line();
            lines.value(1, keyword, value);
            lines.end_line();
        } else {
            lines.value(INDENT, keyword, value);
        }
    }
    lines.end_line();
    lines.out
}

#[derive(Default)]
struct Lines {
    out: String,
    line: String,
}

impl Lines {
    fn end_line(&mut self) {
        if !self.line.is_empty() {
            self.out.push_str(&self.line);
            self.out.push('\n');
            self.line.clear();
        }
    }

    /// Adds an item that fits on a line.
    fn item(&mut self, indent: usize, item: &str) {
        if !self.line.is_empty() && self.line.chars().count() + 1 + item.chars().count() > COLUMNS {
            self.end_line();
        }
        if self.line.is_empty() {
            self.line = " ".repeat(indent);
        } else {
            self.line.push(' ');
        }
        self.line.push_str(item);
    }

    fn value(&mut self, indent: usize, keyword: &str, value: &str) {
        let written = if needs_quotes(value) {
            format!("{keyword}('{}')", value.replace('\'', "''"))
        } else {
            format!("{keyword}({value})")
        };
        let chars: Vec<char> = written.chars().collect();
        if indent + chars.len() <= COLUMNS {
            self.item(indent, &written);
            return;
        }
        self.end_line();
        let mut rest = chars.as_slice();
        while rest.len() + 1 > COLUMNS {
            let (length, blank) = split(rest);
            // A split inside a run of characters must fill column 72; one at a blank must not.
            let margin = if blank { 1 } else { COLUMNS - length };
            self.line = " ".repeat(margin) + &rest[..length].iter().collect::<String>();
            self.end_line();
            rest = &rest[length + usize::from(blank)..];
        }
        self.line = format!(" {}", rest.iter().collect::<String>());
    }
}

/// Where to cut: how many characters stay, and whether the blank after them is left out.
fn split(rest: &[char]) -> (usize, bool) {
    let solid = |i: usize| rest.get(i).is_some_and(|c| *c != ' ');
    for length in (1..COLUMNS).rev() {
        if solid(length - 1) && solid(length) && rest[length] != '*' {
            return (length, false);
        }
        let single = solid(length - 1) && !solid(length) && solid(length + 1);
        if single && length + 1 < COLUMNS && rest[length + 1] != '*' {
            return (length, true);
        }
    }
    // Only runs of blanks: the run shrinks to one blank.
    (COLUMNS - 1, false)
}

/// The value would be read differently without quotes.
fn needs_quotes(value: &str) -> bool {
    let mut depth = 0i32;
    for c in value.chars() {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        if depth < 0 {
            return true;
        }
    }
    depth != 0 || value.starts_with([' ', '\'']) || value.ends_with(' ')
}
