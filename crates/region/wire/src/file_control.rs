//! What file control of a worker asks of the region, and the bytes of questions and answers.
//!
//! Not here: doing it (`region/server/file_control`), conditions of commands.

use crate::codec::{Reader, Writer};
use transom_types::{Batch, Direction, Find, Found, Position, ProgramName, Seen, Start};

/// How long a request waits for a record lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// NOSUSPEND: not at all.
    pub no_suspend: bool,
    /// DTIMOUT in milliseconds; 0: no limit.
    pub dtimout_ms: u64,
}

/// What happens to the tasks that use a file when it is closed or disabled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Busy {
    /// The command waits for them.
    Wait,
    /// The command does not wait; the file is closed when they have ended.
    NoWait,
    /// They are purged.
    Force,
}

/// Where a batch of a browse begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum From {
    /// First record, or last one backward.
    End,
    /// This key or the next one.
    At(Vec<u8>),
    /// Behind this record.
    After(Position),
}

impl std::convert::From<Start<'_>> for From {
    fn from(start: Start<'_>) -> Self {
        match start {
            Start::End => Self::End,
            Start::At(key) => Self::At(key.to_vec()),
            Start::After(position) => Self::After(position.clone()),
        }
    }
}

/// One question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Open the file.
    Open,
    /// One record; for update when there is a patience. Answer: a record.
    Read(Vec<u8>, Find, Option<Patience>),
    /// Add a record, with the slot number of an RRDS. Answer: its position.
    Insert(Option<u32>, Vec<u8>, Patience),
    /// Replace the record at a position.
    Rewrite(Position, Vec<u8>, Patience),
    /// Delete the record at a position.
    Delete(Position, Patience),
    /// Delete the record with a key. Answer: one byte, 1 when more have the same alternate key.
    DeleteKey(Vec<u8>, Patience),
    /// Delete all records whose key begins so. Answer: their number.
    DeleteGeneric(Vec<u8>, Patience),
    /// Give back the lock of a record.
    Unlock(Position),
    /// Up to so many records. Answer: records.
    Scan(From, Direction, u32),
    /// The record at a position, locked. Answer: a record, or none when it has gone.
    ReadAt(Position, Patience),
    /// Close the file.
    Close(Busy),
    /// Disable the file.
    Disable(Busy),
    /// A task ended its use of a file that shall be closed or disabled.
    Left,
    /// Delete all records of the file at its next opening, or at once when it is open.
    Empty,
}

/// A question about a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRequest {
    pub file: ProgramName,
    pub action: Action,
}

impl FileRequest {
    pub fn encode(&self) -> Vec<u8> {
        let mut out = Writer::with_capacity(64);
        out.raw(self.file.as_bytes());
        match &self.action {
            Action::Open => out.u8(1),
            Action::Read(key, find, patience) => {
                out.u8(2)
                    .u8(find_number(*find))
                    .bytes(key)
                    .flag(patience.is_some());
                patience.iter().for_each(|p| put_patience(&mut out, *p));
                &mut out
            }
            Action::Insert(slot, record, patience) => {
                out.u8(3).u32(slot.unwrap_or(0));
                put_patience(&mut out, *patience);
                out.raw(record)
            }
            Action::Rewrite(position, record, patience) => {
                put_position(out.u8(4), position);
                put_patience(&mut out, *patience);
                out.raw(record)
            }
            Action::Delete(position, patience) => {
                put_position(out.u8(5), position);
                put_patience(&mut out, *patience);
                &mut out
            }
            Action::DeleteKey(key, patience) => {
                out.u8(6).bytes(key);
                put_patience(&mut out, *patience);
                &mut out
            }
            Action::DeleteGeneric(key, patience) => {
                out.u8(7).bytes(key);
                put_patience(&mut out, *patience);
                &mut out
            }
            Action::Unlock(position) => {
                put_position(out.u8(8), position);
                &mut out
            }
            Action::Scan(from, direction, limit) => {
                out.u8(9)
                    .flag(*direction == Direction::Backward)
                    .u32(*limit);
                match from {
                    From::End => out.u8(0),
                    From::At(key) => out.u8(1).bytes(key),
                    From::After(position) => {
                        put_position(out.u8(2), position);
                        &mut out
                    }
                }
            }
            Action::Close(busy) => out.u8(10).u8(*busy as u8),
            Action::Disable(busy) => out.u8(13).u8(*busy as u8),
            Action::Left => out.u8(14),
            Action::Empty => out.u8(11),
            Action::ReadAt(position, patience) => {
                put_position(out.u8(12), position);
                put_patience(&mut out, *patience);
                &mut out
            }
        };
        out.0
    }

    /// Reads a question; `None`: not one.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let mut from = Reader(bytes);
        let file = ProgramName::from_field(from.raw(8)?);
        let action = match from.u8()? {
            1 => Action::Open,
            2 => {
                let find = find_of(from.u8()?)?;
                let key = from.bytes()?.to_vec();
                let update = from.flag()?;
                let patience = if update {
                    Some(take_patience(&mut from)?)
                } else {
                    None
                };
                Action::Read(key, find, patience)
            }
            3 => {
                let slot = Some(from.u32()?).filter(|slot| *slot > 0);
                let patience = take_patience(&mut from)?;
                Action::Insert(slot, from.0.to_vec(), patience)
            }
            4 => {
                let position = take_position(&mut from)?;
                let patience = take_patience(&mut from)?;
                Action::Rewrite(position, from.0.to_vec(), patience)
            }
            5 => Action::Delete(take_position(&mut from)?, take_patience(&mut from)?),
            6 => Action::DeleteKey(from.bytes()?.to_vec(), take_patience(&mut from)?),
            7 => Action::DeleteGeneric(from.bytes()?.to_vec(), take_patience(&mut from)?),
            8 => Action::Unlock(take_position(&mut from)?),
            9 => {
                let direction = if from.flag()? {
                    Direction::Backward
                } else {
                    Direction::Forward
                };
                let limit = from.u32()?;
                let start = match from.u8()? {
                    0 => From::End,
                    1 => From::At(from.bytes()?.to_vec()),
                    2 => From::After(take_position(&mut from)?),
                    _ => return None,
                };
                Action::Scan(start, direction, limit)
            }
            10 => Action::Close(busy_of(from.u8()?)?),
            13 => Action::Disable(busy_of(from.u8()?)?),
            14 => Action::Left,
            11 => Action::Empty,
            12 => Action::ReadAt(take_position(&mut from)?, take_patience(&mut from)?),
            _ => return None,
        };
        Some(Self { file, action })
    }
}

/// Bytes of records.
pub fn encode_found(records: &[Found]) -> Vec<u8> {
    let bytes = records.iter().map(|found| found.record.len() + 64).sum();
    let mut out = Writer::with_capacity(bytes);
    for found in records {
        put_position(&mut out, &found.position);
        out.flag(found.duplicate).bytes(&found.record);
    }
    out.0
}

/// Reads [`encode_found`].
pub fn decode_found(bytes: &[u8]) -> Vec<Found> {
    let mut from = Reader(bytes);
    std::iter::from_fn(|| take_seen(&mut from).map(|seen| seen.to_found())).collect()
}

/// Reads [`encode_found`] into a batch, which is cleared first.
pub fn decode_batch(bytes: &[u8], batch: &mut Batch) {
    batch.clear();
    let mut from = Reader(bytes);
    while let Some(seen) = take_seen(&mut from) {
        batch.push(seen);
    }
}

fn take_seen<'a>(from: &mut Reader<'a>) -> Option<Seen<'a>> {
    let key = from.bytes()?;
    let base = from.bytes()?;
    Some(Seen {
        key,
        base: if base.is_empty() { key } else { base },
        arrival: from.u64()?,
        duplicate: from.flag()?,
        record: from.bytes()?,
    })
}

/// Bytes of a position.
pub fn encode_position(position: &Position) -> Vec<u8> {
    let mut out = Writer::with_capacity(32);
    put_position(&mut out, position);
    out.0
}

/// Reads [`encode_position`].
pub fn decode_position(bytes: &[u8]) -> Option<Position> {
    take_position(&mut Reader(bytes))
}

fn put_patience(out: &mut Writer, patience: Patience) {
    out.flag(patience.no_suspend).u64(patience.dtimout_ms);
}

fn take_patience(from: &mut Reader<'_>) -> Option<Patience> {
    Some(Patience {
        no_suspend: from.flag()?,
        dtimout_ms: from.u64()?,
    })
}

fn put_position(out: &mut Writer, position: &Position) {
    // An empty second key: the same as the first.
    let same = position.key == position.base;
    let base = if same { &[][..] } else { &position.base };
    out.bytes(&position.key).bytes(base).u64(position.arrival);
}

fn take_position(from: &mut Reader<'_>) -> Option<Position> {
    let key = from.bytes()?.to_vec();
    let base = from.bytes()?;
    let base = if base.is_empty() { &key } else { base }.to_vec();
    let arrival = from.u64()?;
    Some(Position { key, base, arrival })
}

fn busy_of(number: u8) -> Option<Busy> {
    [Busy::Wait, Busy::NoWait, Busy::Force]
        .get(usize::from(number))
        .copied()
}

fn find_number(find: Find) -> u8 {
    match find {
        Find::Equal => 0,
        Find::GreaterOrEqual => 1,
        Find::Generic => 2,
    }
}

fn find_of(number: u8) -> Option<Find> {
    [Find::Equal, Find::GreaterOrEqual, Find::Generic]
        .get(usize::from(number))
        .copied()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_and_records_come_back() {
        let position = Position {
            key: b"SMITH".to_vec(),
            base: b"0001".to_vec(),
            arrival: 7,
        };
        let patience = Patience {
            no_suspend: true,
            dtimout_ms: 5_000,
        };
        let actions = [
            Action::Open,
            Action::Read(b"K".to_vec(), Find::Generic, Some(patience)),
            Action::Read(b"K".to_vec(), Find::Equal, None),
            Action::Insert(Some(7), b"record".to_vec(), patience),
            Action::Insert(None, Vec::new(), patience),
            Action::Rewrite(position.clone(), b"record".to_vec(), patience),
            Action::Delete(position.clone(), patience),
            Action::DeleteKey(b"K".to_vec(), patience),
            Action::DeleteGeneric(b"K".to_vec(), patience),
            Action::Unlock(Position::of_base(b"K")),
            Action::Scan(From::End, Direction::Backward, 8),
            Action::Scan(From::At(b"K".to_vec()), Direction::Forward, 8),
            Action::Scan(From::After(position.clone()), Direction::Forward, 8),
            Action::ReadAt(position.clone(), patience),
            Action::Close(Busy::NoWait),
            Action::Disable(Busy::Force),
            Action::Left,
            Action::Empty,
        ];
        for action in actions {
            let file = ProgramName::from_field(b"CUST");
            let request = FileRequest { file, action };
            let bytes = request.encode();
            assert_eq!(FileRequest::decode(&bytes), Some(request));
            for cut in 0..bytes.len() {
                let _ = FileRequest::decode(&bytes[..cut]);
            }
        }
        let found = vec![Found {
            position,
            record: b"record".to_vec(),
            duplicate: true,
        }];
        assert_eq!(decode_found(&encode_found(&found)), found);
    }
}
