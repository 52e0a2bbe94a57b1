//! Statements as trees: what the parser reads and the rewriter writes.
//!
//! Why trees and not edited text: a type can only be found where operands are known, and what is no
//! part of a tree is refused instead of handed through. Not here: what a run time needs of a
//! statement (`statement`).

pub(crate) mod definition;
pub(crate) mod node;
pub(crate) mod words;

pub use words::Name;
