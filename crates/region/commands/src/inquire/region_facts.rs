//! Questions of INQUIRE and PERFORM about the region itself.
//!
//! Not here: what is asked (`transom_wire::system`).

use crate::command::{Cx, Fail};
use transom_wire::language::whole;
use transom_wire::system::{ClassFacts, Request, UnitFacts};

/// All units of work under way, by number.
pub(crate) fn units(cx: &mut Cx<'_>) -> Result<Vec<UnitFacts>, Fail> {
    let answer = cx.ask(&Request::Units)?;
    let mut units: Vec<UnitFacts> = whole(&answer).unwrap_or_default();
    units.sort_by_key(|unit| unit.number);
    Ok(units)
}

/// All transaction classes.
pub(crate) fn classes(cx: &mut Cx<'_>) -> Result<Vec<ClassFacts>, Fail> {
    let answer = cx.ask(&Request::Classes)?;
    Ok(whole(&answer).unwrap_or_default())
}
