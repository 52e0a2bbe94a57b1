//! One step of JSON GENERATE or XML GENERATE.
//!
//! Not here: what a document looks like (`transom_documents`), which steps there are for an item
//! (the translator).

use super::call::Bad;
use super::edge::{self, Argument};
use super::state::Worker;
use crate::seam::Outcome;
use std::ffi::c_int;
use transom_documents::{Document, Step, Value, line_of, step_of};
use transom_types::AbendCode;

/// libcob's field types and flags (common.h of GnuCOBOL 3.1).
const TYPE_DISPLAY: i32 = 0x10;
const TYPE_FLOAT: i32 = 0x13;
const TYPE_DOUBLE: i32 = 0x14;
const FLAG_JUSTIFIED: u32 = 0x10;

impl Worker {
    /// Takes a step; the last one answers JSON-CODE or XML-CODE.
    pub(super) fn document_step(&mut self, descriptor: &[u8], arguments: &[Argument]) -> c_int {
        let line = line_of(descriptor);
        let (outcome, bad, code) = match step_of(descriptor) {
            Some(Step::End) => match self.finish_document(arguments) {
                Ok(code) => (Outcome::Continue, None, code),
                Err(bad) => (Outcome::Continue, Some(bad), 0),
            },
            Some(step) => match self.document_item(&step, arguments) {
                Ok(Some(())) => (Outcome::Continue, None, 0),
                Ok(None) => (overwritten(), None, 0),
                Err(bad) => (Outcome::Continue, Some(bad), 0),
            },
            None => (overwritten(), None, 0),
        };
        match self.after_command(outcome, bad, line) {
            Outcome::Abend(code, text) => {
                self.document = None;
                self.pending = Some(self.abend(code, &text));
                edge::DO_UNWIND
            }
            _ => code,
        }
    }

    fn document_item(&mut self, step: &Step, arguments: &[Argument]) -> Result<Option<()>, Bad> {
        if let Some(document) = Document::begin(step) {
            self.document = Some(document);
            return Ok(Some(()));
        }
        let value = match arguments.first() {
            Some(item) => Some(value(item)?),
            None => None,
        };
        let document = self.document.as_mut();
        Ok(document.and_then(|document| document.take(step, value)))
    }

    /// The receiver takes the document, the second item its length.
    fn finish_document(&mut self, arguments: &[Argument]) -> Result<c_int, Bad> {
        let [receiver, length] = arguments else {
            return Err(Bad::Input);
        };
        let document = self.document.take().ok_or(Bad::Input)?;
        let made = document.finish(receiver.size);
        let bytes = made.bytes;
        if edge::reach(receiver.data as usize, bytes.len(), true) < bytes.len() {
            return Err(Bad::Output);
        }
        // SAFETY: just touched for writing; the program is stopped.
        unsafe { std::ptr::copy_nonoverlapping(bytes.as_ptr(), receiver.data, bytes.len()) };
        // SAFETY: libcob gave the field in this call.
        match unsafe { edge::set_number(length.field, bytes.len() as i64) } {
            true => Ok(made.code),
            false => Err(Bad::Output),
        }
    }
}

fn overwritten() -> Outcome {
    let text = "the descriptor of a JSON or XML statement was overwritten";
    Outcome::Abend(AbendCode::ASRA, text.to_owned())
}

fn value(item: &Argument) -> Result<Value<'_>, Bad> {
    if item.size > 0 && edge::reach(item.data as usize, item.size, false) < item.size {
        return Err(Bad::Input);
    }
    let bytes: &[u8] = match item.size {
        0 => &[],
        // SAFETY: just touched; the program is stopped, so nobody writes to it meanwhile.
        size => unsafe { std::slice::from_raw_parts(item.data, size) },
    };
    Ok(match (item.kind, bytes) {
        (TYPE_DISPLAY, _) => Value::Digits {
            bytes,
            scale: usize::try_from(item.scale).unwrap_or(0),
        },
        (TYPE_FLOAT, &[a, b, c, d]) => Value::Short(f32::from_ne_bytes([a, b, c, d])),
        (TYPE_DOUBLE, &[a, b, c, d, e, f, g, h]) => {
            Value::Long(f64::from_ne_bytes([a, b, c, d, e, f, g, h]))
        }
        _ => Value::Text {
            bytes,
            justified: item.flags & FLAG_JUSTIFIED != 0,
        },
    })
}
