//! Questions of INQUIRE and PERFORM about the region itself.
//!
//! Not here: their bytes (`transom_wire::system`).

use crate::command::{Cx, Fail};
use transom_wire::codec::Reader;
use transom_wire::requests::Domain;
use transom_wire::system::{ClassFacts, Question, UnitFacts};

/// Asks; `more` is what the question needs besides.
pub(crate) fn ask(cx: &mut Cx<'_>, question: Question, more: &[u8]) -> Result<Vec<u8>, Fail> {
    let mut bytes = vec![question as u8];
    bytes.extend_from_slice(more);
    cx.ask(Domain::System, &bytes)
}

/// All units of work under way, by number.
pub(crate) fn units(cx: &mut Cx<'_>) -> Result<Vec<UnitFacts>, Fail> {
    let bytes = ask(cx, Question::Units, &[])?;
    let mut from = Reader(&bytes);
    let mut units: Vec<UnitFacts> = std::iter::from_fn(|| UnitFacts::get(&mut from)).collect();
    units.sort_by_key(|unit| unit.number);
    Ok(units)
}

/// All transaction classes.
pub(crate) fn classes(cx: &mut Cx<'_>) -> Result<Vec<ClassFacts>, Fail> {
    let bytes = ask(cx, Question::Classes, &[])?;
    let mut from = Reader(&bytes);
    Ok(std::iter::from_fn(|| ClassFacts::get(&mut from)).collect())
}
