//! Listeners and key stores from outside.

mod keys;
mod listener;
