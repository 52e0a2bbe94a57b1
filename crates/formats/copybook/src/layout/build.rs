//! Copybook -> layout: kinds of items, then geometry, then names of counters and level 66 resolved.

use super::item::{align, field, field_id};
use super::measure::{Align, measure, place};
use super::{Field, Layout, Profile, Renames};
use crate::parse::{Copybook, ItemId, RenamesEntry};
use transom_messages as messages;
use transom_messages::Problem;

/// Longest record laid out, in bytes: the z/OS limit on one item.
pub const MAX_RECORD_BYTES: usize = 134_217_727;

impl Layout {
    /// Lays a copybook out. Clauses that cannot be honoured exactly are in [`Layout::problems`].
    ///
    /// # Errors
    /// `TXMCB0101E`: a record is longer than [`MAX_RECORD_BYTES`]. `TXMCB0102E`: there is no item.
    pub fn new(copybook: &Copybook, profile: Profile) -> Result<Layout, Problem> {
        if copybook.items.is_empty() {
            return Err(Problem::from(messages::cb::no_items()));
        }
        let mut layout = Layout {
            profile,
            fields: copybook.items.iter().map(field).collect(),
            roots: copybook.roots.iter().map(|&id| field_id(id)).collect(),
            ..Layout::default()
        };
        link_redefines(copybook, &mut layout);
        link_counters(copybook, &mut layout);
        let aligns: Vec<Align> = copybook.items.iter().map(align).collect();
        place(&mut layout, &aligns);
        if layout.max_bytes > MAX_RECORD_BYTES {
            let record = layout
                .roots
                .iter()
                .map(|&r| &layout[r])
                .max_by_key(|f| f.extent());
            let line = record.map_or(0, |f| f.line);
            return Err(Problem::new(
                messages::cb::record_too_long(MAX_RECORD_BYTES),
                (line, 1),
            ));
        }
        let least = measure(&layout, &|id| {
            layout[id].occurs.as_ref().map_or(1, |o| o.min)
        });
        for (field, len) in layout.fields.iter_mut().zip(least.len) {
            field.min_len = len;
        }
        layout.min_bytes = least.total;
        warn(&mut layout);
        layout.renames = copybook
            .renames
            .iter()
            .filter_map(|r| renames(copybook, &mut layout.problems, r))
            .collect();
        Ok(layout)
    }
}

fn link_redefines(copybook: &Copybook, layout: &mut Layout) {
    for (id, item) in copybook.items.iter().enumerate() {
        let Some((_, Some(target))) = &item.redefines else {
            continue;
        };
        // Targets come before, so theirs is resolved already.
        let first = layout.fields[*target]
            .redefines
            .unwrap_or(field_id(*target));
        layout.fields[id].redefines = Some(first);
        layout[first].redefined_by.push(field_id(id));
    }
}

fn link_counters(copybook: &Copybook, layout: &mut Layout) {
    for (id, item) in copybook.items.iter().enumerate() {
        let Some(names) = item.occurs.as_ref().and_then(|o| o.depends_on.as_ref()) else {
            continue;
        };
        let found = find(copybook, names, id);
        let Some(counter) = found else {
            layout.problems.push(Problem::new(
                messages::cb::counter_not_found(names.join(" OF ")),
                (item.line, item.column),
            ));
            continue;
        };
        let kind = &layout.fields[counter].kind;
        if kind.number().is_none_or(|(_, scale, _)| scale > 0) {
            layout.problems.push(Problem::new(
                messages::cb::counter_not_integer(names.join(" OF ")),
                (item.line, item.column),
            ));
        }
        if let Some(o) = &mut layout.fields[id].occurs {
            o.depends_on = Some(field_id(counter));
        }
    }
}

/// The item a qualified name means: of those that match, the last one before `near`, else the first
/// one after.
fn find(copybook: &Copybook, names: &[String], near: ItemId) -> Option<ItemId> {
    let matches = |&id: &ItemId| qualifies(copybook, names, id);
    (0..near)
        .rev()
        .find(matches)
        .or_else(|| (near + 1..copybook.items.len()).find(matches))
}

fn qualifies(copybook: &Copybook, names: &[String], id: ItemId) -> bool {
    let Some((name, qualifiers)) = names.split_first() else {
        return false;
    };
    if !copybook.items[id].name.eq_ignore_ascii_case(name) {
        return false;
    }
    let mut above = copybook.items[id].parent;
    for qualifier in qualifiers {
        loop {
            let Some(group) = above else { return false };
            above = copybook.items[group].parent;
            if copybook.items[group].name.eq_ignore_ascii_case(qualifier) {
                break;
            }
        }
    }
    true
}

fn warn(layout: &mut Layout) {
    let mut found = Vec::new();
    for field in &layout.fields {
        if let Some(first) = field.redefines.filter(|_| field.level != 1) {
            let (own, other) = (field.extent(), layout[first].extent());
            if own > other {
                found.push(Problem::new(
                    messages::cb::redefinition_longer(
                        shown(field),
                        own,
                        shown(&layout[first]),
                        other,
                    ),
                    (field.line, 1),
                ));
            }
        }
    }
    let room = crate::parse::MAX_PROBLEMS.saturating_sub(layout.problems.len());
    layout.problems.extend(found.into_iter().take(room));
}

fn shown(field: &Field) -> &str {
    if field.is_filler() {
        "FILLER"
    } else {
        &field.name
    }
}

fn renames(
    copybook: &Copybook,
    problems: &mut Vec<Problem>,
    entry: &RenamesEntry,
) -> Option<Renames> {
    let record = entry.record?;
    let next_record = copybook
        .roots
        .iter()
        .find(|&&r| r > record)
        .copied()
        .unwrap_or(copybook.items.len());
    let mut item = |names: &[String]| {
        let found = (record..next_record).find(|&id| qualifies(copybook, names, id));
        if found.is_none() {
            problems.push(Problem::new(
                messages::cb::renames_nothing(&entry.name, names.join(" OF ")),
                (entry.line, 1),
            ));
        }
        found
    };
    let from = item(&entry.from)?;
    let through = match &entry.through {
        Some(names) => item(names)?,
        None => from,
    };
    Some(Renames {
        name: entry.name.clone(),
        from: field_id(from),
        through: field_id(through),
    })
}
