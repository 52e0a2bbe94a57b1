//! Values of JSON-CODE and JSON-STATUS, and the character for what the region has not got.
//!
//! Not here: when they are set (`walk`, `value`).

/// JSON-CODE.
pub(super) const INVALID: i32 = 100;
pub(super) const EMPTY: i32 = 101;
pub(super) const SUPERFLUOUS: i32 = 102;
pub(super) const CONTRADICTORY: i32 = 103;
pub(super) const INCOMPATIBLE: i32 = 104;
pub(super) const UNMATCHED: i32 = 106;
pub(super) const TRUTH: i32 = 107;
pub(super) const ANONYMOUS: i32 = 108;
pub(super) const ENCODING: i32 = 109;

/// JSON-STATUS.
pub(super) const ITEM_WITHOUT_PAIR: i32 = 1;
pub(super) const PAIR_WITHOUT_ITEM: i32 = 2;
pub(super) const REPEATED: i32 = 4;
pub(super) const FEW_ELEMENTS: i32 = 8;
pub(super) const MANY_ELEMENTS: i32 = 16;
pub(super) const NULL: i32 = 32;
pub(super) const NULL_ELEMENT: i32 = 64;
pub(super) const SIZE_ERROR: i32 = 128;
pub(super) const TRUNCATED: i32 = 256;
pub(super) const SUBSTITUTED: i32 = 512;

/// SUB, for characters that the region has not got.
pub(super) const SUBSTITUTE: u8 = 0x1A;
