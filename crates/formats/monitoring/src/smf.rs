//! Records as SMF has them, as tools of the mainframe read them: here 110 subtype 1, of tasks.
//!
//! What: SMF header, product section and data section: a dictionary (class 1), then performance
//! records (class 3) with a connector for each field. Everything is big-endian and EBCDIC; moments
//! are STCK, clocks are the time in units of a microsecond (as bits 0 to 51 of STCK count, in eight
//! bytes of which the last twelve bits are zero) and their periods in four. Why only uncompressed
//! records: a reader needs nothing else then. Beside it statistics (110 subtype 2) and requests of
//! the gateway (123). Not here: blocks and files (each record has its RDW).

pub mod requests;
pub mod statistics;
mod values;

use crate::control_table::PIECE_BYTES;
use crate::kind::{FieldId, Kind};
use crate::record::Record;
use crate::stream::Begin;
use transom_copybook::codepage::CP037;
use transom_language::codec::Writer;
use transom_types::{Applid, SysId};
use values::{clock, date, ebcdic, packed, stck};

/// Bytes of the SMF header with its triplets.
const HEADER_BYTES: usize = 44;
/// Bytes of the product section.
const PRODUCT_BYTES: usize = 104;
/// Bytes of a dictionary entry.
const ENTRY_BYTES: usize = 26;
/// Bytes of a connector.
const CONNECTOR_BYTES: usize = 2;
/// Longest record that SMF takes.
const RECORD_BYTES_MAX: usize = 32_756;
/// Subsystem identification follows system identification, and there are subtypes.
const FLAGS: u8 = 0xC0;
const TYPE: u8 = 110;
const MONITORING: u16 = 1;
const DICTIONARY: u16 = 1;
const PERFORMANCE: u16 = 3;
/// Release of the records: 0VRM of CICS TS 5.4, whose fields these are.
const RELEASE: u16 = 0x0710;

/// Who wrote the records, and when they are written out.
#[derive(Debug, Clone, Copy)]
pub struct Origin {
    pub applid: Applid,
    pub sysid: SysId,
    /// Since 1970 UTC.
    pub unix_ns: u64,
    /// Seconds that local time is east of UTC.
    pub utc_offset_s: i32,
}

/// The fields of the records of a stream, as columns of their SMF records.
#[derive(Debug, Clone)]
pub struct Layout {
    columns: Vec<Column>,
}

#[derive(Debug, Clone)]
struct Column {
    group: String,
    letter: u8,
    number: u16,
    bytes: usize,
    name: String,
    from: From,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum From {
    Cics(FieldId),
    /// So many fields at this place of the dictionary, one behind the other.
    User {
        place: usize,
        pieces: usize,
    },
}

impl Layout {
    /// Of a stream that begins so; its records go without the fields at these places.
    pub fn of(begin: &Begin, excluded: &[u16]) -> Self {
        let is_there = |place: usize| !excluded.iter().any(|out| usize::from(*out) == place);
        let mut columns: Vec<Column> = Vec::new();
        for (place, known) in begin.fields.iter().enumerate() {
            let same = |id: &FieldId| {
                let field = id.field();
                field.group == known.group && field.number == known.number
            };
            let cics = FieldId::all().find(same);
            let from = match cics {
                _ if !is_there(place) => continue,
                Some(id) => From::Cics(id),
                None => From::User { place, pieces: 1 },
            };
            let goes_on = known.letter == b'C' && known.number > 1 && cics.is_none();
            if let Some(last) = columns
                .last_mut()
                .filter(|last| goes_on && last.group == known.group)
                && let From::User { pieces, .. } = &mut last.from
            {
                *pieces += 1;
                last.bytes += usize::from(known.bytes);
                continue;
            }
            columns.push(Column {
                group: known.group.clone(),
                letter: known.letter,
                number: known.number,
                bytes: known.bytes.into(),
                name: known.name.clone(),
                from,
            });
        }
        Self { columns }
    }

    /// The record with the dictionary of all fields.
    pub fn dictionary(&self, origin: &Origin) -> Vec<u8> {
        let mut data = Writer(Vec::new());
        let mut offset = 0_u16;
        for (connector, column) in (1_u16..).zip(&self.columns) {
            data.raw(&ebcdic(&column.group, 8))
                .raw(&ebcdic([column.letter], 1))
                .raw(&ebcdic(format!("{:03}", column.number), 3))
                .u16(column.bytes as u16)
                .u16(connector)
                .u16(offset)
                .raw(&ebcdic(&column.name, 8));
            offset += column.bytes as u16;
        }
        let shape = Shape {
            class: DICTIONARY,
            connectors: 0,
            row_bytes: ENTRY_BYTES,
            rows: self.columns.len(),
        };
        record(origin, &shape, &data.0)
    }

    /// Most tasks that one record has room for.
    pub fn tasks_max(&self) -> usize {
        let fixed = HEADER_BYTES + PRODUCT_BYTES + self.columns.len() * CONNECTOR_BYTES;
        (RECORD_BYTES_MAX.saturating_sub(fixed) / self.task_bytes()).max(1)
    }

    /// A record of these tasks, at most [`Self::tasks_max`].
    pub fn performance(&self, origin: &Origin, tasks: &[Record]) -> Vec<u8> {
        let mut data = Writer(Vec::new());
        let connectors = self.columns.len();
        for connector in 1..=connectors as u16 {
            data.u16(connector);
        }
        for task in tasks {
            self.columns
                .iter()
                .for_each(|column| column.put(&mut data, task));
        }
        let shape = Shape {
            class: PERFORMANCE,
            connectors,
            row_bytes: self.task_bytes(),
            rows: tasks.len(),
        };
        record(origin, &shape, &data.0)
    }

    fn task_bytes(&self) -> usize {
        let bytes: usize = self.columns.iter().map(|column| column.bytes).sum();
        bytes.max(1)
    }
}

impl Column {
    fn put(&self, out: &mut Writer, task: &Record) {
        let (place, pieces) = match self.from {
            From::Cics(id) => return put(out, task, id),
            From::User { place, pieces } => (place, pieces),
        };
        let values = task.more().map_or(&[][..], |more| &more.values);
        let of = |place: usize| {
            values
                .iter()
                .find(|value| usize::from(value.field) == place)
        };
        match self.letter {
            b'C' => {
                let mut text = Vec::with_capacity(self.bytes);
                for (n, value) in (place..place + pieces).map(of).enumerate() {
                    text.resize(n * usize::from(PIECE_BYTES), 0);
                    text.extend(value.map_or(&[][..], |value| &value.text));
                }
                text.resize(self.bytes, 0);
                out.raw(
                    &text
                        .iter()
                        .map(|b| CP037.from_latin1[usize::from(*b)])
                        .collect::<Vec<_>>(),
                )
            }
            b'S' => {
                let value = of(place).map_or((0, 0), |value| (value.number, value.periods));
                clock(out, value)
            }
            _ => out.u32(of(place).map_or(0, |value| value.number as u32)),
        };
    }
}

struct Shape {
    class: u16,
    connectors: usize,
    row_bytes: usize,
    rows: usize,
}

fn record(origin: &Origin, shape: &Shape, data: &[u8]) -> Vec<u8> {
    let mut out = begun(origin, MONITORING, PRODUCT_BYTES, data.len());
    // The product section.
    let connectors_at = HEADER_BYTES + PRODUCT_BYTES;
    let rows_at = connectors_at + shape.connectors * CONNECTOR_BYTES;
    out.u16(0)
        .u16(0)
        .u16(shape.class)
        .u32(match shape.connectors {
            0 => 0,
            _ => connectors_at as u32,
        })
        .u16(match shape.connectors {
            0 => 0,
            _ => CONNECTOR_BYTES as u16,
        })
        .u16(shape.connectors as u16)
        .u32(rows_at as u32)
        .u16(shape.row_bytes as u16)
        .u16(shape.rows as u16);
    // Nothing is compressed, and there are no leap seconds.
    out.0.resize(HEADER_BYTES + PRODUCT_BYTES, 0);
    out.raw(data);
    out.0
}

/// A record of type 110 with a product and a data section of so many bytes, up to what all product
/// sections begin with: release and names of the region.
fn begun(origin: &Origin, subtype: u16, product: usize, data: usize) -> Writer {
    let length = HEADER_BYTES + product + data;
    let local_s = origin.unix_ns as i64 / 1_000_000_000 + i64::from(origin.utc_offset_s);
    let mut out = Writer::with_capacity(length);
    out.u16(length as u16)
        .u16(0)
        .u8(FLAGS)
        .u8(TYPE)
        .u32((local_s.rem_euclid(86_400) * 100) as u32)
        .u32(date(local_s))
        .raw(&ebcdic(origin.sysid.as_str(), 4))
        .raw(&ebcdic("CICS", 4))
        .u16(subtype)
        .u16(2)
        .u16(0)
        .u32(HEADER_BYTES as u32)
        .u16(product as u16)
        .u16(1)
        .u32((HEADER_BYTES + product) as u32)
        .u16(data as u16)
        .u16(1);
    out.u16(RELEASE)
        .raw(&ebcdic(origin.applid.as_str(), 8))
        .raw(&ebcdic(origin.applid.as_str(), 8));
    out
}

fn put(out: &mut Writer, task: &Record, id: FieldId) {
    let number = task.number(id);
    match id.field().kind {
        Kind::Count => out.u32(u32::try_from(number).unwrap_or(u32::MAX)),
        Kind::LongCount => out.u64(number),
        Kind::Clock => clock(out, (number, task.periods(id))),
        Kind::Stamp if number == 0 => out.u64(0),
        Kind::Stamp => out.u64(stck(number)),
        Kind::Packed => out.u32(packed(number)),
        Kind::Text(bytes) => {
            let field = ebcdic(task.text(id), bytes.into());
            out.raw(&field)
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stream::{self, Frames, Item, Known};
    use crate::{ControlTable, How, More, UserFields, field};
    use std::collections::HashMap;

    const ORIGIN: Origin = Origin {
        applid: Applid::BLANK,
        sysid: SysId::BLANK,
        unix_ns: 1_795_381_507_120_000_000,
        utc_offset_s: 3_600,
    };

    fn layout() -> Layout {
        let begin = Begin::of(Applid::BLANK, SysId::BLANK, 0, 0);
        Layout::of(&begin, &[])
    }

    fn half(bytes: &[u8], at: usize) -> usize {
        usize::from(bytes[at]) << 8 | usize::from(bytes[at + 1])
    }

    fn full(bytes: &[u8], at: usize) -> usize {
        half(bytes, at) << 16 | half(bytes, at + 2)
    }

    fn text(bytes: &[u8]) -> String {
        let text: String = bytes
            .iter()
            .map(|b| CP037.to_char[usize::from(*b)])
            .collect();
        text.trim_end().to_owned()
    }

    /// A reader of the public layout: header, product section, dictionary by connectors.
    fn read(dictionary: &[u8], record: &[u8]) -> Vec<HashMap<String, Vec<u8>>> {
        for smf in [dictionary, record] {
            assert_eq!((half(smf, 0), smf[5], half(smf, 22)), (smf.len(), 110, 1));
            assert_eq!(text(&smf[18..22]), "CICS");
        }
        let product = full(dictionary, 28);
        assert_eq!(half(dictionary, product + 22), 1);
        let (from, bytes) = (
            full(dictionary, product + 32),
            half(dictionary, product + 36),
        );
        let entries = (0..half(dictionary, product + 38)).map(|n| from + n * bytes);
        let by_connector: HashMap<usize, (String, usize)> = entries
            .map(|at| {
                let entry = &dictionary[at..at + bytes];
                let name = format!(
                    "{}.{}{}",
                    text(&entry[..8]),
                    text(&entry[9..12]),
                    text(&entry[18..26])
                );
                (half(entry, 14), (name, half(entry, 12)))
            })
            .collect();
        let product = full(record, 28);
        assert_eq!(half(record, product + 22), 3);
        let (at, bytes) = (full(record, product + 24), half(record, product + 28));
        let connectors: Vec<usize> = (0..half(record, product + 30))
            .map(|n| half(record, at + n * bytes))
            .collect();
        let (from, bytes) = (full(record, product + 32), half(record, product + 36));
        (0..half(record, product + 38))
            .map(|n| {
                let row = &record[from + n * bytes..from + (n + 1) * bytes];
                let mut at = 0;
                let field = |connector: &usize| {
                    let (name, bytes) = &by_connector[connector];
                    at += bytes;
                    (name.clone(), row[at - bytes..at].to_vec())
                };
                connectors.iter().map(field).collect()
            })
            .collect()
    }

    #[test]
    fn a_reader_of_the_public_layout_finds_every_field() {
        let mut task = Record::default();
        task.set_text(field::TRAN, b"PAY1")
            .set(field::TRANNUM, 1_234_567)
            .set(field::START, 1_795_381_507_000_001_500)
            .set(field::FCGETCT, 258)
            .add_clock(field::USRCPUT, 2_000_000, 3);
        let layout = layout();
        let tasks = vec![task.clone(); layout.tasks_max()];
        let record = layout.performance(&ORIGIN, &tasks);
        assert!(record.len() <= RECORD_BYTES_MAX && tasks.len() > 20);
        let rows = read(&layout.dictionary(&ORIGIN), &record);
        assert_eq!(rows.len(), tasks.len());
        let row = &rows[tasks.len() - 1];
        assert_eq!(row.len(), field::COUNT);
        assert_eq!(text(&row["DFHTASK.001TRAN"]), "PAY1");
        assert_eq!(row["DFHTASK.031TRANNUM"], [0x12, 0x34, 0x56, 0x7C]);
        assert_eq!(row["DFHFILE.036FCGETCT"], [0, 0, 1, 2]);
        assert_eq!(
            row["DFHTASK.008USRCPUT"],
            [0, 0, 0, 0, 0, 0x7D, 0, 0, 0, 0, 0, 3]
        );
        let start = u64::from_be_bytes(row["DFHCICS.005START"].as_slice().try_into().unwrap());
        assert_eq!(start >> 12, 1_795_381_507_000_001 + 2_208_988_800_000_000);
        assert_eq!(start & 0xFFF, 2_048);
    }

    #[test]
    fn the_header_has_local_time_and_date() {
        let record = layout().dictionary(&ORIGIN);
        // 22:05:07.12 of day 326 of 2026.
        assert_eq!(full(&record, 6), (22 * 3_600 + 5 * 60 + 7) * 100);
        assert_eq!(record[10..14], [0x01, 0x26, 0x32, 0x6F]);
    }

    #[test]
    fn fields_of_users_are_there_and_excluded_ones_are_not() {
        let source = [
            " DFHMCT TYPE=INITIAL,SUFFIX=A1,APPLNAME=YES",
            &format!(
                "{:71}X",
                " DFHMCT TYPE=EMP,ID=ORDERS.7,CLASS=PERFORM,COUNT=(2,LINES),"
            ),
            &format!(
                "{:71}X",
                "               FIELD=(1,NOTES),PERFORM=(ADDCNT(2,DATA1),"
            ),
            "               SCLOCK(1),MOVE(0,300))",
            " DFHMCT TYPE=RECORD,CLASS=PERFORM,EXCLUDE=DFHFILE,INCLUDE=(036)",
            " DFHMCT TYPE=FINAL",
        ];
        let source = source.join("\n");
        let (table, problems) = ControlTable::read("DFHMCTA1", "mct", &source);
        assert_eq!(problems, []);
        let mut fields = UserFields::of(&table);
        let place = |name: &str| {
            let named = |field: &Known| field.user_name() == name;
            table.fields.iter().position(named).unwrap() as u16
        };
        fields.count(place("ORDERS.A002"), How::Add, 258);
        fields.start(place("ORDERS.S001"), 1_000_000);
        fields.move_in(place("ORDERS.C001"), 249, b"AB");
        let mut task = Record::default();
        task.set(field::FCGETCT, 3).set(field::FCADDCT, 4);
        task.leave_out(table.excluded());
        task.set_more(More {
            fields: table.fields.len() as u16,
            values: fields.values(3_000_000),
        });

        let begin = Begin::of(Applid::BLANK, SysId::BLANK, 0, 0).with(&table);
        let (mut frames, mut stream, mut bytes) = (Frames::default(), Vec::new(), Vec::new());
        frames.begin(&mut stream, &begin);
        frames.excluded(&mut stream, &table.excluded().collect::<Vec<_>>());
        task.put(&mut bytes);
        frames.task(&mut stream, &bytes);
        let (mut reader, mut from) = (stream::Reader::default(), &stream[..]);
        let items: Vec<Item> = std::iter::from_fn(|| reader.next(&mut from)).collect();
        let [
            Item::Begin(begin),
            Item::Excluded(excluded),
            Item::Task(task),
        ] = &items[..]
        else {
            panic!("{items:?}");
        };

        let layout = Layout::of(begin, excluded);
        let record = layout.performance(&ORIGIN, std::slice::from_ref(task));
        let rows = read(&layout.dictionary(&ORIGIN), &record);
        let row = &rows[0];
        assert_eq!(row["DFHFILE.036FCGETCT"], [0, 0, 0, 3]);
        assert!(!row.contains_key("DFHFILE.039FCADDCT"));
        assert_eq!(row["ORDERS.002LINES"], [0, 0, 1, 2]);
        assert_eq!(row["ORDERS.001NOTES"].len(), 300);
        assert_eq!(row["ORDERS.001NOTES"][249..252], [0xC1, 0xC2, 0]);
        assert_eq!(row["DFHAPPL.001DFHAPPL"].len(), 12);
    }
}
