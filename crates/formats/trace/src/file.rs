//! An auxiliary trace data set: a head, then frames of entries.
//!
//! All numbers are big-endian. The head is [`HEAD_BYTES`] long: `TXMTRACE`, the version in four
//! bytes, applid and sysid (8 and 4 bytes), when the region started (eight bytes, nanoseconds since
//! 1970 UTC), seconds that its local time is east of UTC (four bytes), zeros, and a CRC-32 of what
//! is before it. A frame is `TXTF`, its kind (1 entries, 2 lost), the ring (both two bytes), the
//! length of its body (four bytes) and a CRC-32 of kind, ring, length and body; then the body:
//! entries of eight words each, or one word, how many entries were lost. Why frames: what a process
//! wrote last before it was killed may be cut, and a reader goes on at the next mark.

use crate::entry::{ENTRY_WORDS, Entry};
use transom_types::{Applid, SysId};

/// Begins a data set.
pub const MAGIC: &[u8; 8] = b"TXMTRACE";
/// Layout of it.
pub const VERSION: u32 = 1;
/// Bytes of its head.
pub const HEAD_BYTES: usize = 64;
/// Bytes of an entry.
pub const ENTRY_BYTES: usize = ENTRY_WORDS * 8;
/// Most entries of a frame.
pub const FRAME_ENTRIES_MAX: usize = 1_024;

const MARK: &[u8; 4] = b"TXTF";
const FRAME_HEAD_BYTES: usize = 16;
const ENTRIES: u16 = 1;
const LOST: u16 = 2;

/// Whose trace it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head {
    pub applid: Applid,
    pub sysid: SysId,
    pub started_ns: u64,
    pub utc_offset_s: i32,
}

impl Head {
    /// Its bytes.
    pub fn encode(&self) -> Vec<u8> {
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&VERSION.to_be_bytes());
        out.extend_from_slice(self.applid.as_bytes());
        out.extend_from_slice(self.sysid.as_bytes());
        out.extend_from_slice(&self.started_ns.to_be_bytes());
        out.extend_from_slice(&self.utc_offset_s.to_be_bytes());
        out.resize(HEAD_BYTES - 4, 0);
        let check = crc32fast::hash(&out);
        out.extend_from_slice(&check.to_be_bytes());
        out
    }

    /// Back from them; `None`: this is no head of this version.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (bytes, check) = bytes.get(..HEAD_BYTES)?.split_last_chunk::<4>()?;
        let good = crc32fast::hash(bytes) == u32::from_be_bytes(*check)
            && bytes.starts_with(MAGIC)
            && number::<4>(bytes, 8)? == u64::from(VERSION);
        good.then_some(())?;
        Some(Self {
            applid: Applid::from_field(bytes.get(12..20)?),
            sysid: SysId::from_field(bytes.get(20..24)?),
            started_ns: number::<8>(bytes, 24)?,
            utc_offset_s: number::<4>(bytes, 32)? as u32 as i32,
        })
    }
}

/// A big-endian number of `N` bytes.
fn number<const N: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at..at + N)?;
    Some(
        bytes
            .iter()
            .fold(0, |value, byte| value << 8 | u64::from(*byte)),
    )
}

/// Appends a frame of entries of a ring.
pub fn put_entries(out: &mut Vec<u8>, ring: u16, entries: &[Entry]) {
    for part in entries.chunks(FRAME_ENTRIES_MAX) {
        frame(out, ENTRIES, ring, part.len() * ENTRY_BYTES, |out| {
            for word in part.iter().flat_map(Entry::words) {
                out.extend_from_slice(&word.to_be_bytes());
            }
        });
    }
}

/// Appends that entries of a ring were overwritten before they could be taken.
pub fn put_lost(out: &mut Vec<u8>, ring: u16, entries: u64) {
    frame(out, LOST, ring, 8, |out| {
        out.extend_from_slice(&entries.to_be_bytes());
    });
}

fn frame(out: &mut Vec<u8>, kind: u16, ring: u16, length: usize, body: impl FnOnce(&mut Vec<u8>)) {
    out.extend_from_slice(MARK);
    let at = out.len();
    out.extend_from_slice(&kind.to_be_bytes());
    out.extend_from_slice(&ring.to_be_bytes());
    out.extend_from_slice(&u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
    out.extend_from_slice(&[0; 4]);
    body(out);
    let check = checksum(&out[at..at + 8], &out[at + 12..]);
    out[at + 8..at + 12].copy_from_slice(&check.to_be_bytes());
}

fn checksum(head: &[u8], body: &[u8]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(head);
    hasher.update(body);
    hasher.finalize()
}

/// What a data set has behind its head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Item {
    /// An entry, and the worker whose ring it was in.
    Entry(u16, Entry),
    /// So many entries of a worker were lost here.
    Lost(u16, u64),
    /// So many bytes are no frame.
    Damaged(usize),
}

/// Reads the frames of a data set.
pub fn items(bytes: &[u8]) -> Vec<Item> {
    let mut items = Vec::new();
    let (mut at, mut damaged) = (0, 0);
    while at < bytes.len() {
        match whole_frame(&bytes[at..]) {
            Some((kind, ring, body)) => {
                if damaged > 0 {
                    items.push(Item::Damaged(damaged));
                    damaged = 0;
                }
                take(&mut items, kind, ring, body);
                at += FRAME_HEAD_BYTES + body.len();
            }
            None => {
                damaged += 1;
                at += 1;
            }
        }
    }
    if damaged > 0 {
        items.push(Item::Damaged(damaged));
    }
    items
}

fn take(items: &mut Vec<Item>, kind: u16, ring: u16, body: &[u8]) {
    let (words, _) = body.as_chunks::<8>();
    match kind {
        ENTRIES => {
            let (entries, _) = words.as_chunks::<ENTRY_WORDS>();
            let entries = entries.iter().filter_map(|words| {
                let entry = Entry::of(words.map(u64::from_be_bytes))?;
                Some(Item::Entry(ring, entry))
            });
            items.extend(entries);
        }
        LOST => items.extend(
            words
                .iter()
                .map(|n| Item::Lost(ring, u64::from_be_bytes(*n))),
        ),
        // Of a later release.
        _ => {}
    }
}

fn whole_frame(bytes: &[u8]) -> Option<(u16, u16, &[u8])> {
    let head = bytes.strip_prefix(MARK)?;
    let length = number::<4>(head, 4)? as usize;
    (length <= FRAME_ENTRIES_MAX * ENTRY_BYTES).then_some(())?;
    let body = head.get(12..12 + length)?;
    let check = number::<4>(head, 8)?;
    (u64::from(checksum(&head[..8], body)) == check).then_some(())?;
    Some((
        number::<2>(head, 0)? as u16,
        number::<2>(head, 2)? as u16,
        body,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Component, Point};

    fn entry(number: u64) -> Entry {
        Entry {
            number,
            ..Entry::new(Component::EI, Point::CommandEntry)
        }
    }

    #[test]
    fn a_head_comes_back_and_damage_is_seen() {
        let head = Head {
            applid: Applid::from_field(b"CICSA   "),
            sysid: SysId::from_field(b"SYSA"),
            started_ns: 1_700_000_000_000_000_000,
            utc_offset_s: -18_000,
        };
        let mut bytes = head.encode();
        assert_eq!(bytes.len(), HEAD_BYTES);
        assert_eq!(Head::decode(&bytes), Some(head));
        assert_eq!(Head::decode(&bytes[..HEAD_BYTES - 1]), None);
        bytes[20] ^= 1;
        assert_eq!(Head::decode(&bytes), None);
    }

    #[test]
    fn a_reader_goes_on_behind_damage_and_says_what_is_cut() {
        let mut bytes = Vec::new();
        put_entries(&mut bytes, 3, &[entry(1), entry(2)]);
        let damaged_at = bytes.len();
        put_entries(&mut bytes, 3, &[entry(3)]);
        let behind = bytes.len();
        put_lost(&mut bytes, 4, 99);
        put_entries(&mut bytes, 5, &[entry(4)]);
        bytes[damaged_at + 30] ^= 1;
        let cut = bytes.len() - 5;
        let items = items(&bytes[..cut]);
        assert_eq!(
            items,
            [
                Item::Entry(3, entry(1)),
                Item::Entry(3, entry(2)),
                Item::Damaged(behind - damaged_at),
                Item::Lost(4, 99),
                Item::Damaged(FRAME_HEAD_BYTES + ENTRY_BYTES - 5),
            ]
        );
    }

    #[test]
    fn many_entries_take_several_frames() {
        let entries: Vec<Entry> = (1..=3_000).map(entry).collect();
        let mut bytes = Vec::new();
        put_entries(&mut bytes, 1, &entries);
        let back = items(&bytes);
        assert_eq!(back.len(), 3_000);
        assert_eq!(back[2_999], Item::Entry(1, entry(3_000)));
    }
}
