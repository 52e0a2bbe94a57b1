//! Tests of the copybook crate as its users see it.

mod fuzz_parse;
mod layout;
mod layout_fixtures;
mod parse;
