//! Statistics records as SMF 110 subtype 2.
//!
//! What: SMF header, product section (STSMFDS) and data section: statistics records one behind the
//! other, each with length, identifier and version in front (DFHSTIDS). Behind these 8 bytes the
//! fields are those of the supplied copybooks, from their second field on: no public page has the
//! places of IBM's, so the version is [`VERSION`], which none of IBM's records has. Records whose
//! identifier is not known are left out. Not here: files; who collected.

use super::values::{ebcdic, stck};
use super::{HEADER_BYTES, Origin, RECORD_BYTES_MAX, begun};
use crate::statistics::{ALL, Figure, Layout, Means, Written};
use transom_language::codec::Writer;
use transom_types::calendar::DateTime;

/// STIVERS: fields lie as the supplied copybooks say, not as a release of IBM has them.
pub const VERSION: u8 = 0xFF;

/// Bytes of the product section.
const PRODUCT_BYTES: usize = 114;
/// Bytes in front of the fields of a statistics record.
const FRONT_BYTES: usize = 8;
const SUBTYPE: u16 = 2;
/// Milliseconds from 1900 to 1970.
const EPOCH_MS: i64 = 2_208_988_800_000;

/// STID of a record.
const IDS: [(&str, u16); 14] = [
    ("DFHXMGDS", 10),
    ("DFHXMRDS", 11),
    ("DFHXMCDS", 12),
    ("DFHLDRDS", 25),
    ("DFHSMSDS", 29),
    ("DFHA06DS", 34),
    ("DFHTQRDS", 42),
    ("DFHTSGDS", 48),
    ("DFHA17DS", 67),
    ("DFHLGRDS", 93),
    ("DFHNQGDS", 97),
    ("DFHRMGDS", 99),
    ("DFHD2GDS", 102),
    ("DFHD2RDS", 103),
];

/// Records that were written out.
#[derive(Debug, Default)]
pub struct Exported {
    /// Each with its record descriptor word.
    pub records: Vec<Vec<u8>>,
    /// Statistics records in them.
    pub statistics: u64,
    /// Those without an identifier, or longer than a record of SMF.
    pub left_out: u64,
}

/// Statistics that were written at one time for one reason. `started_ns`: when the region started.
pub fn records(origin: &Origin, started_ns: u64, written: &[&Written]) -> Exported {
    let mut out = Exported::default();
    let mut data: Vec<u8> = Vec::new();
    for one in written {
        let bytes = statistics_record(one);
        let room = RECORD_BYTES_MAX - HEADER_BYTES - PRODUCT_BYTES;
        let Some(bytes) = bytes.filter(|bytes| bytes.len() <= room) else {
            out.left_out += 1;
            continue;
        };
        if data.len() + bytes.len() > room {
            out.records.push(record(origin, started_ns, one, &data));
            data.clear();
        }
        data.extend(bytes);
        out.statistics += 1;
    }
    if let (Some(last), false) = (written.last(), data.is_empty()) {
        out.records.push(record(origin, started_ns, last, &data));
    }
    out
}

fn statistics_record(written: &Written) -> Option<Vec<u8>> {
    let (_, id) = IDS.iter().find(|(name, _)| *name == written.record)?;
    let layout = ALL.iter().find(|layout| layout.name == written.record)?;
    let mut out = Writer(Vec::new());
    out.u16(0).u16(*id).u8(VERSION).raw(&[0; 3]);
    fields(&mut out, layout, &written.figures);
    let length = u16::try_from(out.0.len()).ok()?;
    out.0[..2].copy_from_slice(&length.to_be_bytes());
    debug_assert!(out.0.len() >= FRONT_BYTES);
    Some(out.0)
}

fn fields(out: &mut Writer, layout: &Layout, figures: &[Figure]) {
    for (field, name) in layout.all().zip(layout.names()) {
        let figure = figures.iter().find(|figure| figure.name == name);
        match field.means {
            Means::Text(bytes) => {
                let text = figure.and_then(|figure| figure.text.as_deref());
                out.raw(&ebcdic(text.unwrap_or_default(), bytes.into()));
            }
            _ => {
                let number = figure.map_or(0, |figure| figure.number);
                out.u32(i32::try_from(number).unwrap_or(i32::MAX) as u32);
            }
        }
    }
}

fn record(origin: &Origin, started_ns: u64, of: &Written, data: &[u8]) -> Vec<u8> {
    let mut out = begun(origin, SUBTYPE, PRODUCT_BYTES, data.len());
    product(&mut out, origin, started_ns, of);
    out.raw(data);
    out.0
}

/// The product section behind the names of the region. What a region of Transom does not have is
/// zero or blank: domain, interval, request token, job, system.
fn product(out: &mut Writer, origin: &Origin, started_ns: u64, of: &Written) {
    let (collected, reset) = (local(of.at_ns, origin), local(of.since_ns, origin));
    let hhmmss = |at: &DateTime| format!("{:02}{:02}{:02}", at.hour, at.minute, at.second);
    let day = format!(
        "{:02}{:02}{:04}",
        collected.month, collected.day, collected.year
    );
    out.u16(0)
        .u32(0)
        .u32(0)
        .raw(&ebcdic("", 2))
        .raw(&ebcdic(of.why.word(), 3))
        .raw(&ebcdic("NO", 3))
        .raw(&ebcdic(day, 8))
        .raw(&ebcdic(hhmmss(&collected), 6))
        .raw(&ebcdic("000000", 6))
        .u32(0)
        .u64(0)
        .raw(&ebcdic(hhmmss(&reset), 6))
        .u64(stck(started_ns))
        .raw(&ebcdic("", 8))
        .u32(0)
        .u32(0)
        .raw(&ebcdic("", 8))
        .raw(&ebcdic("", 8));
}

fn local(unix_ns: u64, origin: &Origin) -> DateTime {
    let ms = (unix_ns / 1_000_000) as i64 + i64::from(origin.utc_offset_s) * 1_000;
    DateTime::from_abstime(ms + EPOCH_MS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::{Counted, FILE, PROGRAM, TRANSACTION_MANAGER, Value, Why};
    use transom_copybook::codepage::CP037;
    use transom_types::{Applid, SysId};

    const AT: u64 = 1_795_381_507_120_000_000;

    fn origin() -> Origin {
        Origin {
            applid: Applid::from_field(b"BANK    "),
            sysid: SysId::from_field(b"TXM1"),
            unix_ns: AT + 9_000_000_000,
            utc_offset_s: 3_600,
        }
    }

    fn half(bytes: &[u8], at: usize) -> usize {
        usize::from(u16::from_be_bytes([bytes[at], bytes[at + 1]]))
    }

    fn full(bytes: &[u8], at: usize) -> usize {
        half(bytes, at) << 16 | half(bytes, at + 2)
    }

    fn text(bytes: &[u8]) -> String {
        let text = bytes.iter().map(|byte| CP037.to_char[usize::from(*byte)]);
        text.collect::<String>().trim_end().to_owned()
    }

    /// Reads the file as STSMFDS and DFHSTIDS say: product section, then identifier and bytes of
    /// each statistics record.
    fn read(record: &[u8]) -> (Vec<u8>, Vec<(usize, Vec<u8>)>) {
        assert_eq!((half(record, 0), record[5]), (record.len(), 110));
        assert_eq!((half(record, 22), half(record, 24)), (2, 2));
        assert_eq!(text(&record[18..22]), "CICS");
        let (at, bytes) = (full(record, 28), half(record, 32));
        let product = record[at..at + bytes].to_vec();
        let (mut at, bytes) = (full(record, 36), half(record, 40));
        let end = at + bytes;
        assert_eq!(end, record.len());
        let mut all = Vec::new();
        while at < end {
            let length = half(record, at);
            assert_eq!(record[at + 4], VERSION);
            all.push((half(record, at + 2), record[at + 8..at + length].to_vec()));
            at += length;
        }
        (product, all)
    }

    fn written(layout: &'static Layout, name: &str, first: u64) -> Written {
        let numbers = layout
            .all()
            .enumerate()
            .map(|(n, field)| match field.means {
                Means::Text(_) => Value::Text(name.as_bytes().to_vec()),
                _ => Value::Number(first + n as u64),
            });
        let counted = Counted::new(layout, numbers.collect());
        Written::of(&counted, (AT, AT - 3_600_000_000_000), Why::Interval)
    }

    #[test]
    fn a_reader_of_the_public_layout_finds_collection_and_records() {
        let manager = written(&TRANSACTION_MANAGER, "", 100);
        let file = written(&FILE, "ACCOUNTS", 5);
        let exported = records(&origin(), AT - 7_200_000_000_000, &[&manager, &file]);
        assert_eq!((exported.statistics, exported.left_out), (2, 0));
        let (product, found) = read(&exported.records[0]);
        assert_eq!(text(&product[2..10]), "BANK");
        assert_eq!(
            (text(&product[30..33]), text(&product[33..36])),
            ("INT".to_owned(), "NO".to_owned())
        );
        // 22:05:07 of 22 November 2026, an hour east of UTC; counted since an hour before.
        assert_eq!(text(&product[36..50]), "11222026220507");
        assert_eq!(text(&product[68..74]), "210507");
        let ids: Vec<usize> = found.iter().map(|(id, _)| *id).collect();
        assert_eq!(ids, [10, 67]);
        let numbers: Vec<usize> = (0..10).map(|n| full(&found[0].1, 4 * n)).collect();
        assert_eq!(numbers, (100..110).collect::<Vec<_>>());
        let file = &found[1].1;
        assert_eq!((text(&file[..8]), full(file, 52)), ("ACCOUNTS".into(), 7));
    }

    #[test]
    fn many_records_are_several_of_smf_and_unknown_ones_are_left_out() {
        let program = written(&PROGRAM, "PAYROLL", 1);
        let mut own = program.clone();
        own.record = "links".to_owned();
        let mut all = vec![&program; 5_000];
        all.push(&own);
        let exported = records(&origin(), AT, &all);
        assert_eq!((exported.statistics, exported.left_out), (5_000, 1));
        assert!(exported.records.len() > 3);
        let found = exported.records.iter().map(|record| {
            assert!(record.len() <= RECORD_BYTES_MAX);
            read(record).1.len()
        });
        assert_eq!(found.sum::<usize>(), 5_000);
        assert!(records(&origin(), AT, &[&own]).records.is_empty());
    }
}
