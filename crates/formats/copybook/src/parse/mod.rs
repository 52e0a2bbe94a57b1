//! Copybook text -> data description entries. Layout (offsets, lengths) is the business of
//! [`crate::layout`].
//!
//! Reads what is found in copybooks: fixed, variable and free format, sequence numbers, comments,
//! continuation, levels 01-49, 66, 77, 88, all clauses of a data description. It does not expand
//! COPY, does not read whole programs, and never fails as a whole: mistakes become [`Problem`]s and
//! the rest is still there.

mod clause;
mod copybook;
mod cursor;
mod entry;
mod lexer;
mod limits;
mod options;
mod picture;
mod problems;
mod source;
mod tree;
mod value;
mod words;

pub use copybook::{Copybook, Item, ItemId, OccursClause, RenamesEntry, Usage};
pub use limits::{
    MAX_ITEMS, MAX_LITERAL, MAX_OCCURS, MAX_PICTURE, MAX_PROBLEMS, MAX_SOURCE, MAX_WORD,
};
pub use options::{ParseOptions, SourceFormat};
pub use picture::{Category, MAX_CHARACTERS, MAX_DIGIT_POSITIONS, MAX_EDITED, Picture};
pub(crate) use problems::Problems;

use transom_messages as messages;
use transom_messages::Problem;

/// Reads a copybook. The value holds every entry that could be understood; it is fit for use if
/// none of the problems [is an error](Problem::is_error). Bounded in time and space by the length
/// of `text`; never panics.
pub fn parse(text: &str, options: &ParseOptions) -> (Copybook, Vec<Problem>) {
    let cut = cut_source(text);
    let formats: &[SourceFormat] = match options.format {
        SourceFormat::Auto => match source::directive(cut) {
            Some(SourceFormat::Free) => &[SourceFormat::Free],
            Some(SourceFormat::Variable) => &[SourceFormat::Variable],
            Some(_) => &[SourceFormat::Fixed],
            None => &[
                SourceFormat::Fixed,
                SourceFormat::Variable,
                SourceFormat::Free,
            ],
        },
        SourceFormat::Fixed => &[SourceFormat::Fixed],
        SourceFormat::Variable => &[SourceFormat::Variable],
        SourceFormat::Free => &[SourceFormat::Free],
    };
    let mut best: Option<(Copybook, Problems)> = None;
    for &format in formats {
        let read = parse_as(cut, format, options);
        let better = best.as_ref().is_none_or(|b| read.1.errors < b.1.errors);
        if better {
            best = Some(read);
        }
        if best.as_ref().is_some_and(|b| b.1.errors == 0) {
            break;
        }
    }
    let (copybook, mut problems) = best.unwrap_or_default();
    if cut.len() < text.len() {
        problems.add(messages::cb::copybook_too_long(MAX_SOURCE), 0, 0);
    }
    (copybook, problems.list)
}

fn cut_source(text: &str) -> &str {
    let mut end = text.len().min(MAX_SOURCE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn parse_as(text: &str, format: SourceFormat, options: &ParseOptions) -> (Copybook, Problems) {
    let mut problems = Problems::default();
    let source = source::read(text, format);
    for &(line, c) in &source.bad_indicators {
        problems.add(
            messages::cb::not_an_indicator(format_args!("{c:?}")),
            line,
            7,
        );
    }
    let tokens = lexer::lex(&source.glyphs, options.decimal_comma, &mut problems);
    let entries = entry::entries(&tokens, options, &mut problems);
    let copybook = tree::assemble(entries, format, &mut problems);
    if copybook.items.is_empty() {
        problems.add(messages::cb::no_entry(), 1, 1);
    }
    (copybook, problems)
}
