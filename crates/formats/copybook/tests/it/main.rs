//! Tests of the copybook crate as its users see it.

mod compiler_oracle;
mod convert;
mod fuzz_parse;
mod layout;
mod layout_fixtures;
mod parse;
mod random;
