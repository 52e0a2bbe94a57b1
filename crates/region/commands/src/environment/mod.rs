//! Environment services: what a program may ask about itself, its task and the region.

pub(crate) mod address;
pub(crate) mod assign;
pub(crate) mod language;
