//! Listeners and key stores from outside.

mod descriptors;
mod keys;
mod listener;
mod trust;
