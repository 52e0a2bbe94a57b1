//! Conversion between records and JSON by compiled programs.
//!
//! What: [`Decoder`] prints a record as JSON, [`Encoder`] stores a JSON document into a record, [`Extractor`]
//! reads single values and conditions. Each is compiled once from a [`Shape`](crate::shape::Shape) with its
//! properties and record format, is immutable and may be used by any number of threads. Why compiled: member
//! names and punctuation are joined beforehand, tables run in fused loops, no document tree is built and, once
//! the caller's buffers have grown, nothing is allocated. Not here: HTTP, mapping syntax, schemas.

mod accept;
mod build;
mod compare;
mod compile;
mod constant;
mod decode;
mod encode;
mod error;
mod extract;
mod float;
mod fused;
mod items;
mod json;
mod leaf;
mod number;
mod page;
mod plan;
mod program;
mod slide;
mod store;
mod text;

pub use compile::Decoder;
pub use encode::Encoder;
pub use error::ConvertError;
pub use extract::{Condition, Extractor};

/// Largest JSON document the encoder reads, in bytes.
pub const MAX_DOCUMENT: usize = 64 * 1024 * 1024;
/// Deepest nesting of objects and arrays in parts of a document the encoder skips.
pub const MAX_SKIP_DEPTH: usize = 128;
/// Most members of one object of a shape.
pub const MAX_MEMBERS: usize = 1024;
/// Most places from which fields are reckoned: one per element kind and one per table of variable length.
pub const MAX_BASES: usize = 64;
/// Most objects of OCCURS DEPENDING ON in one shape.
pub const MAX_COUNTERS: usize = 32;
/// Most digits of a number, beyond COBOL's 31 for data of other systems.
pub const MAX_NUMBER_DIGITS: u8 = 38;
/// Farthest place of the decimal point from the digits of a number (PICTURE P).
pub const MAX_SCALE: u16 = 64;
