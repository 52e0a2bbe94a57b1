//! The DFHCOMMAREA that a program describes, laid out.
//!
//! Why: what calls the program has a description of its own, and the two can be compared. Not here:
//! comparing, the COMMAREA of programs that describe none.

use crate::slack;
use crate::token::{Kind, Token};
use transom_copybook::Layout;

/// The record DFHCOMMAREA of the first program; `None` where there is none that can be laid out.
pub(crate) fn described(tokens: &[Token]) -> Option<Layout> {
    let linkage = tokens
        .windows(2)
        .position(|w| w[0].is("LINKAGE") && w[1].is("SECTION"))?;
    let record = tokens[linkage..].windows(3).position(|w| {
        w[0].kind == Kind::Period && w[1].is_any(&["01", "1"]) && w[2].is("DFHCOMMAREA")
    })?;
    let procedure = tokens
        .windows(2)
        .position(|w| w[0].is("PROCEDURE") && w[1].is("DIVISION"))?;
    let start = linkage + record + 1;
    if start > procedure {
        return None;
    }
    let entries = slack::entries(&tokens[..procedure], start);
    slack::layout(tokens, &entries, &slack::options(tokens)).ok()
}
