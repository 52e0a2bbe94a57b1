//! JSON values of single items, both ways.

use super::super::error::ConvertError;
use super::super::json::Raw;
use super::super::leaf::Leaf;
use super::super::{accept, compare};
use super::marks;
use crate::shape::Op;
use transom_messages as messages;

/// Appends the JSON value of an item, in quotes where it is a string.
pub(super) fn put(
    leaf: &Leaf,
    bytes: &[u8],
    at: usize,
    out: &mut Vec<u8>,
) -> Result<(), Box<ConvertError>> {
    let quote: &[u8] = if leaf.is_string() { b"\"" } else { b"" };
    out.extend_from_slice(quote);
    leaf.put(out, bytes, at)?;
    out.extend_from_slice(quote);
    Ok(())
}

/// Whether noted bytes say what the document says: the value has not been changed.
pub(super) fn stands_for(leaf: &Leaf, bytes: &[u8], len: usize, value: &[u8]) -> bool {
    let mut shown = Vec::new();
    let readable = bytes.len() == len && put(leaf, bytes, 0, &mut shown).is_ok();
    match (readable, value.first()) {
        (false, _) => value == b"null",
        (true, Some(b'"')) => {
            matches!((string(&shown), string(value)), (Some(a), Some(b)) if a == b)
        }
        (true, _) => match (std::str::from_utf8(&shown), std::str::from_utf8(value)) {
            (Ok(shown), Ok(value)) => compare::holds(shown, true, Op::Eq, value),
            _ => false,
        },
    }
}

fn string(token: &[u8]) -> Option<String> {
    marks::text(&raw(token)?).ok()
}

fn raw(token: &[u8]) -> Option<Raw<'_>> {
    let bytes = token.strip_prefix(b"\"")?.strip_suffix(b"\"")?;
    Some(Raw {
        bytes,
        plain: false,
        at: 0,
    })
}

/// Stores a JSON value.
pub(super) fn convert(leaf: &Leaf, token: &[u8], item: &mut [u8]) -> Result<(), Box<ConvertError>> {
    match raw(token) {
        Some(raw) => accept::string(leaf, raw, item, true),
        None if token
            .first()
            .is_some_and(|b| *b == b'-' || b.is_ascii_digit()) =>
        {
            accept::number(leaf, token, 0, item, true)
        }
        None => {
            let expected = if leaf.is_string() {
                "a string"
            } else {
                "a number"
            };
            let message = messages::cb::other_type("another value", expected);
            Err(ConvertError::new(message, 0))
        }
    }
}

/// The bytes that a shown value alone gives.
pub(super) fn canonical(leaf: &Leaf, shown: &[u8], len: usize) -> Option<Vec<u8>> {
    let mut item = vec![0; len];
    convert(leaf, shown, &mut item).ok().map(|()| item)
}
