//! A forward recovery log, read record by record.
//!
//! What: whole records in their order, up to the first that is not whole. That is the end, unless
//! whole records follow: then something on the disk was lost. Not here: what records mean
//! (formats/journal), what is made of them.

use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::ops::ControlFlow;
use std::path::Path;
use transom_journal::{FRAME_BYTES, HEAD_BYTES, Record, body_bytes, is_whole};
use transom_recovery::LogPlace;

/// Longest body; the region writes none that is longer.
const BODY_MAX: usize = (1 << 20) + 4_096;

/// Where the whole records of a log end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct End {
    /// Bytes.
    pub(super) at: u64,
    /// Number of the last one; 0: there is none.
    pub(super) number: u32,
    /// Bytes behind them.
    pub(super) behind: u64,
    /// Whole records follow further on.
    pub(super) damaged: bool,
}

/// Shows each record with the place where it begins, until the visitor breaks; then the end is that
/// place.
pub(super) fn read(
    path: &Path,
    visit: &mut dyn FnMut(u64, &Record<'_>) -> ControlFlow<()>,
) -> io::Result<End> {
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    let mut from = BufReader::with_capacity(1 << 20, file);
    let (mut at, mut number) = (0, 0);
    let mut body = Vec::new();
    while let Some(record) = next(&mut from, &mut body)? {
        if visit(at, &record).is_break() {
            return Ok(End {
                at,
                number,
                behind: 0,
                damaged: false,
            });
        }
        number = record.number;
        at += (FRAME_BYTES + body.len()) as u64;
    }
    let behind = length.saturating_sub(at);
    let damaged = behind > 0 && more(from.into_inner(), at, number)?;
    Ok(End {
        at,
        number,
        behind,
        damaged,
    })
}

/// The next whole record.
fn next<'b>(from: &mut impl Read, body: &'b mut Vec<u8>) -> io::Result<Option<Record<'b>>> {
    let mut frame = [0; FRAME_BYTES];
    if !filled(from, &mut frame)? {
        return Ok(None);
    }
    let length = body_bytes(frame);
    if !(HEAD_BYTES..=BODY_MAX).contains(&length) {
        return Ok(None);
    }
    body.resize(length, 0);
    if !filled(from, body)? || !is_whole(frame, body) {
        return Ok(None);
    }
    Ok(Record::of(body))
}

fn filled(from: &mut impl Read, bytes: &mut [u8]) -> io::Result<bool> {
    match from.read_exact(bytes) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

/// Whether any whole record with a higher number stands behind a place.
fn more(mut file: File, at: u64, last: u32) -> io::Result<bool> {
    const WINDOW: usize = 4 * BODY_MAX;
    let mut from = at + 1;
    let mut bytes = Vec::new();
    loop {
        file.seek(SeekFrom::Start(from))?;
        bytes.clear();
        (&mut file).take(WINDOW as u64).read_to_end(&mut bytes)?;
        let whole = |n: usize| whole_at(&bytes[n..], last);
        if (0..bytes.len().saturating_sub(FRAME_BYTES)).any(whole) {
            return Ok(true);
        }
        if bytes.len() < WINDOW {
            return Ok(false);
        }
        // A record may begin in one window and end in the next.
        from += (WINDOW - BODY_MAX - FRAME_BYTES) as u64;
    }
}

fn whole_at(bytes: &[u8], last: u32) -> bool {
    let Some((frame, rest)) = bytes.split_first_chunk::<FRAME_BYTES>() else {
        return false;
    };
    let length = body_bytes(*frame);
    if !(HEAD_BYTES..=BODY_MAX).contains(&length) || length > rest.len() {
        return false;
    }
    let number = rest.first_chunk().map_or(0, |n| u32::from_be_bytes(*n));
    number > last && is_whole(*frame, &rest[..length])
}

/// Logs of a folder, sorted: file names without `.jnl`. None when there is no folder.
pub(super) fn names(folder: &Path) -> io::Result<Vec<String>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(error),
    };
    let mut names = Vec::new();
    for entry in entries {
        let name = entry?.file_name();
        names.extend(
            name.to_str()
                .and_then(|n| n.strip_suffix(".jnl"))
                .map(str::to_owned),
        );
    }
    names.sort();
    Ok(names)
}

/// Where all logs of a folder end now.
pub(crate) fn places(folder: &Path) -> io::Result<Vec<LogPlace>> {
    let place = |name: String| {
        let path = folder.join(format!("{name}.jnl"));
        let end = read(&path, &mut |_, _| ControlFlow::Continue(()))?;
        Ok(LogPlace {
            name,
            bytes: end.at,
            number: end.number,
        })
    };
    names(folder)?.into_iter().map(place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_journal::frame;

    fn written(path: &Path, numbers: std::ops::Range<u32>) -> Vec<u8> {
        let mut bytes = Vec::new();
        for number in numbers {
            let body = Record {
                number,
                unix_ms: 1,
                task: 2,
                transid: *b"UPD1",
                kind: *b"FC",
                prefix: &u64::from(number).to_be_bytes(),
                data: b"",
            };
            let body = body.body();
            bytes.extend(frame(&body));
            bytes.extend(body);
        }
        std::fs::write(path, &bytes).unwrap();
        bytes
    }

    fn end(path: &Path) -> End {
        read(path, &mut |_, _| ControlFlow::Continue(())).unwrap()
    }

    #[test]
    fn a_torn_end_is_an_end_and_a_gap_is_damage() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("DFHJ06.jnl");
        let bytes = written(&path, 1..4);
        let one = bytes.len() as u64 / 3;
        let whole = |at, number, behind, damaged| End {
            at,
            number,
            behind,
            damaged,
        };
        assert_eq!(end(&path), whole(3 * one, 3, 0, false));
        std::fs::write(&path, &bytes[..bytes.len() - 5]).unwrap();
        assert_eq!(end(&path), whole(2 * one, 2, one - 5, false));
        let mut damaged = bytes;
        damaged[one as usize + 20] ^= 1;
        std::fs::write(&path, &damaged).unwrap();
        assert_eq!(end(&path), whole(one, 1, 2 * one, true));
        let found = places(folder.path()).unwrap();
        assert_eq!((found[0].name.as_str(), found[0].bytes), ("DFHJ06", one));
        assert_eq!(places(&folder.path().join("none")).unwrap(), []);
    }
}
