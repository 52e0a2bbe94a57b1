//! Checkouts as they are and as they should not be.

mod bad;
mod harness;
mod shop;
