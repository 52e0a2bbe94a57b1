//! The command table as its users see it.

mod lookup;
mod table;
