//! Copybook -> layout: kinds of items, then geometry, then names of counters and level 66 resolved.

use super::measure::{Align, measure, place};
use super::{Field, FieldId, FieldKind, Layout, Occurs, Profile, Renames, SignStyle};
use crate::parse::{Category, Copybook, Item, ItemId, OccursClause, Picture, RenamesEntry, Usage};
use crate::problem::Problem;

/// Longest record laid out, in bytes: the z/OS limit on one item.
pub const MAX_RECORD_BYTES: usize = 134_217_727;

impl Layout {
    /// Lays a copybook out. Clauses that cannot be honoured exactly are in [`Layout::problems`].
    ///
    /// # Errors
    /// `TXMCB0101E`: a record is longer than [`MAX_RECORD_BYTES`]. `TXMCB0102E`: there is no item.
    pub fn new(copybook: &Copybook, profile: Profile) -> Result<Layout, Problem> {
        if copybook.items.is_empty() {
            return Err(Problem::new(
                "TXMCB0102E",
                0,
                0,
                "The copybook has no items",
            ));
        }
        let mut layout = Layout {
            profile,
            fields: copybook
                .items
                .iter()
                .map(|item| field(item, profile))
                .collect(),
            roots: copybook.roots.iter().map(|&id| field_id(id)).collect(),
            ..Layout::default()
        };
        link_redefines(copybook, &mut layout);
        link_counters(copybook, &mut layout);
        let aligns: Vec<Align> = copybook
            .items
            .iter()
            .map(|item| align(item, profile))
            .collect();
        place(&mut layout, &aligns);
        if layout.max_bytes > MAX_RECORD_BYTES {
            let record = layout
                .roots
                .iter()
                .map(|&r| &layout[r])
                .max_by_key(|f| f.extent());
            let line = record.map_or(0, |f| f.line);
            let text = format!("The record is longer than {MAX_RECORD_BYTES} bytes");
            return Err(Problem::new("TXMCB0101E", line, 1, text));
        }
        let least = measure(&layout, &|id| {
            layout[id].occurs.as_ref().map_or(1, |o| o.min)
        });
        for (field, len) in layout.fields.iter_mut().zip(least.len) {
            field.min_len = len;
        }
        layout.min_bytes = least.total;
        warn(&mut layout, &aligns);
        layout.renames = copybook
            .renames
            .iter()
            .filter_map(|r| renames(copybook, &mut layout.problems, r))
            .collect();
        Ok(layout)
    }
}

fn field_id(id: ItemId) -> FieldId {
    FieldId(id as u32)
}

fn field(item: &Item, profile: Profile) -> Field {
    let (kind, len) = if item.children.is_empty() {
        kind(item, profile)
    } else {
        (FieldKind::Group, 0)
    };
    Field {
        name: item.name.clone(),
        level: item.level,
        parent: item.parent.map(field_id),
        children: item.children.iter().map(|&c| field_id(c)).collect(),
        offset: 0,
        len,
        min_len: len,
        slack: 0,
        tail_slack: 0,
        slides: false,
        occurs: item.occurs.as_ref().map(occurs),
        redefines: None,
        redefined_by: Vec::new(),
        picture: item.picture.as_ref().map(|p| p.text.clone()),
        usage: usage_word(item, &kind),
        kind,
        blank_when_zero: item.blank_when_zero,
        value: item.value.clone(),
        conditions: item.conditions.clone(),
        line: item.line,
    }
}

fn usage_word(item: &Item, kind: &FieldKind) -> &'static str {
    match kind {
        FieldKind::Group => "GROUP",
        FieldKind::National { .. } | FieldKind::NationalEdited { .. } if item.usage.is_none() => {
            "NATIONAL"
        }
        FieldKind::Dbcs { .. } => "DISPLAY-1",
        _ => item.usage.unwrap_or_default().word(),
    }
}

fn occurs(clause: &OccursClause) -> Occurs {
    Occurs {
        min: clause.min,
        max: clause.max,
        stride: 0,
        depends_on: None,
        depends_on_name: clause
            .depends_on
            .as_ref()
            .and_then(|names| names.first().cloned()),
        indexed_by: clause.indexed_by.clone(),
    }
}

/// Kind and length of an elementary item. One that has no usable PICTURE is text of length 0.
fn kind(item: &Item, profile: Profile) -> (FieldKind, usize) {
    let usage = item.usage.unwrap_or_default();
    let native = |len: u8, signed| {
        let digits = [0, 3, 5, 0, 10, 0, 0, 0, 19][usize::from(len.min(8))];
        FieldKind::Binary {
            digits,
            scale: 0,
            signed,
            native: true,
            len,
        }
    };
    match usage {
        Usage::Comp1 => return (FieldKind::Float4, 4),
        Usage::Comp2 => return (FieldKind::Float8, 8),
        Usage::Native { len, signed } => return (native(len, signed), usize::from(len)),
        Usage::Index => return (FieldKind::Index, 4),
        Usage::Pointer => return (FieldKind::Pointer, profile.pointer_len()),
        Usage::Pointer32 | Usage::ObjectReference => return (FieldKind::Pointer, 4),
        Usage::CodePointer => return (FieldKind::Pointer, 8),
        _ => {}
    }
    match &item.picture {
        Some(picture) => pictured(item, picture, usage),
        None => (FieldKind::Alphanumeric { justified: false }, 0),
    }
}

fn pictured(item: &Item, picture: &Picture, usage: Usage) -> (FieldKind, usize) {
    let size = picture.size as usize;
    let mask = || picture.mask.clone().unwrap_or_default();
    let &Picture {
        digits,
        scale,
        signed,
        ..
    } = picture;
    match picture.category {
        Category::Numeric => number(item, picture, usage),
        Category::NumericEdited if usage == Usage::National => {
            (FieldKind::NationalEdited { mask: mask() }, size * 2)
        }
        Category::NumericEdited => {
            let decimal_comma = picture.decimal_comma;
            (
                FieldKind::NumericEdited {
                    mask: mask(),
                    digits,
                    scale,
                    signed,
                    decimal_comma,
                },
                size,
            )
        }
        Category::AlphanumericEdited => (FieldKind::AlphanumericEdited { mask: mask() }, size),
        Category::National if usage == Usage::Dbcs => (
            FieldKind::Dbcs {
                chars: picture.size,
            },
            size * 2,
        ),
        Category::National => (
            FieldKind::National {
                chars: picture.size,
            },
            size * 2,
        ),
        Category::Dbcs => (
            FieldKind::Dbcs {
                chars: picture.size,
            },
            size * 2,
        ),
        Category::NationalEdited | Category::DbcsEdited => {
            (FieldKind::NationalEdited { mask: mask() }, size * 2)
        }
        Category::Alphanumeric | Category::ExternalFloat => (
            FieldKind::Alphanumeric {
                justified: item.justified,
            },
            size,
        ),
    }
}

fn number(item: &Item, picture: &Picture, usage: Usage) -> (FieldKind, usize) {
    let &Picture {
        digits,
        scale,
        signed,
        ..
    } = picture;
    let stored = usize::from(digits);
    match usage {
        Usage::Packed => (
            FieldKind::Packed {
                digits,
                scale,
                signed,
                sign_nibble: true,
            },
            stored / 2 + 1,
        ),
        Usage::Comp6 => (
            FieldKind::Packed {
                digits,
                scale,
                signed: false,
                sign_nibble: false,
            },
            stored.div_ceil(2),
        ),
        Usage::Binary | Usage::Comp5 => {
            let len = binary_len(digits);
            (
                FieldKind::Binary {
                    digits,
                    scale,
                    signed,
                    native: usage == Usage::Comp5,
                    len,
                },
                usize::from(len),
            )
        }
        Usage::National => (
            FieldKind::National {
                chars: picture.size,
            },
            stored * 2,
        ),
        _ => {
            let sign = item.sign.unwrap_or_default();
            let sign = if signed { sign } else { SignStyle::Trailing };
            let extra = usize::from(signed && sign.is_separate());
            (
                FieldKind::Zoned {
                    digits,
                    scale,
                    signed,
                    sign,
                },
                stored + extra,
            )
        }
    }
}

/// Bytes of a COMP or COMP-5 item. More than 18 digits is no COBOL for z/OS; the length is then that of the smallest
/// signed integer, as other readers of copybooks have it.
fn binary_len(digits: u16) -> u8 {
    match digits {
        0..=4 => 2,
        5..=9 => 4,
        10..=18 => 8,
        _ => {
            let largest = 10u128.saturating_pow(u32::from(digits)).saturating_sub(1);
            let bits = 128 - largest.leading_zeros() + 1;
            bits.div_ceil(8).min(16) as u8
        }
    }
}

/// The boundary SYNCHRONIZED asks for, in bytes; 1 without it.
fn align(item: &Item, profile: Profile) -> Align {
    if !item.children.is_empty() {
        return 1;
    }
    let asked = match profile {
        Profile::Host => item.synchronized,
        Profile::Native => item.own_sync, // GnuCOBOL does not hand it down
    };
    if !asked {
        return 1;
    }
    let (kind, len) = kind(item, profile);
    match kind {
        FieldKind::Binary { len: 2, .. } => 2,
        FieldKind::Binary { len: 8, .. } if profile == Profile::Native => 8,
        FieldKind::Binary { len: 1, .. } => 1,
        FieldKind::Binary { .. } | FieldKind::Float4 | FieldKind::Index => 4,
        FieldKind::Float8 => 8,
        FieldKind::Pointer => len,
        _ => 1,
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
            let text = format!("The counter {} is not in the copybook", names.join(" OF "));
            layout
                .problems
                .push(Problem::new("TXMCB0103W", item.line, item.column, text));
            continue;
        };
        let kind = &layout.fields[counter].kind;
        if !kind.number().is_some_and(|(_, scale, _)| scale <= 0) {
            let text = format!("The counter {} is not an integer", names.join(" OF "));
            layout
                .problems
                .push(Problem::new("TXMCB0104W", item.line, item.column, text));
        }
        if let Some(o) = &mut layout.fields[id].occurs {
            o.depends_on = Some(field_id(counter));
        }
    }
}

/// The item a qualified name means: of those that match, the last one before `near`, else the first one after.
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

fn warn(layout: &mut Layout, aligns: &[Align]) {
    let mut found = Vec::new();
    for (field, &align) in layout.fields.iter().zip(aligns) {
        if let Some(first) = field.redefines.filter(|_| field.level != 1) {
            let (own, other) = (field.extent(), layout[first].extent());
            if own > other {
                let text = format!(
                    "{} is longer ({own}) than {} ({other}), which it redefines",
                    shown(field),
                    shown(&layout[first])
                );
                found.push(Problem::new("TXMCB0105W", field.line, 1, text));
            }
        }
        if layout.profile == Profile::Native && align > 1 && field.slides {
            let text = format!(
                "{}: GnuCOBOL does not align an item behind a variable table as z/OS does",
                shown(field)
            );
            found.push(Problem::new("TXMCB0106W", field.line, 1, text));
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
            let text = format!(
                "{} RENAMES {}: there is no such item in the record",
                entry.name,
                names.join(" OF ")
            );
            problems.push(Problem::new("TXMCB0107W", entry.line, 1, text));
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
