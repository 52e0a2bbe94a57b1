//! One file of journal records.
//!
//! What: `NAME.jnl`, records of `formats/journal`, only ever added to. Tasks that wait for the
//! device share one flush. What follows the last whole record when a file is opened goes to
//! `NAME.jnl.cut`: a crash cut it off, or it is damaged. A stream whose flush failed writes nothing
//! more: what the device has is not known. Not here: bodies, journals' names.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use transom_journal::{FRAME_BYTES, HEAD_BYTES, Record, body_bytes, frame, is_whole};
use transom_recovery::guard::lock;
use transom_wire::journal::JOURNAL_RECORD_MAX;

/// A file that is open.
pub struct Stream {
    writer: Mutex<Writer>,
    /// Number of the last record known to be on the device; held while somebody flushes.
    synced: Mutex<u32>,
    /// The same file, so that a flush stops nobody from adding records.
    device: File,
    /// Bytes that were put aside when it was opened, until somebody has said so.
    pub cut: AtomicU64,
    pub writes: AtomicU64,
    pub flushes: AtomicU64,
}

struct Writer {
    file: File,
    last: u32,
    failed: bool,
}

impl Stream {
    /// Opens or makes the file.
    pub fn open(folder: &Path, name: &str) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let path = folder.join(format!("{name}.jnl"));
        let is_new = !path.exists();
        let mut options = File::options();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = options.open(&path)?;
        if is_new {
            // The name too must be there after a power cut.
            File::open(folder)?.sync_all()?;
        }
        let (good, last) = whole_records(&mut file)?;
        let behind = file.metadata()?.len().saturating_sub(good);
        if behind > 0 {
            put_aside(&mut file, good, &path)?;
            file.set_len(good)?;
            file.sync_all()?;
        }
        file.seek(SeekFrom::Start(good))?;
        Ok(Self {
            device: file.try_clone()?,
            writer: Mutex::new(Writer {
                file,
                last,
                failed: false,
            }),
            synced: Mutex::new(last),
            cut: AtomicU64::new(behind),
            writes: AtomicU64::new(0),
            flushes: AtomicU64::new(0),
        })
    }

    /// Adds a record; `body` makes its bytes from its number, which is answered.
    pub fn add(&self, body: impl FnOnce(u32) -> Vec<u8>) -> io::Result<u32> {
        let mut writer = lock(&self.writer);
        writer.check()?;
        let number = writer.last.wrapping_add(1);
        let body = body(number);
        let record = [frame(&body).as_slice(), &body].concat();
        let before = writer.file.stream_position()?;
        if let Err(error) = writer.file.write_all(&record) {
            // Half a record must not stand before the next one.
            let undone = writer.file.set_len(before);
            let undone = undone.and_then(|()| writer.file.seek(SeekFrom::Start(before)));
            writer.failed = undone.is_err();
            return Err(error);
        }
        writer.last = number;
        self.writes.fetch_add(1, Relaxed);
        Ok(number)
    }

    /// Waits until the record of this number is on the device; 0: all so far.
    pub fn flush(&self, number: u32) -> io::Result<()> {
        let mut synced = lock(&self.synced);
        if number != 0 && number <= *synced {
            return Ok(());
        }
        let last = {
            let writer = lock(&self.writer);
            writer.check()?;
            writer.last
        };
        if let Err(error) = self.device.sync_data() {
            lock(&self.writer).failed = true;
            return Err(error);
        }
        self.flushes.fetch_add(1, Relaxed);
        *synced = last;
        Ok(())
    }

    /// Number of the last record; 0: there is none.
    pub fn last(&self) -> u32 {
        lock(&self.writer).last
    }

    /// An earlier write or flush failed.
    pub fn has_failed(&self) -> bool {
        lock(&self.writer).failed
    }
}

impl Writer {
    fn check(&self) -> io::Result<()> {
        match self.failed {
            true => Err(io::Error::other("an earlier write to it failed")),
            false => Ok(()),
        }
    }
}

/// Bytes of whole records at the start of a file and the number of the last one.
fn whole_records(file: &mut File) -> io::Result<(u64, u32)> {
    let mut from = io::BufReader::new(file);
    let (mut good, mut last) = (0, 0);
    let mut body = Vec::new();
    loop {
        let mut head = [0; FRAME_BYTES];
        if from.read_exact(&mut head).is_err() {
            return Ok((good, last));
        }
        let length = body_bytes(head);
        if length > JOURNAL_RECORD_MAX + HEAD_BYTES {
            return Ok((good, last));
        }
        body.resize(length, 0);
        if from.read_exact(&mut body).is_err() || !is_whole(head, &body) {
            return Ok((good, last));
        }
        last = Record::of(&body).map_or(last, |record| record.number);
        good += (FRAME_BYTES + length) as u64;
    }
}

fn put_aside(file: &mut File, from: u64, path: &Path) -> io::Result<()> {
    let mut aside = PathBuf::from(path).into_os_string();
    aside.push(".cut");
    let mut aside = File::options().create(true).append(true).open(aside)?;
    file.seek(SeekFrom::Start(from))?;
    io::copy(file, &mut aside)?;
    aside.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scratch(name: &str) -> PathBuf {
        let name = format!("transom-journal-{name}-{}", std::process::id());
        std::env::temp_dir().join(name)
    }

    fn add(stream: &Stream) -> u32 {
        let body = |number| {
            let (transid, kind) = (*b"UPD1", *b"AA");
            let (prefix, data) = (&b""[..], &b"some data"[..]);
            let (unix_ms, task) = (1_795_000_000_000, 42);
            Record {
                number,
                unix_ms,
                task,
                transid,
                kind,
                prefix,
                data,
            }
            .body()
        };
        stream.add(body).unwrap()
    }

    #[test]
    fn a_record_that_was_cut_off_goes_away() {
        let folder = scratch("cut");
        let stream = Stream::open(&folder, "AUDIT").unwrap();
        let cut = stream.cut.load(Relaxed);
        assert_eq!((add(&stream), add(&stream), cut), (1, 2, 0));
        stream.flush(2).unwrap();
        let length = stream.device.metadata().unwrap().len();
        stream.device.set_len(length - 3).unwrap();
        let stream = Stream::open(&folder, "AUDIT").unwrap();
        let cut = stream.cut.load(Relaxed);
        assert_eq!((stream.last(), cut), (1, length / 2 - 3));
        assert_eq!(stream.device.metadata().unwrap().len(), length / 2);
        let aside = std::fs::read(folder.join("AUDIT.jnl.cut")).unwrap();
        assert_eq!(aside.len() as u64, cut, "nothing is thrown away");
        assert_eq!(add(&stream), 2);
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn any_damage_of_the_tail_leaves_the_records_before_it() {
        let folder = scratch("damage");
        let stream = Stream::open(&folder, "AUDIT").unwrap();
        for _ in 0..5 {
            add(&stream);
        }
        let path = folder.join("AUDIT.jnl");
        let whole = std::fs::read(&path).unwrap();
        let record = whole.len() / 5;
        for at in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[at] ^= 0x5A;
            std::fs::write(&path, &damaged).unwrap();
            let stream = Stream::open(&folder, "AUDIT").unwrap();
            let cut = stream.cut.load(Relaxed);
            assert_eq!(stream.last() as usize, at / record, "byte {at}");
            assert_eq!(cut as usize, whole.len() - at / record * record);
        }
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn tasks_that_wait_share_a_flush() {
        let folder = scratch("group");
        let stream = Stream::open(&folder, "AUDIT").unwrap();
        let numbers: Vec<u32> = (0..3).map(|_| add(&stream)).collect();
        numbers
            .iter()
            .for_each(|number| stream.flush(*number).unwrap());
        assert_eq!(stream.flushes.load(Relaxed), 3 - 2, "the first was enough");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
