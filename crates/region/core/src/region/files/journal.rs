//! User journals: files that are only added to.
//!
//! What: `NAME.jnl` per journal in the region's folder. A record is its length and CRC-32 (4 bytes each, big-endian, the
//! length without these eight), number (4), milliseconds since 1970 (8), task (4), transaction (4), JTYPEID (2), length of
//! the prefix (4), prefix, data. A record that a crash cut off is cut away when the journal is opened again. Why not in the
//! store: journals are read by other programs and are never backed out. Not here: the commands (`crate::journal`).

use crate::codec::{Reader, Writer};
use crate::journal::{JOURNAL_RECORD_MAX, JournalAction, JournalRequest};
use crate::region::Inner;
use crate::region::services::{Replier, lock};
use crate::requests::RegionAnswer;
use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::{SystemTime, UNIX_EPOCH};
use transom_types::{ProgramName, Resp};

/// Journals of a region; one more gets JIDERR.
const JOURNALS_MAX: usize = 1_000;
/// Bytes of a record before prefix and data.
const HEAD_BYTES: usize = 26;

/// The journals of the region.
#[derive(Default)]
pub(super) struct Journals {
    folder: OnceLock<Option<PathBuf>>,
    open: Mutex<HashMap<ProgramName, Arc<Mutex<Journal>>>>,
}

struct Journal {
    file: File,
    /// Number of the last record.
    last: u32,
    /// Number of the last record known to be on the device.
    synced: u32,
}

impl Journals {
    /// Where journals lie; none: there are no journals.
    pub(super) fn start(&self, folder: Option<PathBuf>) {
        let _first = self.folder.set(folder);
    }

    /// Whether there is, or can be, a journal of this name. The error says why not.
    pub(super) fn can_write(&self, name: ProgramName) -> Result<(), String> {
        match self.of(name) {
            Some(Ok(_)) => Ok(()),
            Some(Err(error)) => Err(format!("journal {name} cannot be opened: {error}")),
            None => Err(format!("there is no journal {name}")),
        }
    }

    /// The journal of a name, made at its first use; `None`: the region has no journals, or too many.
    fn of(&self, name: ProgramName) -> Option<io::Result<Arc<Mutex<Journal>>>> {
        let folder = self.folder.get()?.as_ref()?;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"@#$".contains(&byte);
        if !name.as_str().bytes().all(plain) {
            return None;
        }
        let mut open = lock(&self.open);
        if let Some(journal) = open.get(&name) {
            return Some(Ok(journal.clone()));
        }
        if open.len() >= JOURNALS_MAX {
            return None;
        }
        let opened = Journal::open(folder, name.as_str());
        Some(opened.map(|journal| {
            let journal = Arc::new(Mutex::new(journal));
            open.insert(name, journal.clone());
            journal
        }))
    }
}

impl Journal {
    fn open(folder: &Path, name: &str) -> io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let mut options = File::options();
        let path = folder.join(format!("{name}.jnl"));
        let mut file = options
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let (good, last) = whole_records(&mut file)?;
        file.set_len(good)?;
        file.seek(SeekFrom::Start(good))?;
        Ok(Self {
            file,
            last,
            synced: last,
        })
    }

    fn add(&mut self, record: &mut Record<'_>) -> io::Result<u32> {
        record.number = self.last.wrapping_add(1);
        let before = self.file.stream_position()?;
        if let Err(error) = self.file.write_all(&record.encode()) {
            // Half a record must not stand before the next one.
            self.file.set_len(before)?;
            self.file.seek(SeekFrom::Start(before))?;
            return Err(error);
        }
        self.last = record.number;
        Ok(record.number)
    }

    fn sync(&mut self, number: u32) -> io::Result<()> {
        if number == 0 || number > self.synced {
            self.file.sync_data()?;
            self.synced = self.last;
        }
        Ok(())
    }
}

/// Bytes of whole records at the start of a journal and the number of the last one.
fn whole_records(file: &mut File) -> io::Result<(u64, u32)> {
    let mut from = io::BufReader::new(file);
    let (mut good, mut last) = (0, 0);
    let mut body = Vec::new();
    loop {
        let mut head = [0; 8];
        if from.read_exact(&mut head).is_err() {
            return Ok((good, last));
        }
        let (length, crc) = head.split_at(4);
        let number = |bytes: &[u8]| bytes.try_into().map_or(0, u32::from_be_bytes);
        let length = number(length) as usize;
        if length > JOURNAL_RECORD_MAX + HEAD_BYTES {
            return Ok((good, last));
        }
        body.resize(length, 0);
        if from.read_exact(&mut body).is_err() || crc32fast::hash(&body) != number(crc) {
            return Ok((good, last));
        }
        last = Reader(&body).u32().unwrap_or(last);
        good += 8 + length as u64;
    }
}

struct Record<'a> {
    number: u32,
    task: u32,
    request: &'a JournalRequest,
    kind: [u8; 2],
    prefix: &'a [u8],
    data: &'a [u8],
}

impl Record<'_> {
    fn encode(&self) -> Vec<u8> {
        let now = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        let length = HEAD_BYTES + self.prefix.len() + self.data.len();
        let mut body = Writer::with_capacity(length);
        body.u32(self.number)
            .u64(now.as_millis() as u64)
            .u32(self.task)
            .raw(self.request.transid.as_bytes())
            .raw(&self.kind)
            .bytes(self.prefix)
            .raw(self.data);
        let mut out = Writer::with_capacity(8 + length);
        out.u32(body.0.len() as u32)
            .u32(crc32fast::hash(&body.0))
            .raw(&body.0);
        out.0
    }
}

/// Answers a worker. A journal is written on a thread that may wait for the device.
pub(in crate::region) fn answer(inner: &Arc<Inner>, replier: Replier, request: &[u8]) {
    let task = replier.task_number();
    let Some(request) = JournalRequest::decode(request) else {
        let text = "TXMEI0004E the request is damaged";
        return replier.answer(&RegionAnswer::refused(Resp::INVREQ, 0, text));
    };
    let region = inner.clone();
    let work = move || done(&region, task, &request);
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => replier.answer_with(inner, async move {
            let done = runtime.spawn_blocking(work).await;
            done.unwrap_or_else(|_| RegionAnswer::refused(Resp::IOERR, 5, ""))
        }),
        Err(_) => replier.answer(&work()),
    }
}

/// Does a request; waits for the device when it asks for that.
pub(super) fn done(inner: &Inner, task: u32, request: &JournalRequest) -> RegionAnswer {
    let name = request.journal;
    let Some(journal) = inner.services.files.journals.of(name) else {
        let text = format!("TXMJC0001E there is no journal {name}");
        return RegionAnswer::refused(Resp::JIDERR, 1, text);
    };
    let failed = |error: io::Error| {
        let text = format!("TXMJC0002E journal {name} cannot be written: {error}");
        inner.say(&text);
        RegionAnswer::refused(Resp::IOERR, 5, text)
    };
    let journal = match journal {
        Ok(journal) => journal,
        Err(error) => return failed(error),
    };
    let mut journal = lock(&journal);
    let number = match &request.what {
        JournalAction::Wait(number) if *number > journal.last => {
            return RegionAnswer::refused(Resp::INVREQ, 3, "");
        }
        JournalAction::Wait(number) => journal.sync(*number).map(|()| *number),
        JournalAction::Write(kind, prefix, data, wait) => {
            let mut record = Record {
                number: 0,
                task,
                request,
                kind: *kind,
                prefix,
                data,
            };
            let written = journal.add(&mut record);
            match written {
                Ok(number) if *wait => journal.sync(number).map(|()| number),
                written => written,
            }
        }
    };
    match number {
        Ok(number) => RegionAnswer::with_data(number.to_be_bytes().to_vec()),
        Err(error) => failed(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use transom_types::TransId;

    #[test]
    fn a_record_that_was_cut_off_goes_away() {
        let folder = std::env::temp_dir().join(format!("transom-journal-{}", std::process::id()));
        let request = JournalRequest {
            journal: ProgramName::from_field(b"AUDIT"),
            transid: TransId::from_field(b"PAY"),
            what: JournalAction::Wait(0),
        };
        let add = |journal: &mut Journal| {
            let mut record = Record {
                number: 0,
                task: 9,
                request: &request,
                kind: *b"AB",
                prefix: b"P",
                data: b"some data",
            };
            journal.add(&mut record).unwrap()
        };
        let mut journal = Journal::open(&folder, "AUDIT").unwrap();
        assert_eq!((add(&mut journal), add(&mut journal)), (1, 2));
        journal.sync(2).unwrap();
        let length = journal.file.metadata().unwrap().len();
        journal.file.set_len(length - 3).unwrap();
        let mut journal = Journal::open(&folder, "AUDIT").unwrap();
        assert_eq!(journal.last, 1, "the second one was damaged");
        assert_eq!(journal.file.metadata().unwrap().len(), length / 2);
        assert_eq!(add(&mut journal), 2);
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
