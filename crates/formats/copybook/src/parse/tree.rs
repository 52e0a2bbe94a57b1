//! Entries -> tree: levels, 88s and 66s in their places, REDEFINES resolved, group clauses handed
//! down, contradictions named.

use super::entry::Entry;
use super::picture::Category;
use super::{Copybook, Item, ItemId, Problems, SourceFormat, Usage};
use crate::layout::SignStyle;
use transom_messages as messages;

/// Most digits of a number on z/OS (ARITH(EXTEND)).
const MAX_ZOS_DIGITS: u16 = 31;
/// Most digits of a binary item on z/OS.
const MAX_ZOS_BINARY_DIGITS: u16 = 18;
/// Most digits of a binary item for which a length is known.
const MAX_BINARY_DIGITS: u16 = 38;

/// Builds the tree.
pub(super) fn assemble(
    entries: Vec<Entry>,
    format: SourceFormat,
    problems: &mut Problems,
) -> Copybook {
    let mut copybook = Copybook {
        format,
        ..Copybook::default()
    };
    let mut open: Vec<ItemId> = Vec::new();
    for entry in entries {
        match entry {
            Entry::Item(item) => add_item(&mut copybook, &mut open, *item, problems),
            Entry::Condition {
                condition,
                line,
                column,
            } => match copybook.items.last_mut() {
                Some(item) => item.conditions.push(condition),
                None => problems.add(
                    messages::cb::level_without_item("88", "an item"),
                    line,
                    column,
                ),
            },
            Entry::Renames(mut renames, column) => {
                renames.record = copybook.roots.last().copied();
                if renames.record.is_none() {
                    problems.add(
                        messages::cb::level_without_item("66", "a record"),
                        renames.line,
                        column,
                    );
                }
                copybook.renames.push(renames);
            }
        }
    }
    inherit(&mut copybook);
    for id in 0..copybook.items.len() {
        check(&mut copybook, id, problems);
    }
    copybook
}

fn add_item(
    copybook: &mut Copybook,
    open: &mut Vec<ItemId>,
    mut item: Item,
    problems: &mut Problems,
) {
    let alone = item.level == 77;
    while open.last().is_some_and(|&top| {
        alone || copybook.items[top].level >= item.level || copybook.items[top].level == 77
    }) {
        open.pop();
    }
    item.parent = open.last().copied();
    let id = copybook.items.len();
    let siblings = item
        .parent
        .map_or(&copybook.roots, |p| &copybook.items[p].children);
    if let Some((name, target)) = &mut item.redefines {
        let same = |&&s: &&ItemId| copybook.items[s].name.eq_ignore_ascii_case(name);
        *target = siblings.iter().rev().find(same).copied();
        if target.is_none() {
            problems.add(
                messages::cb::redefines_nothing(&name),
                item.line,
                item.column,
            );
        }
    }
    sign_without_s(&mut item, problems);
    match item.parent {
        Some(parent) => copybook.items[parent].children.push(id),
        None => copybook.roots.push(id),
    }
    copybook.items.push(item);
    open.push(id);
}

/// An item's own SIGN SEPARATE without S in the PICTURE is no COBOL but plainly means a sign byte.
/// (From a group, SIGN does not concern unsigned items.)
fn sign_without_s(item: &mut Item, problems: &mut Problems) {
    let Some(picture) = &mut item.picture else {
        return;
    };
    let separate = item.sign.is_some_and(SignStyle::is_separate);
    if separate && picture.category == Category::Numeric && !picture.signed {
        picture.signed = true;
        problems.add(
            messages::cb::sign_without_s(&picture.text),
            item.line,
            item.column,
        );
    }
}

/// Hands USAGE, SIGN and SYNCHRONIZED of groups down. Parents come before children in the arena.
fn inherit(copybook: &mut Copybook) {
    for id in 0..copybook.items.len() {
        let Some(parent) = copybook.items[id].parent else {
            continue;
        };
        let (usage, sign, sync) = {
            let p = &copybook.items[parent];
            (p.usage, p.sign, p.synchronized)
        };
        let item = &mut copybook.items[id];
        item.usage = item.usage.or(usage);
        item.sign = item.sign.or(sign);
        item.synchronized |= sync;
    }
}

fn check(copybook: &mut Copybook, id: ItemId, problems: &mut Problems) {
    let item = &mut copybook.items[id];
    let shown = if item.name.is_empty() {
        "FILLER".to_owned()
    } else {
        item.name.clone()
    };
    let mut complain = |message: messages::Message| problems.add(message, item.line, item.column);
    if !item.children.is_empty() {
        if item.picture.take().is_some() {
            complain(messages::cb::picture_on_group(&shown));
        }
        return;
    }
    let usage = item.usage.unwrap_or_default();
    let Some(picture) = &item.picture else {
        if !usage.stands_alone() {
            complain(messages::cb::nothing_in_item(&shown));
        }
        return;
    };
    if usage.stands_alone() {
        complain(messages::cb::usage_with_picture(&shown, usage.word()));
        item.picture = None;
        return;
    }
    if !fits(usage, picture.category) {
        let (word, picture) = (usage.word(), &picture.text);
        complain(if item.own_usage {
            messages::cb::usage_does_not_fit(&shown, word, picture)
        } else {
            messages::cb::group_usage_not_applied(&shown, word, picture)
        });
        item.usage = None;
    }
    check_digits(item, &shown, problems);
}

/// Whether a USAGE can have a PICTURE of the category.
fn fits(usage: Usage, category: Category) -> bool {
    use Category::{
        Alphanumeric, AlphanumericEdited, Dbcs, DbcsEdited, National, NationalEdited, Numeric,
    };
    match usage {
        Usage::Binary | Usage::Packed | Usage::Comp5 | Usage::Comp6 => category == Numeric,
        Usage::Dbcs => matches!(category, National | NationalEdited | Dbcs | DbcsEdited),
        Usage::National => !matches!(category, Alphanumeric | AlphanumericEdited),
        _ => true,
    }
}

fn check_digits(item: &mut Item, shown: &str, problems: &mut Problems) {
    let Some(picture) = &item.picture else { return };
    let binary = matches!(item.usage, Some(Usage::Binary | Usage::Comp5));
    let most = if binary {
        MAX_ZOS_BINARY_DIGITS
    } else {
        MAX_ZOS_DIGITS
    };
    if binary && picture.digits > MAX_BINARY_DIGITS {
        problems.add(
            messages::cb::binary_too_long(shown, picture.digits),
            item.line,
            item.column,
        );
        item.usage = None;
    } else if picture.digits > most {
        problems.add(
            messages::cb::many_digits(shown, picture.digits, most),
            item.line,
            item.column,
        );
    }
    if picture.category == Category::NumericEdited && picture.text.starts_with('S') {
        problems.add(
            messages::cb::edited_with_s(shown, &picture.text),
            item.line,
            item.column,
        );
    }
    if picture.category == Category::ExternalFloat {
        problems.add(messages::cb::external_float(shown), item.line, item.column);
    }
    if item.sign.is_some_and(SignStyle::is_separate) && matches!(item.usage, Some(Usage::Comp6)) {
        item.sign = None;
    }
}
