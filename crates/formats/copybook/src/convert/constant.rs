//! Constants of definitions and mappings as JSON.

use super::accept;
use super::leaf::Leaf;
use super::text;
use crate::shape::{Literal, Node};
use transom_messages as messages;
use transom_messages::Problem;

/// The JSON value of a member that always has this constant.
pub(super) fn json(node: &Node, leaf: &Leaf, constant: &Literal) -> Result<Vec<u8>, Problem> {
    let mut out = Vec::new();
    match constant {
        Literal::Bytes(bytes) => {
            let quote: &[u8] = if leaf.is_string() { b"\"" } else { b"" };
            out.extend_from_slice(quote);
            let put = leaf.put(&mut out, bytes, 0);
            out.extend_from_slice(quote);
            put.map_err(|error| bad_constant(node, &error.reason))?;
        }
        Literal::Text(text) if leaf.is_string() => put_quoted(&mut out, text),
        Literal::Text(text) => {
            let mut bytes = vec![0; node.kind.leaf_len()];
            accept::text(leaf, text, &mut bytes)
                .map_err(|error| bad_constant(node, &error.reason))?;
            leaf.put(&mut out, &bytes, 0)
                .map_err(|error| bad_constant(node, &error.reason))?;
        }
    }
    Ok(out)
}

/// Appends a JSON string.
pub(super) fn put_quoted(out: &mut Vec<u8>, text: &str) {
    out.push(b'"');
    for c in text.chars() {
        text::put_char(out, c, true);
    }
    out.push(b'"');
}

/// The problem of a constant that does not fit its field.
pub(super) fn bad_constant(node: &Node, why: &str) -> Problem {
    Problem::from(messages::cb::constant_not_storable(&node.field, why))
}
