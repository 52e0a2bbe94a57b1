//! Built-in functions.

pub(crate) mod deedit;
pub(crate) mod digest;
