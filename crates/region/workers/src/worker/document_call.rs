//! One step of JSON GENERATE, XML GENERATE, JSON PARSE or XML PARSE.
//!
//! Not here: what a document looks like (`transom_documents`), which steps there are for an item
//! (the translator), steps of the last two (`parse_call`).

use super::call::Bad;
use super::documents::{bytes_of, characters_of, put, set};
use super::edge::{self, Argument};
use super::parse_call::Stepped;
use super::state::Worker;
use crate::seam::Outcome;
use std::ffi::c_int;
use transom_documents::{Document, Step, Value, line_of, step_of};
use transom_types::AbendCode;

/// libcob's field types and flags (common.h of GnuCOBOL 3.1).
const TYPE_DISPLAY: i32 = 0x10;
const TYPE_NATIONAL: i32 = 0x40;
const TYPE_FLOAT: i32 = 0x13;
const TYPE_DOUBLE: i32 = 0x14;
const FLAG_JUSTIFIED: u32 = 0x10;

impl Worker {
    /// Takes a step; the last one answers JSON-CODE or XML-CODE.
    pub(super) fn document_step(&mut self, descriptor: &[u8], arguments: &[Argument]) -> c_int {
        let line = line_of(descriptor);
        let stepped = match step_of(descriptor) {
            Some(Step::End) => self.finish_document(arguments).map(|code| Some(Ok(code))),
            Some(
                step @ (Step::Json(_)
                | Step::Xml { .. }
                | Step::Namespace
                | Step::Prefix
                | Step::Open(_)
                | Step::Close
                | Step::Table(_)
                | Step::EndTable
                | Step::Item { .. }
                | Step::Truth { .. }
                | Step::Null(_)
                | Step::Skip),
            ) => self.document_item(&step, arguments),
            Some(step) => self.documents.parse(&step, arguments),
            None => Ok(None),
        };
        let (outcome, bad, answer) = match stepped {
            Ok(Some(Ok(answer))) => (Outcome::Continue, None, answer),
            Ok(Some(Err(outcome))) => (outcome, None, 0),
            Ok(None) => (overwritten(), None, 0),
            Err(bad) => (Outcome::Continue, Some(bad), 0),
        };
        match self.after_command(outcome, bad, line) {
            Outcome::Abend(code, text) => {
                self.documents.made = None;
                self.documents.json = None;
                self.pending = Some(self.abend(code, &text));
                edge::DO_UNWIND
            }
            _ => answer,
        }
    }

    fn document_item(&mut self, step: &Step, arguments: &[Argument]) -> Stepped {
        let step = match (step, arguments) {
            (Step::Json(characters), numbers) => match characters_of(*characters, numbers)? {
                Ok(characters) => &Step::Json(characters),
                Err(outcome) => return Ok(Some(Err(outcome))),
            },
            _ => step,
        };
        if let Some(document) = Document::begin(step) {
            self.documents.made = Some(document);
            return Ok(Some(Ok(0)));
        }
        let bytes = match arguments.first() {
            Some(item) => Some((item, bytes_of(item)?)),
            None => None,
        };
        let value = bytes.as_ref().map(|(item, bytes)| value(item, bytes));
        let document = self.documents.made.as_mut();
        let taken = document.and_then(|document| document.take(step, value));
        Ok(taken.map(|()| Ok(0)))
    }

    /// The receiver takes the document, the second item its length.
    fn finish_document(&mut self, arguments: &[Argument]) -> Result<c_int, Bad> {
        let [receiver, length] = arguments else {
            return Err(Bad::Input);
        };
        let document = self.documents.made.take().ok_or(Bad::Input)?;
        let made = document.finish(receiver.size);
        put(receiver, &made.bytes)?;
        set(length, made.count as i64)?;
        Ok(made.code)
    }
}

fn overwritten() -> Outcome {
    let text = "the descriptor of a JSON or XML statement was overwritten";
    Outcome::Abend(AbendCode::ASRA, text.to_owned())
}

fn value<'a>(item: &Argument, bytes: &'a [u8]) -> Value<'a> {
    match (item.kind, bytes) {
        (TYPE_DISPLAY, _) => Value::Digits {
            bytes,
            scale: usize::try_from(item.scale).unwrap_or(0),
        },
        (TYPE_FLOAT, &[a, b, c, d]) => Value::Short(f32::from_ne_bytes([a, b, c, d])),
        (TYPE_DOUBLE, &[a, b, c, d, e, f, g, h]) => {
            Value::Long(f64::from_ne_bytes([a, b, c, d, e, f, g, h]))
        }
        (TYPE_NATIONAL, _) => Value::National {
            bytes,
            justified: item.flags & FLAG_JUSTIFIED != 0,
        },
        _ => Value::Text {
            bytes,
            justified: item.flags & FLAG_JUSTIFIED != 0,
        },
    }
}
