//! The trace of a region over rings in memory: entries in, data sets out, one that is full, a
//! folder that cannot be made.

use std::path::Path;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use transom_messages::{Line, Operator};
use transom_region_trace::{DATA_SETS, Trace, TraceConfig};
use transom_trace::file::{HEAD_BYTES, Head, Item, items};
use transom_trace::{Component, Entry, Flags, Point, Rings};
use transom_types::{Applid, Resp, SysId};
use transom_wire::system::{Auxiliary, Switching, TraceChange};

const LENGTH: usize = 16;

/// One ring.
#[derive(Default)]
struct Memory(Mutex<(Vec<Entry>, Option<Flags>, u64)>);

impl Memory {
    fn put(&self, line: u32) {
        let mut memory = self.0.lock().unwrap();
        let number = memory.0.len() as u64 + 1;
        memory.0.push(Entry {
            number,
            line,
            ..Entry::new(Component::EI, Point::CommandEntry)
        });
    }

    fn taken(&self) -> u64 {
        self.0.lock().unwrap().2
    }
}

impl Rings for Memory {
    fn flags(&self) -> Flags {
        self.0.lock().unwrap().1.unwrap_or_default()
    }
    fn set_flags(&self, flags: Flags) {
        self.0.lock().unwrap().1 = Some(flags);
    }
    fn count(&self) -> usize {
        1
    }
    fn length(&self) -> usize {
        LENGTH
    }
    fn newest(&self, _: usize) -> u64 {
        self.0.lock().unwrap().0.len() as u64
    }
    fn entry(&self, _: usize, number: u64) -> Option<Entry> {
        let memory = self.0.lock().unwrap();
        let overwritten = number + LENGTH as u64 <= memory.0.len() as u64;
        let entry = memory.0.get(number as usize - 1).copied();
        entry.filter(|_| !overwritten)
    }
    fn taken(&self, _: usize, number: u64) {
        self.0.lock().unwrap().2 = number;
    }
}

struct Region {
    rings: Arc<Memory>,
    trace: Arc<Trace>,
    told: Arc<Mutex<Vec<String>>>,
}

fn region(folder: &Path, bytes_max: u64, switching: Switching) -> Region {
    let told = Arc::new(Mutex::new(Vec::new()));
    let sink = told.clone();
    let operator = Operator::new(move |line: Line| sink.lock().unwrap().push(line.to_string()));
    let rings = Arc::new(Memory::default());
    let config = TraceConfig {
        folder: Some(folder.to_owned()),
        bytes_max,
        switching,
        ..TraceConfig::default()
    };
    let names = (Applid::from_field(b"CICSA   "), SysId::from_field(b"SYSA"));
    let trace = Trace::new(
        Some(rings.clone()),
        &config,
        names,
        (1_000, 3_600),
        &operator,
    );
    Region { rings, trace, told }
}

impl Region {
    fn auxiliary(&self, how: Auxiliary) -> (Resp, u32) {
        let answer = self.trace.set(&TraceChange {
            auxiliary: Some(how),
            ..TraceChange::default()
        });
        (answer.resp, answer.resp2)
    }

    /// Puts entries, each when the one before was taken.
    fn put_slowly(&self, lines: std::ops::RangeInclusive<u32>) {
        for line in lines {
            self.rings.put(line);
            let number = self.rings.newest(0);
            let end = Instant::now() + Duration::from_secs(30);
            while self.rings.taken() < number && self.rings.flags().auxiliary() {
                assert!(Instant::now() < end, "entry {number} was never taken");
                std::thread::sleep(Duration::from_millis(1));
            }
        }
    }
}

/// Lines of the entries of a data set, and how many it says were lost.
fn read(folder: &Path, name: &str) -> (Vec<u32>, u64) {
    let bytes = std::fs::read(folder.join(name)).unwrap();
    let head = Head::decode(&bytes).unwrap();
    assert_eq!(
        (head.applid.to_string().as_str(), head.utc_offset_s),
        ("CICSA", 3_600)
    );
    let (mut lines, mut lost) = (Vec::new(), 0);
    for item in items(&bytes[HEAD_BYTES..]) {
        match item {
            Item::Entry(worker, entry) => {
                assert_eq!(worker, 1);
                lines.push(entry.line);
            }
            Item::Lost(_, entries) => lost += entries,
            Item::Damaged(bytes) => panic!("{bytes} bytes are no frame"),
        }
    }
    (lines, lost)
}

#[test]
fn entries_are_written_between_start_and_stop_alone() {
    let folder = tempfile::tempdir().unwrap();
    let region = region(folder.path(), 1 << 20, Switching::No);
    region.rings.put(1);
    assert_eq!(region.auxiliary(Auxiliary::Started), (Resp::NORMAL, 0));
    region.put_slowly(2..=4);
    assert_eq!(region.auxiliary(Auxiliary::Paused), (Resp::NORMAL, 0));
    region.rings.put(5);
    assert_eq!(region.trace.facts().auxiliary, Auxiliary::Paused);
    assert_eq!(region.auxiliary(Auxiliary::Started), (Resp::NORMAL, 0));
    region.put_slowly(6..=6);
    region.rings.put(7);
    assert_eq!(region.auxiliary(Auxiliary::Stopped), (Resp::NORMAL, 0));
    assert_eq!(read(folder.path(), DATA_SETS[0]), (vec![2, 3, 4, 6, 7], 0));
    assert_eq!(region.auxiliary(Auxiliary::Paused), (Resp::INVREQ, 9));
    assert_eq!(region.auxiliary(Auxiliary::Started), (Resp::NORMAL, 0));
    region.put_slowly(8..=8);
    region.trace.stop();
    // From its beginning on.
    assert_eq!(read(folder.path(), DATA_SETS[0]), (vec![8], 0));
}

#[test]
fn what_comes_too_fast_is_counted() {
    let folder = tempfile::tempdir().unwrap();
    let region = region(folder.path(), 1 << 20, Switching::No);
    assert_eq!(region.auxiliary(Auxiliary::Started), (Resp::NORMAL, 0));
    {
        // The ring is held while more comes than it has room for.
        let mut memory = region.rings.0.lock().unwrap();
        for line in 1..=100 {
            memory.0.push(Entry {
                number: line.into(),
                line,
                ..Entry::new(Component::EI, Point::CommandEntry)
            });
        }
    }
    region.trace.stop();
    let (lines, lost) = read(folder.path(), DATA_SETS[0]);
    assert_eq!(lines, (85..=100).collect::<Vec<u32>>());
    assert_eq!(lost, 84);
}

#[test]
fn a_full_data_set_ends_the_trace_or_is_followed_by_the_other() {
    let folder = tempfile::tempdir().unwrap();
    let first = region(folder.path(), 1_000, Switching::No);
    assert_eq!(first.auxiliary(Auxiliary::Started), (Resp::NORMAL, 0));
    first.put_slowly(1..=20);
    assert_eq!(first.trace.facts().auxiliary, Auxiliary::Stopped);
    let (lines, _) = read(folder.path(), DATA_SETS[0]);
    assert!(!lines.is_empty() && lines.len() < 20, "{lines:?}");
    let told = first.told.lock().unwrap().join("\n");
    assert!(told.contains("TXMMN0022W"), "{told}");

    let all = region(folder.path(), 1_000, Switching::All);
    assert_eq!(all.auxiliary(Auxiliary::Started), (Resp::NORMAL, 0));
    all.put_slowly(1..=40);
    all.trace.stop();
    let told = all.told.lock().unwrap().join("\n");
    assert!(told.contains("TXMMN0021I"), "{told}");
    let mut lines = read(folder.path(), DATA_SETS[0]).0;
    lines.extend(read(folder.path(), DATA_SETS[1]).0);
    lines.sort_unstable();
    assert_eq!(lines.last(), Some(&40));
    for name in DATA_SETS {
        let length = std::fs::metadata(folder.path().join(name)).unwrap().len();
        assert!(length <= 1_000, "{name} has {length} bytes");
    }
}

#[test]
fn a_folder_that_cannot_be_made_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    let region = region(&file.join("trace"), 1 << 20, Switching::No);
    assert_eq!(region.auxiliary(Auxiliary::Started), (Resp::IOERR, 0));
    assert_eq!(region.trace.facts().auxiliary, Auxiliary::Stopped);
    let told = region.told.lock().unwrap().join("\n");
    assert!(told.contains("TXMMN0020E"), "{told}");
    assert!(!region.rings.flags().auxiliary());
}
