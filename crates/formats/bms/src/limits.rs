//! What a mapset may have at most.

/// Largest source that is read, in bytes.
pub const MAX_SOURCE_BYTES: usize = 4 << 20;
/// Problems reported for one source; the rest is only counted.
pub const MAX_PROBLEMS: usize = 500;
/// Most maps in a mapset.
pub const MAX_MAPS: usize = 256;
/// Most fields in a map.
pub const MAX_FIELDS: usize = 4096;
/// Most lines of a map.
pub const MAX_ROWS: u16 = 240;
/// Most columns of a map.
pub const MAX_COLUMNS: u16 = 240;
/// Most positions of a map: what 14-bit buffer addresses reach.
pub const MAX_CELLS: u16 = 16383;
/// Longest field, in characters.
pub const MAX_FIELD_LENGTH: u16 = 256;
