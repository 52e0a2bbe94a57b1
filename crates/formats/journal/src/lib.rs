//! Records of journals and forward recovery logs.
//!
//! What: a journal is a file of records, only ever added to: length and CRC-32 of the body (4 bytes
//! each, big-endian, the length without these eight), then the body ([`Record`]). In a forward
//! recovery log kind, prefix and data of a record are an [`Entry`]. Why a format of its own: the
//! region writes what utilities apply later. Not here: files, which journal a name means.

#![forbid(unsafe_code)]

mod entry;

pub use entry::{Change, Entry};

/// Bytes in front of a body.
pub const FRAME_BYTES: usize = 8;
/// Bytes of a body without prefix and data.
pub const HEAD_BYTES: usize = 26;

/// The body of a record. All numbers are big-endian.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record<'a> {
    /// Number in the journal, from 1.
    pub number: u32,
    /// Milliseconds since 1970.
    pub unix_ms: u64,
    /// Task that wrote it.
    pub task: u32,
    /// Its transaction.
    pub transid: [u8; 4],
    /// JTYPEID.
    pub kind: [u8; 2],
    /// PREFIX.
    pub prefix: &'a [u8],
    /// FROM.
    pub data: &'a [u8],
}

impl<'a> Record<'a> {
    /// Its body.
    pub fn body(&self) -> Vec<u8> {
        let length = HEAD_BYTES + self.prefix.len() + self.data.len();
        let mut body = Vec::with_capacity(length);
        body.extend_from_slice(&self.number.to_be_bytes());
        body.extend_from_slice(&self.unix_ms.to_be_bytes());
        body.extend_from_slice(&self.task.to_be_bytes());
        body.extend_from_slice(&self.transid);
        body.extend_from_slice(&self.kind);
        // The writer keeps a record below 1 MiB.
        body.extend_from_slice(&(self.prefix.len() as u32).to_be_bytes());
        body.extend_from_slice(self.prefix);
        body.extend_from_slice(self.data);
        body
    }

    /// The record of a body; `None`: it is none.
    pub fn of(body: &'a [u8]) -> Option<Self> {
        let (number, rest) = body.split_first_chunk()?;
        let (unix_ms, rest) = rest.split_first_chunk()?;
        let (task, rest) = rest.split_first_chunk()?;
        let (transid, rest) = rest.split_first_chunk()?;
        let (kind, rest) = rest.split_first_chunk()?;
        let (length, rest) = rest.split_first_chunk()?;
        let (prefix, data) = rest.split_at_checked(u32::from_be_bytes(*length) as usize)?;
        Some(Self {
            number: u32::from_be_bytes(*number),
            unix_ms: u64::from_be_bytes(*unix_ms),
            task: u32::from_be_bytes(*task),
            transid: *transid,
            kind: *kind,
            prefix,
            data,
        })
    }
}

/// What stands in front of a body.
pub fn frame(body: &[u8]) -> [u8; FRAME_BYTES] {
    let mut frame = [0; FRAME_BYTES];
    frame[..4].copy_from_slice(&(body.len() as u32).to_be_bytes());
    frame[4..].copy_from_slice(&crc32fast::hash(body).to_be_bytes());
    frame
}

/// Bytes of the body behind a frame.
pub fn body_bytes(frame: [u8; FRAME_BYTES]) -> usize {
    let [a, b, c, d, ..] = frame;
    u32::from_be_bytes([a, b, c, d]) as usize
}

/// Whether a body is the one its frame was made for.
pub fn is_whole(frame: [u8; FRAME_BYTES], body: &[u8]) -> bool {
    let [.., a, b, c, d] = frame;
    crc32fast::hash(body) == u32::from_be_bytes([a, b, c, d])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_come_back_and_damage_is_seen() {
        let record = Record {
            number: 7,
            unix_ms: 1_795_000_000_000,
            task: 42,
            transid: *b"UPD1",
            kind: *b"FU",
            prefix: b"\0\0\0\0\0\0\0\x09CUST    0001",
            data: b"0001Smith",
        };
        let body = record.body();
        assert_eq!(Record::of(&body), Some(record));
        let frame = frame(&body);
        assert_eq!(body_bytes(frame), body.len());
        assert!(is_whole(frame, &body));
        for at in 0..body.len() {
            let mut damaged = body.clone();
            damaged[at] ^= 1;
            assert!(!is_whole(frame, &damaged), "byte {at}");
        }
        for end in 0..HEAD_BYTES {
            assert_eq!(Record::of(&body[..end]), None);
        }
    }
}
