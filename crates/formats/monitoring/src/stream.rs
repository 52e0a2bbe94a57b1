//! The stream that records are written to.
//!
//! What: a file is a row of frames: a head ([`Head`]) and a body. The first frame says which region
//! wrote the file and which fields its records have ([`Begin`]); then come records of tasks, and,
//! where records could not be written, how many ([`Item::Lost`]). Each head has the number of its
//! frame and a checksum over head and body. Why: a reader that meets damage, or a frame that was
//! being written when a process was killed, goes on at the next whole frame, and knows how many
//! frames it has not seen. Not here: files and their names.

use crate::control_table::ControlTable;
use crate::kind::{FieldId, Kind};
pub use crate::known::Known;
use crate::record::Record;
use crate::statistics::Written;
use transom_language::codec::Reader as Bytes;
use transom_language::{Value, language};
use transom_types::{Applid, SysId};

/// Every frame begins so: CMF in EBCDIC.
pub const MARK: [u8; 3] = [0xC3, 0xD4, 0xC6];
/// Bytes in front of a body.
pub const HEAD_BYTES: usize = 20;
/// Longest body; what claims to be longer is damage.
pub const BODY_BYTES_MAX: usize = 64 << 10;

const BEGIN: u8 = 1;
const TASK: u8 = 2;
const LOST: u8 = 3;
const STATISTICS: u8 = 4;
const EXCLUDED: u8 = 5;

language! {
    /// In front of a body.
    struct Head {
        mark: [u8; 3],
        /// 1: [`Begin`], 2: task, 3: lost, 4: [`Written`] statistics, 5: excluded.
        kind: u8,
        /// Bytes of the body.
        length: u32,
        /// Counts the frames of a region's run, from 1.
        number: u64,
        /// CRC-32 of the head without this and of the body.
        check: u32,
    }

    /// Which region wrote the file, and the fields of its records.
    #[derive(Debug, Clone, PartialEq, Eq)]
    pub struct Begin {
        /// Of the layout; 1.
        pub version: u16,
        pub applid: Applid,
        pub sysid: SysId,
        /// When the region started, in nanoseconds since 1970 UTC.
        pub started_ns: u64,
        /// Seconds that its local time is east of UTC.
        pub utc_offset_s: i32,
        pub fields: Vec<Known>,
    }

    /// Records that could not be written.
    struct Lost {
        records: u64,
    }

    /// Fields of the file that its records go without.
    struct Excluded {
        /// Their places.
        fields: Vec<u16>,
    }
}

/// Layout of the file.
pub const VERSION: u16 = 1;

impl Begin {
    /// The beginning of a file of this release, without fields that users define.
    pub fn of(applid: Applid, sysid: SysId, started_ns: u64, utc_offset_s: i32) -> Self {
        let fields = FieldId::all().map(|id| {
            let field = id.field();
            Known {
                group: field.group.to_owned(),
                number: field.number,
                name: field.name.to_owned(),
                letter: field.kind.letter() as u8,
                bytes: field.kind.bytes() as u8,
            }
        });
        Self {
            version: VERSION,
            applid,
            sysid,
            started_ns,
            utc_offset_s,
            fields: fields.collect(),
        }
    }

    /// The same with fields that users define.
    #[must_use]
    pub fn with(mut self, table: &ControlTable) -> Self {
        self.fields.extend(table.fields.iter().cloned());
        self
    }

    /// Its fields as this release knows them; `None`: one has a type that nobody knows.
    fn dictionary(&self) -> Option<Vec<(Kind, Option<FieldId>)>> {
        let known = |known: &Known| {
            let same = |id: &FieldId| {
                let field = id.field();
                field.group == known.group && field.number == known.number
            };
            let kind = Kind::of(known.letter, known.bytes)?;
            Some((kind, FieldId::all().find(same)))
        };
        self.fields.iter().map(known).collect()
    }
}

/// Writes frames one behind the other.
#[derive(Debug, Clone, Copy, Default)]
pub struct Frames {
    number: u64,
}

impl Frames {
    /// Appends the beginning of a file.
    pub fn begin(&mut self, out: &mut Vec<u8>, begin: &Begin) {
        self.frame(out, BEGIN, |out| out.extend_from_slice(&begin.encode()));
    }

    /// Appends which fields of CICS its records go without.
    pub fn excluded(&mut self, out: &mut Vec<u8>, fields: &[FieldId]) {
        let fields = fields.iter().map(|id| id.0.into()).collect();
        self.frame(out, EXCLUDED, |out| {
            out.extend_from_slice(&Excluded { fields }.encode());
        });
    }

    /// Appends the record of a task, whose bytes [`Record::put`] made.
    pub fn task(&mut self, out: &mut Vec<u8>, record: &[u8]) {
        self.frame(out, TASK, |out| out.extend_from_slice(record));
    }

    /// Appends that so many records could not be written.
    pub fn lost(&mut self, out: &mut Vec<u8>, records: u64) {
        let lost = Lost { records };
        self.frame(out, LOST, |out| out.extend_from_slice(&lost.encode()));
    }

    /// Appends a statistics record.
    pub fn statistics(&mut self, out: &mut Vec<u8>, written: &Written) {
        self.frame(out, STATISTICS, |out| {
            out.extend_from_slice(&written.encode())
        });
    }

    fn frame(&mut self, out: &mut Vec<u8>, kind: u8, put: impl FnOnce(&mut Vec<u8>)) {
        self.number += 1;
        let at = out.len();
        out.extend_from_slice(&[0; HEAD_BYTES]);
        put(out);
        let length = (out.len() - at - HEAD_BYTES) as u32;
        let mut head = Head {
            mark: MARK,
            kind,
            length,
            number: self.number,
            check: 0,
        };
        head.check = check(&head, &out[at + HEAD_BYTES..]);
        out[at..at + HEAD_BYTES].copy_from_slice(&head.bytes());
    }
}

impl Head {
    /// The same as its declaration makes, for each record and without a piece of memory.
    fn bytes(&self) -> [u8; HEAD_BYTES] {
        let mut bytes = [0; HEAD_BYTES];
        let parts: [&[u8]; 5] = [
            &self.mark,
            &[self.kind],
            &self.length.to_be_bytes(),
            &self.number.to_be_bytes(),
            &self.check.to_be_bytes(),
        ];
        let mut at = 0;
        for part in parts {
            bytes[at..at + part.len()].copy_from_slice(part);
            at += part.len();
        }
        bytes
    }
}

fn check(head: &Head, body: &[u8]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&head.bytes()[..HEAD_BYTES - 4]);
    sum.update(body);
    sum.finalize()
}

/// What is found in a stream.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Item {
    /// A file begins, or goes on after another one.
    Begin(Begin),
    /// A task.
    Task(Box<Record>),
    /// Statistics of a region or of one of its resources.
    Statistics(Box<Written>),
    /// Records go without the fields at these places of the dictionary.
    Excluded(Vec<u16>),
    /// The region could not write so many records.
    Lost(u64),
    /// So many bytes are no frames.
    Damaged(u64),
    /// So many frames are not there, between the one before and the one that follows.
    Missing(u64),
}

/// Reads a stream piece by piece.
#[derive(Debug, Default)]
pub struct Reader {
    dictionary: Option<Vec<(Kind, Option<FieldId>)>>,
    /// Number of the frame that comes next; `None`: any.
    next: Option<u64>,
    /// Bytes passed over since the last frame.
    passed: u64,
    /// A frame that was read, while what is missing in front of it is told.
    kept: Option<Item>,
}

impl Reader {
    /// The next item, off the front of the bytes; `None`: more bytes are needed.
    pub fn next(&mut self, from: &mut &[u8]) -> Option<Item> {
        if let Some(item) = self.kept.take() {
            return Some(item);
        }
        loop {
            let (head, body) = match whole_frame(from) {
                Found::Frame(head, body) => (head, body),
                Found::Short => return None,
                Found::Nothing(bytes) => {
                    self.passed += bytes as u64;
                    *from = &from[bytes..];
                    continue;
                }
            };
            let Some(item) = self.item(&head, body) else {
                // A whole frame that this release does not know.
                *from = &from[HEAD_BYTES + body.len()..];
                self.next = Some(head.number + 1);
                continue;
            };
            *from = &from[HEAD_BYTES + body.len()..];
            return Some(self.told(&head, item));
        }
    }

    /// Nothing follows these bytes, which were left over: a frame that was cut. What is whole
    /// behind its beginning is read yet.
    pub fn end(&mut self, mut rest: &[u8]) -> Vec<Item> {
        let mut items = Vec::new();
        while !rest.is_empty() {
            match self.next(&mut rest) {
                Some(item) => items.push(item),
                None if rest.is_empty() => break,
                None => {
                    rest = &rest[1..];
                    self.passed += 1;
                }
            }
        }
        items.extend(self.kept.take());
        if self.passed > 0 {
            items.push(Item::Damaged(std::mem::take(&mut self.passed)));
        }
        items
    }

    fn item(&mut self, head: &Head, body: &[u8]) -> Option<Item> {
        match head.kind {
            BEGIN => {
                let begin = Begin::decode(body)?;
                self.dictionary = begin.dictionary();
                Some(Item::Begin(begin))
            }
            TASK => {
                // Where the beginning is damaged, the fields are taken for those of this release.
                let own = || {
                    FieldId::all()
                        .map(|id| (id.field().kind, Some(id)))
                        .collect()
                };
                let dictionary = self.dictionary.get_or_insert_with(own);
                let record = Record::take(body, dictionary)?;
                Some(Item::Task(Box::new(record)))
            }
            STATISTICS => Some(Item::Statistics(Box::new(Written::decode(body)?))),
            EXCLUDED => Some(Item::Excluded(Excluded::decode(body)?.fields)),
            LOST => Some(Item::Lost(Lost::decode(body)?.records)),
            _ => None,
        }
    }

    /// The item, or first what is missing in front of it.
    fn told(&mut self, head: &Head, item: Item) -> Item {
        let missing = self.next.map_or(0, |next| head.number.saturating_sub(next));
        // The number begins anew with each run of a region.
        self.next = Some(head.number + 1);
        let before = match (std::mem::take(&mut self.passed), missing) {
            (0, 0) => return item,
            (0, missing) => Item::Missing(missing),
            (bytes, _) => Item::Damaged(bytes),
        };
        self.kept = Some(item);
        before
    }
}

enum Found<'a> {
    Frame(Head, &'a [u8]),
    /// A frame may begin here, and more bytes are needed to know.
    Short,
    /// So many bytes are no frame.
    Nothing(usize),
}

fn whole_frame(bytes: &[u8]) -> Found<'_> {
    let begins = |rest: &[u8]| rest.iter().zip(MARK).all(|(byte, mark)| *byte == mark);
    let at = (0..bytes.len()).find(|at| begins(&bytes[*at..]));
    match at {
        Some(0) => {}
        at => {
            let passed = at.unwrap_or(bytes.len());
            return match passed {
                0 => Found::Short,
                passed => Found::Nothing(passed),
            };
        }
    }
    let Some((head, rest)) = bytes.split_at_checked(HEAD_BYTES) else {
        return Found::Short;
    };
    let head = Head::take(&mut Bytes(head));
    let Some(head) = head.filter(|head| head.length as usize <= BODY_BYTES_MAX) else {
        return Found::Nothing(1);
    };
    let Some(body) = rest.get(..head.length as usize) else {
        return Found::Short;
    };
    match check(&head, body) == head.check {
        true => Found::Frame(head, body),
        false => Found::Nothing(1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field;

    fn record(task: u64) -> Vec<u8> {
        let mut record = Record::default();
        record
            .set_text(field::TRAN, b"PAY1")
            .set(field::TRANNUM, task);
        let mut bytes = Vec::new();
        record.put(&mut bytes);
        bytes
    }

    fn stream(tasks: u64) -> Vec<u8> {
        let mut frames = Frames::default();
        let mut out = Vec::new();
        let applid = Applid::from_field(b"TRANSOM ");
        frames.begin(
            &mut out,
            &Begin::of(applid, SysId::from_field(b"TXM1"), 7, 3_600),
        );
        (1..=tasks).for_each(|task| frames.task(&mut out, &record(task)));
        out
    }

    fn read(bytes: &[u8]) -> (Vec<u64>, Vec<Item>) {
        let mut reader = Reader::default();
        let mut from = bytes;
        let mut items: Vec<Item> = std::iter::from_fn(|| reader.next(&mut from)).collect();
        items.extend(reader.end(from));
        let (mut tasks, mut others) = (Vec::new(), Vec::new());
        for item in items {
            match item {
                Item::Task(record) => tasks.push(record.number(field::TRANNUM)),
                Item::Begin(_) => {}
                other => others.push(other),
            }
        }
        (tasks, others)
    }

    #[test]
    fn what_was_written_is_read() {
        let mut bytes = stream(3);
        Frames { number: 4 }.lost(&mut bytes, 17);
        assert_eq!(read(&bytes), (vec![1, 2, 3], vec![Item::Lost(17)]));
        // A file that goes on byte by byte.
        let mut reader = Reader::default();
        let (mut from, mut items) = (0, 0);
        for end in 0..=bytes.len() {
            let mut piece = &bytes[from..end];
            while reader.next(&mut piece).is_some() {
                items += 1;
            }
            from = end - piece.len();
        }
        assert_eq!(items, 5);
    }

    #[test]
    fn each_byte_that_is_damaged_costs_its_own_frame_alone() {
        let bytes = stream(5);
        let first = HEAD_BYTES + read_begin_bytes(&bytes);
        for at in first..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 0x10;
            let (tasks, others) = read(&damaged);
            assert_eq!(tasks.len(), 4, "byte {at}: {tasks:?}");
            assert!(
                matches!(others[..], [Item::Damaged(_)]),
                "byte {at}: {others:?}"
            );
        }
    }

    #[test]
    fn a_head_is_as_it_is_declared() {
        let head = Head {
            mark: MARK,
            kind: TASK,
            length: 0x0102_0304,
            number: 0x1112_1314_1516_1718,
            check: 0x2122_2324,
        };
        assert_eq!(transom_language::bytes_of(&head), head.bytes());
    }

    fn read_begin_bytes(bytes: &[u8]) -> usize {
        Head::take(&mut Bytes(&bytes[..HEAD_BYTES])).unwrap().length as usize
    }

    #[test]
    fn a_cut_in_the_middle_of_a_record_costs_that_record() {
        let bytes = stream(2);
        let whole = stream(1).len();
        for cut in whole..bytes.len() {
            let mut then = bytes[..cut].to_vec();
            then.extend(stream(3));
            let (tasks, _) = read(&then);
            assert_eq!(tasks, [1, 1, 2, 3], "cut at {cut}");
        }
    }

    #[test]
    fn frames_that_are_not_there_are_counted() {
        let bytes = stream(5);
        let frame = bytes.len() - stream(4).len();
        let at = stream(2).len();
        let mut less = bytes;
        less.drain(at..at + frame);
        assert_eq!(read(&less), (vec![1, 2, 4, 5], vec![Item::Missing(1)]));
    }

    #[test]
    fn any_bytes_end() {
        let (tasks, others) = read(&[MARK, MARK, MARK].concat());
        assert_eq!((tasks.len(), others), (0, vec![Item::Damaged(9)]));
        assert_eq!(read(&[0xC3]).1, [Item::Damaged(1)]);
        assert_eq!(read(&[]).1, []);
    }
}
