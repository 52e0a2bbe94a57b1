//! Single values out of records: response members that become headers, conditions of response
//! mappings.

use super::compare;
use super::compile::{Compiler, Decoder};
use super::error::ConvertError;
use super::json::{Chars, Raw};
use super::plan::{Plan, Setting};
use super::program::{Op as Step, Tape};
use crate::shape::{Op, Properties, RecordFormat, Shape, ShapeError};
use transom_messages::Problem;

/// Reads one elementary member of a record as text.
#[derive(Debug, Clone)]
pub struct Extractor {
    decoder: Decoder,
    number: bool,
}

impl Extractor {
    /// For the member at `path` (see [`crate::shape::find`]), shown in the body or not. Problems:
    /// `TXMCB0901E` no such member, `TXMCB0902E` it is in a table, `TXMCB0903E` it is a group or
    /// table, and those of [`Decoder::compile`].
    pub fn compile(
        shape: &Shape,
        properties: &Properties,
        format: &RecordFormat,
        path: &str,
    ) -> Result<Extractor, Problem> {
        shape.elementary(path)?;
        let node = shape
            .find(path)
            .ok_or_else(|| ShapeError::NoSuchMember(path.to_owned()))?;
        let setting = Setting { properties, format };
        let plan = Plan::of(shape, setting)?;
        let mut compiler = Compiler::new(&plan, setting);
        let mut tape = Tape::default();
        compiler.advance(0, &mut tape);
        let leaf = compiler.leaf(&node.kind, &node.field)?;
        let number = !leaf.is_string();
        let place = compiler.place_at(node.offset, node.kind.leaf_len(), 0, &node.field)?;
        let info = compiler.info(&format!("/{path}"), &node.field);
        tape.op(Step::Leaf { place, leaf, info });
        let ops = tape.finish();
        let pads = properties.data_truncation;
        let decoder = Decoder {
            ops,
            infos: compiler.infos,
            pads,
            max_len: shape.max_len,
        };
        Ok(Extractor { decoder, number })
    }

    /// Appends the value to `value`: characters trimmed as the properties say, numbers as in JSON.
    /// Errors as [`Decoder::decode`].
    pub fn extract(&self, record: &[u8], value: &mut String) -> Result<(), ConvertError> {
        let mut shown = Vec::new();
        self.decoder
            .run(record, &mut shown)
            .map_err(|error| *error)?;
        let raw = Raw {
            bytes: &shown,
            plain: false,
            at: 0,
        };
        for c in Chars::of(&raw).map_err(|error| *error)? {
            value.push(c.map_err(|error| *error)?);
        }
        Ok(())
    }
}

/// `member op constant` of a response mapping.
#[derive(Debug, Clone)]
pub struct Condition {
    extractor: Extractor,
    op: Op,
    constant: String,
}

impl Condition {
    /// Numbers compare by value, texts without blanks at the end.
    pub fn new(extractor: Extractor, op: Op, constant: impl Into<String>) -> Condition {
        Condition {
            extractor,
            op,
            constant: constant.into(),
        }
    }

    /// Whether it holds for a record. Errors as [`Extractor::extract`].
    pub fn holds(&self, record: &[u8]) -> Result<bool, ConvertError> {
        let mut value = String::new();
        self.extractor.extract(record, &mut value)?;
        Ok(compare::holds(
            &value,
            self.extractor.number,
            self.op,
            &self.constant,
        ))
    }
}
