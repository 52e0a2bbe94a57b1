//! The table of resource kinds: attributes, where their values lie in the region, what INQUIRE, SET
//! and CEMT know of them, and what they do.
//!
//! What: the files of `formats/kinds`, read at build time. Why: deck checking, the region's
//! records, INQUIRE, CEMT and the reference page are made from the same rows, so they cannot
//! disagree. Reading order: `README.md` of that table, [`kind`](ResourceKind), [`Attribute`],
//! [`View`]. Not here: decks (`transom_csd`), what a region does with a value.
//!
//! Source of the rows: the public CICS TS resource definition reference (attributes, ranges,
//! defaults).

#![forbid(unsafe_code)]

mod answer;
mod attribute;
mod kind;
mod reference;
mod view;

pub use answer::{Answer, Bounds, Constant, Set};
pub use attribute::{Attribute, Effect, Field, FieldValue, Rule};
pub use kind::{Installs, Missing, Record, ResourceKind, State, common_attributes};
pub use reference::reference_page;
pub use view::{Column, ColumnKind, List, Meant, View, none_of, views};
