//! Record files and code pages.

use transom_copybook::{Layout, ParseOptions, Profile, parse};
use transom_idcams::PrintFormat;
use transom_idcams::convert::Converter;
use transom_idcams::listing;
use transom_idcams::record::{Cut, FileFormat, Part, RecordError, Writer, split};

/// All records of a file that arrives in pieces of `step` bytes.
fn records(format: FileFormat, file: &[u8], step: usize) -> Result<Vec<Vec<u8>>, RecordError> {
    let (mut buffer, mut read, mut left, mut out) = (Vec::new(), 0, 0, Vec::new());
    loop {
        match split(format, &buffer, read == file.len(), &mut left)? {
            Cut::Need(_) => {
                let next = (read + step).min(file.len());
                buffer.extend_from_slice(&file[read..next]);
                read = next;
            }
            Cut::Skip(n) => drop(buffer.drain(..n)),
            Cut::Record {
                range,
                consumed,
                part,
            } => {
                assert_eq!(part, Part::Whole);
                out.push(buffer[range].to_vec());
                buffer.drain(..consumed);
            }
            Cut::End => return Ok(out),
        }
    }
}

#[test]
fn every_format_gives_back_what_was_written() {
    let given: Vec<Vec<u8>> = (0..4000).map(|i| format!("{i:020}").into_bytes()).collect();
    for format in [
        FileFormat::Fixed(20),
        FileFormat::Variable,
        FileFormat::Blocked,
        FileFormat::Lines,
        FileFormat::CrLines,
    ] {
        let (mut writer, mut file) = (Writer::new(format, b' '), Vec::new());
        for record in &given {
            writer.write(record, &mut file).unwrap();
        }
        writer.finish(&mut file);
        for step in [1, 7, 100_000] {
            assert_eq!(records(format, &file, step).unwrap(), given, "{format:?}");
        }
    }
}

#[test]
fn a_file_that_ends_too_early_is_an_error() {
    assert_eq!(
        records(FileFormat::Fixed(4), b"AAAABB", 3),
        Err(RecordError::Cut {
            expected: 4,
            found: 2
        })
    );
    assert_eq!(
        records(FileFormat::Variable, b"\0\x08\0\0AA", 9)
            .unwrap_err()
            .to_string(),
        "TXMID0040E the file ends inside a record: 6 of 8 bytes are there"
    );
    assert_eq!(
        records(FileFormat::Variable, b"ABCD", 9)
            .unwrap_err()
            .to_string(),
        "TXMID0041E X'41424344' is no record descriptor word"
    );
}

#[test]
fn packed_fields_stay_and_signs_keep_their_meaning() {
    let text = "       01 REC.
          05 NAME     PIC X(4).
          05 BALANCE  PIC S9(5)V99 COMP-3.
          05 LIMIT    PIC S9(3).
          05 COUNTER  PIC 9(4) COMP.
          05 OWN      PIC 9(4) COMP-5 OCCURS 2.
";
    let (book, problems) = parse(text, &ParseOptions::default());
    assert!(problems.is_empty());
    let layout = Layout::new(&book, Profile::Host).unwrap();
    let german = Converter::fields(273, &layout, Some("rec")).unwrap();
    // Ä in 273 is X'4A'; the minus three of LIMIT is X'F1F2D3'.
    let outside = [
        0x4A, 0xC1, 0x40, 0x5A, 0x00, 0x12, 0x34, 0x5D, 0xF1, 0xF2, 0xD3, 0x40, 0xC1, 0x40, 1,
        0x40, 2,
    ];
    let mut record = outside;
    german.inward(&mut record);
    assert_eq!(
        &record,
        b"\xC4A \xDC\x00\x12\x34\x5D12L\x40\xC1\x01\x40\x02\x40"
    );
    german.outward(&mut record);
    assert_eq!(record, outside);
    assert!(Converter::fields(37, &layout, Some("OTHER")).is_err());
}

#[test]
fn a_dump_has_hexadecimal_and_characters() {
    let shown = listing::record(
        "KEY OF RECORD - 0001",
        b"0001ABC\x00\x0C",
        PrintFormat::Dump,
    );
    assert_eq!(
        shown,
        "KEY OF RECORD - 0001\n000000  30303031 41424300 0C                                                    *0001ABC..*\n"
    );
}

#[test]
fn floating_point_is_hexadecimal_outside() {
    let text = "       01 REC.
          05 RATE   COMP-1.
          05 TOTAL  COMP-2.
";
    let (book, _) = parse(text, &ParseOptions::default());
    let layout = Layout::new(&book, Profile::Host).unwrap();
    let host = Converter::fields(37, &layout, None).unwrap();
    assert_eq!(host.warnings(), [""; 0]);
    let outside = [
        &[0xC2, 0x76, 0xA0, 0x00][..],
        &[0x41, 0x10, 0, 0, 0, 0, 0, 0],
    ]
    .concat();
    let mut record = outside.clone();
    host.inward(&mut record);
    let inside = [&(-118.625_f32).to_le_bytes()[..], &1.0_f64.to_le_bytes()].concat();
    assert_eq!(record, inside);
    host.outward(&mut record);
    assert_eq!(record, outside);
    // 16 to the 62nd is too great for COMP-1 here.
    let mut great = [&[0x7F, 0x10, 0, 0][..], &[0; 8]].concat();
    host.inward(&mut great);
    assert_eq!((&great[..4], host.unturned()), (&[0x7F, 0x10, 0, 0][..], 1));
    let text = Converter::fields(819, &layout, None).unwrap();
    let mut record = inside.clone();
    text.inward(&mut record);
    assert_eq!(record, inside);
}
