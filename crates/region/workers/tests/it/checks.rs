//! Placeholder.
pub(crate) const TESTS: &[(&str, fn())] = &[];
