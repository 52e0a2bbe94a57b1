//! The transaction dump table: what becomes of dumps of a code.
//!
//! What: an entry for each dump code that was asked for or added, in shared memory: dumps asked
//! for, the most that are taken, and whether any is. A code without an entry gets one with its
//! first dump. Not here: dumps (`dump`), the commands about the table (`inquire::dump_code`).

use transom_wire::{Group, Space};
use transom_workers::seam::Host;

/// Dumps of one dump code a region takes where SET TRANDUMPCODE says nothing else, and the most it
/// can say; further ones are suppressed.
pub const DUMPS_MAX: u32 = 999;
/// Groups of the table, among what belongs to the system.
const PREFIX: &[u8] = b"DUMPCODE";
const ITEM: u32 = 0;
/// Characters of a code.
pub const CODE_BYTES: usize = 4;

/// What the table says of a code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Code {
    /// Dumps asked for.
    pub current: u32,
    pub maximum: u32,
    /// TRANDUMP.
    pub taken: bool,
}

impl Default for Code {
    fn default() -> Self {
        Self {
            current: 0,
            maximum: DUMPS_MAX,
            taken: true,
        }
    }
}

/// Counts a dump of this code; an error is RESP2 of SUPPRESSED: 1 (enough were taken), 2 (none is
/// to be taken). The first that is too many is told by `told`.
pub fn count(host: &dyn Host, code: &str, told: impl FnOnce(u32)) -> Result<(), u32> {
    let mut entry = Code::default();
    with(host, &padded(code.as_bytes()), |group| {
        entry = read(group).unwrap_or_default();
        entry.current = entry.current.saturating_add(1);
        write(group, entry)
    });
    if !entry.taken {
        return Err(2);
    }
    if entry.current == entry.maximum.saturating_add(1) {
        told(entry.maximum);
    }
    match entry.current > entry.maximum {
        true => Err(1),
        false => Ok(()),
    }
}

/// Codes that have an entry.
pub fn codes(host: &dyn Host) -> Vec<Vec<u8>> {
    let groups = host.shared().group_names(Space::System).into_iter();
    let codes = groups.filter_map(|group| group.strip_prefix(PREFIX).map(<[u8]>::to_vec));
    codes.collect()
}

/// The entry of a code, locked.
pub fn with(host: &dyn Host, code: &[u8; CODE_BYTES], mut does: impl FnMut(&mut dyn Group)) {
    let name = [PREFIX, code].concat();
    host.shared()
        .with_group(Space::System, &name, &mut |group| does(group));
}

/// A code as the table has it.
pub fn padded(code: &[u8]) -> [u8; CODE_BYTES] {
    let mut name = [b' '; CODE_BYTES];
    for (to, byte) in name.iter_mut().zip(code) {
        *to = byte.to_ascii_uppercase();
    }
    name
}

/// What an entry says; `None`: there is none.
pub fn read(group: &dyn Group) -> Option<Code> {
    let bytes: &[u8; 9] = group.get(ITEM)?.try_into().ok()?;
    let word =
        |at: usize| u32::from_be_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    Some(Code {
        current: word(0),
        maximum: word(4),
        taken: bytes[8] != 0,
    })
}

/// Stores an entry.
pub fn write(group: &mut dyn Group, entry: Code) {
    let (current, maximum) = (entry.current.to_be_bytes(), entry.maximum.to_be_bytes());
    // Full shared memory loses a count and nothing else.
    let _counted = group.put(
        ITEM,
        &[&current[..], &maximum, &[u8::from(entry.taken)]].concat(),
    );
}
