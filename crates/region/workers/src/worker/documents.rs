//! Documents that a task makes or reads, and items of its programs as steps see them.
//!
//! Not here: the steps (`document_call`, `parse_call`).

use super::call::Bad;
use super::edge::{self, Argument};
use crate::seam::Outcome;
use transom_documents::{Characters, Document, JsonParse, XmlParse};
use transom_types::AbendCode;

/// Documents of a task.
#[derive(Debug, Default)]
pub(super) struct Documents {
    /// What JSON GENERATE or XML GENERATE makes just now.
    pub(super) made: Option<Document>,
    /// What JSON PARSE reads just now.
    pub(super) json: Option<JsonParse>,
    /// What XML PARSE reads, the innermost last.
    pub(super) parses: Vec<Parse>,
    /// Number of the last XML PARSE.
    pub(super) last: i64,
}

/// An XML PARSE under way, by the number its program knows.
#[derive(Debug)]
pub(super) struct Parse {
    pub(super) number: i64,
    pub(super) events: XmlParse,
}

/// The characters a statement says, by the CCSID that the first of these items holds where it says
/// so. One that is not known ends the task: no result may be guessed.
pub(super) fn characters_of(
    said: Characters,
    numbers: &[Argument],
) -> Result<Result<Characters, Outcome>, Bad> {
    if said != Characters::Numbered {
        return Ok(Ok(said));
    }
    let number = numbers.first().and_then(get).ok_or(Bad::Input)?;
    Ok(Characters::of_ccsid(number).ok_or_else(|| {
        let text = format!("ENCODING {number} of a JSON or XML statement is not supported");
        Outcome::Abend(AbendCode::from_field(b"4038"), text)
    }))
}

/// All of an item: a copy, since in storage that programs share another one may store while it is
/// looked at, and text that was found to be UTF-8 must stay so.
pub(super) fn bytes_of(item: &Argument) -> Result<Vec<u8>, Bad> {
    if item.size == 0 {
        return Ok(Vec::new());
    }
    if edge::reach(item.data as usize, item.size, false) < item.size {
        return Err(Bad::Input);
    }
    let mut copy = vec![0; item.size];
    // SAFETY: just touched, and as long as the copy. The program is stopped; what another one
    // stores meanwhile in storage they share is in the copy or not.
    unsafe { std::ptr::copy_nonoverlapping(item.data, copy.as_mut_ptr(), item.size) };
    Ok(copy)
}

/// The number an item holds.
pub(super) fn get(item: &Argument) -> Option<i64> {
    // SAFETY: libcob gave the field in this call.
    unsafe { edge::get_number(item.field) }
}

/// Stores a number as MOVE does.
pub(super) fn set(item: &Argument, value: i64) -> Result<(), Bad> {
    // SAFETY: as in `get`.
    match unsafe { edge::set_number(item.field, value) } {
        true => Ok(()),
        false => Err(Bad::Output),
    }
}

/// These bytes at the beginning of an item, which has room for them.
pub(super) fn put(item: &Argument, bytes: &[u8]) -> Result<(), Bad> {
    let bytes = &bytes[..bytes.len().min(item.size)];
    if edge::reach(item.data as usize, bytes.len(), true) < bytes.len() {
        return Err(Bad::Output);
    }
    // SAFETY: just touched for writing; the program is stopped.
    unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), item.data, bytes.len()) };
    Ok(())
}
