//! The text `transom copybook layout` prints: one line for each item.

use std::fmt::Write;

use super::{Field, FieldId, Layout};

/// Columns: offset (from 0) and length in bytes, level, name, PICTURE, USAGE; then REDEFINES,
/// OCCURS, and `~` behind the offset of an item that moves with a variable table. Lengths are those
/// of one occurrence, at the maximum.
pub fn report(layout: &Layout) -> String {
    let mut rows = Vec::with_capacity(layout.fields.len());
    for &root in &layout.roots {
        collect(layout, root, 0, &mut rows);
    }
    let name_width = rows
        .iter()
        .map(|r| r.name.chars().count())
        .max()
        .unwrap_or(0)
        .max("NAME".len());
    let picture_width = rows
        .iter()
        .map(|r| r.picture.len())
        .max()
        .unwrap_or(0)
        .clamp("PICTURE".len(), PICTURE_WIDTH);
    let mut out = String::new();
    let mut line = |offset: &str,
                    len: &str,
                    name: &str,
                    picture: &str,
                    usage: &str,
                    notes: &str| {
        let text = format!(
            "{offset:>9} {len:>9}  {name:<name_width$}  {picture:<picture_width$}  {usage:<10} {notes}"
        );
        out.push_str(text.trim_end());
        out.push('\n');
    };
    line("OFFSET", "LENGTH", "NAME", "PICTURE", "USAGE", "");
    for row in &rows {
        line(
            &row.offset,
            &row.len.to_string(),
            &row.name,
            row.picture,
            row.usage,
            &row.notes,
        );
    }
    let total = if layout.min_bytes == layout.max_bytes {
        format!("{} bytes", layout.max_bytes)
    } else {
        format!("{} to {} bytes", layout.min_bytes, layout.max_bytes)
    };
    out.push_str(&total);
    out.push('\n');
    out
}

/// Longer PICTURE strings push the next column to the right.
const PICTURE_WIDTH: usize = 24;

struct Row<'a> {
    offset: String,
    len: usize,
    name: String,
    picture: &'a str,
    usage: &'a str,
    notes: String,
}

fn collect<'a>(layout: &'a Layout, id: FieldId, depth: usize, rows: &mut Vec<Row<'a>>) {
    let field = &layout[id];
    rows.push(Row {
        offset: format!("{}{}", field.offset, if field.slides { "~" } else { "" }),
        len: field.len,
        name: format!(
            "{:indent$}{:02} {}",
            "",
            field.level,
            shown(field),
            indent = depth * 2
        ),
        picture: field.picture.as_deref().unwrap_or(""),
        usage: field.usage,
        notes: notes(layout, field),
    });
    for &child in &field.children {
        collect(layout, child, depth + 1, rows);
    }
}

fn shown(field: &Field) -> &str {
    if field.is_filler() {
        "FILLER"
    } else {
        &field.name
    }
}

fn notes(layout: &Layout, field: &Field) -> String {
    let mut out = String::new();
    if let Some(first) = field.redefines {
        let _ = write!(out, "REDEFINES {} ", shown(&layout[first]));
    }
    if let Some(o) = &field.occurs {
        let _ = match &o.depends_on_name {
            Some(counter) => write!(out, "OCCURS {} TO {} DEPENDING ON {counter} ", o.min, o.max),
            None => write!(out, "OCCURS {} ", o.max),
        };
    }
    if field.slack > 0 {
        let _ = write!(out, "after {} slack ", field.slack);
    }
    out.truncate(out.trim_end().len());
    out
}
