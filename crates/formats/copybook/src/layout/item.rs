//! One entry of a copybook -> one field: what it holds, how long it is, which boundary it asks for.

use super::measure::Align;
use super::{Field, FieldId, FieldKind, Occurs, SignStyle};
use crate::parse::{Category, Item, ItemId, OccursClause, Picture, Usage};

pub(super) fn field(item: &Item) -> Field {
    let (kind, len) = if item.children.is_empty() {
        kind(item)
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

/// The field of an item: both have the same number.
pub(super) fn field_id(id: ItemId) -> FieldId {
    FieldId(id as u32)
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
fn kind(item: &Item) -> (FieldKind, usize) {
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
        Usage::Pointer | Usage::Pointer32 | Usage::FunctionPointer | Usage::ObjectReference => {
            return (FieldKind::Pointer, 4);
        }
        Usage::ProcedurePointer => return (FieldKind::Pointer, 8),
        _ => {}
    }
    match &item.picture {
        Some(picture) => pictured(item, picture, usage),
        None => (FieldKind::Alphanumeric { justified: false }, 0),
    }
}

fn pictured(item: &Item, picture: &Picture, usage: Usage) -> (FieldKind, usize) {
    let size = picture.size as usize;
    let chars = picture.size;
    let mask = || picture.mask.clone().unwrap_or_default();
    match picture.category {
        Category::Numeric => number(item, picture, usage),
        Category::NumericEdited if usage == Usage::National => {
            (FieldKind::NationalEdited { mask: mask() }, size * 2)
        }
        Category::NumericEdited => (numeric_edited(picture), size),
        Category::AlphanumericEdited => (FieldKind::AlphanumericEdited { mask: mask() }, size),
        Category::National if usage == Usage::Dbcs => (FieldKind::Dbcs { chars }, size * 2),
        Category::National => (FieldKind::National { chars }, size * 2),
        Category::Dbcs => (FieldKind::Dbcs { chars }, size * 2),
        Category::NationalEdited | Category::DbcsEdited => {
            (FieldKind::NationalEdited { mask: mask() }, size * 2)
        }
        Category::Alphanumeric | Category::ExternalFloat => {
            let justified = item.justified;
            (FieldKind::Alphanumeric { justified }, size)
        }
    }
}

fn numeric_edited(picture: &Picture) -> FieldKind {
    FieldKind::NumericEdited {
        mask: picture.mask.clone().unwrap_or_default(),
        digits: picture.digits,
        scale: picture.scale,
        signed: picture.signed,
        decimal_comma: picture.decimal_comma,
    }
}

#[rustfmt::skip] // one line for each USAGE
fn number(item: &Item, picture: &Picture, usage: Usage) -> (FieldKind, usize) {
    let &Picture { digits, scale, signed, .. } = picture;
    let stored = usize::from(digits);
    match usage {
        Usage::Packed => (FieldKind::Packed { digits, scale, signed, sign_nibble: true }, stored / 2 + 1),
        Usage::Comp6 => {
            (FieldKind::Packed { digits, scale, signed: false, sign_nibble: false }, stored.div_ceil(2))
        }
        Usage::Binary | Usage::Comp5 => {
            let len = binary_len(digits);
            let native = usage == Usage::Comp5;
            (FieldKind::Binary { digits, scale, signed, native, len }, usize::from(len))
        }
        Usage::National => (FieldKind::National { chars: picture.size }, stored * 2),
        _ => {
            let own = item.sign.unwrap_or_default();
            let sign = if signed { own } else { SignStyle::Trailing };
            let extra = usize::from(signed && sign.is_separate());
            (FieldKind::Zoned { digits, scale, signed, sign }, stored + extra)
        }
    }
}

/// Bytes of a COMP or COMP-5 item. More than 18 digits is no COBOL for z/OS; the length is then
/// that of the smallest signed integer, as other readers of copybooks have it.
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
pub(super) fn align(item: &Item) -> Align {
    if !item.children.is_empty() || !item.synchronized {
        return 1;
    }
    let (kind, len) = kind(item);
    match kind {
        FieldKind::Binary { len: 2, .. } => 2,
        FieldKind::Binary { len: 1, .. } => 1,
        FieldKind::Binary { .. } | FieldKind::Float4 | FieldKind::Index => 4,
        FieldKind::Float8 => 8,
        FieldKind::Pointer => len,
        _ => 1,
    }
}
