//! What bounds the reading of a copybook.
//!
//! Why: time and space stay in proportion to the text, whatever it says. Not here: limits of
//! PICTURE strings that the language sets (`picture`).

/// Longest copybook read, in bytes; the rest is cut off with TXMCB0001E.
pub const MAX_SOURCE: usize = 8 * 1024 * 1024;
/// Most items of one copybook.
pub const MAX_ITEMS: usize = 65_536;
/// Most problems reported for one copybook.
pub const MAX_PROBLEMS: usize = 200;
/// Longest COBOL word accepted, in bytes (the language allows 30, names before COPY REPLACING may
/// be longer).
pub const MAX_WORD: usize = 128;
/// Longest PICTURE string, in characters (the language allows 50).
pub const MAX_PICTURE: usize = 256;
/// Longest literal kept, in bytes.
pub const MAX_LITERAL: usize = 4096;
/// Largest number of occurrences of one table.
pub const MAX_OCCURS: u32 = 999_999_999;
