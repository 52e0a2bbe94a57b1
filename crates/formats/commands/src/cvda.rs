//! CICS value data areas: the names DFHVALUE takes and their numbers.
//!
//! Source: the public lists "CVDAs and numeric values" of the CICS TS documentation, as far as they
//! could be read (`docs/provenance.md`); a name whose number could not be confirmed is left out.

include!(concat!(env!("OUT_DIR"), "/cvda.rs"));

/// The number of a CVDA name (upper case), as `DFHVALUE(name)` gives it.
pub fn dfhvalue(name: &str) -> Option<i32> {
    let at = CVDAS.binary_search_by_key(&name, |row| row.0).ok()?;
    Some(CVDAS[at].1)
}

/// A name of this CVDA number: the alphabetically first where several names share it.
pub fn cvda_name(value: i32) -> Option<&'static str> {
    CVDAS.iter().find(|row| row.1 == value).map(|row| row.0)
}
