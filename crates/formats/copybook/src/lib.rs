//! COBOL data descriptions: text -> layout -> conversion between bytes and JSON; code pages; names;
//! schemas.
//!
//! Pure: text and bytes in, values out. Message ids TXMCB0001-0499 belong to `parse` and `layout`,
//! 0500-0999 to `convert`.
#![forbid(unsafe_code)]

pub mod codepage;
pub mod convert;
pub mod layout;
pub mod naming;
pub mod parse;
pub mod shape;

pub use codepage::{CodePage, Encoding};
pub use layout::{Field, FieldId, FieldKind, Layout, Occurs, Profile, SignStyle};
pub use naming::NameStyle;
pub use parse::{Copybook, ParseOptions, Picture, SourceFormat, parse};
