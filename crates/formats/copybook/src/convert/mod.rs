//! Conversion between records and JSON by compiled programs.
//!
//! What: [`Decoder`] prints a record as JSON, [`Encoder`] stores a JSON document into a record,
//! [`Extractor`] reads single values and conditions, [`Lossless`] shows whole records so
//! that the same bytes can be made of what it shows. Each is compiled once from a
//! [`Shape`](crate::shape::Shape) with its properties and record format, is immutable and may be
//! used by any number of threads. Why compiled: member names and punctuation are joined beforehand,
//! tables run in fused loops, no document tree is built and, once the caller's buffers have grown,
//! nothing is allocated. Not here: HTTP, mapping syntax, schemas.
//!
//! ```
//! use transom_copybook::convert::{Decoder, Encoder};
//! use transom_copybook::shape::{
//!     Kind, Node, OverrideId, Properties, RecordFormat, Shape, Sign, Text, Zoned,
//! };
//!
//! let account = Kind::Zoned(Zoned { digits: 8, scale: 0, sign: Sign::None });
//! let mut shape = Shape::new(vec![
//!     Node::new("accno", 0, account),
//!     Node::new("name", 8, Kind::Text(Text::new(10))),
//! ]);
//! let (properties, format) = (Properties::default(), RecordFormat::region());
//! let decoder = Decoder::compile(&shape, &properties, &format).map_err(|p| p.message)?;
//! let mut json = Vec::new();
//! decoder.decode(b"00000042Smith     ", &mut json)?;
//! assert_eq!(json, br#"{"accno":42,"name":"Smith"}"#);
//!
//! // The API takes the account number from the path.
//! shape.move_outside("accno", OverrideId(0))?;
//! let encoder = Encoder::compile(&shape, &properties, &format).map_err(|p| p.message)?;
//! let mut record = Vec::new();
//! encoder.encode(br#"{"name":"Smith"}"#, &[(OverrideId(0), "42")], &mut record)?;
//! assert_eq!(record, b"00000042Smith     ");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

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
mod given;
mod hexfloat;
mod items;
mod json;
mod leaf;
mod lossless;
mod number;
mod page;
mod plan;
mod program;
mod single;
mod slide;
mod store;
mod text;
mod zoned;

pub use compile::Decoder;
pub use encode::Encoder;
pub use error::{ConvertError, ErrorKind};
pub use extract::{Condition, Extractor};
pub use float::turn as turn_float;
pub use given::Given;
pub use lossless::{BYTES, Lossless, Shown};
pub use single::number_in;

/// Largest JSON document the encoder reads, in bytes.
pub const MAX_DOCUMENT: usize = 64 * 1024 * 1024;
/// Deepest nesting of objects and arrays in parts of a document the encoder skips.
pub const MAX_SKIP_DEPTH: usize = 128;
/// Most members of one object of a shape.
pub const MAX_MEMBERS: usize = 1024;
/// Most places from which fields are reckoned: one per element kind and one per table of variable
/// length.
pub const MAX_BASES: usize = 64;
/// Most objects of OCCURS DEPENDING ON in one shape.
pub const MAX_COUNTERS: usize = 32;
/// Most digits of a number, beyond COBOL's 31 for data of other systems.
pub const MAX_NUMBER_DIGITS: u8 = 38;
/// Farthest place of the decimal point from the digits of a number (PICTURE P).
pub const MAX_SCALE: u16 = 64;
