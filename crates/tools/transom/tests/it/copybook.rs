//! `transom copybook`: files become JSON lines and the same files again.

use crate::harness::{fixtures, transom};
use std::fs;
use std::path::Path;

const BOOK: &str = "       01 ORDERS.
           05 CUSTOMER PIC X(6).
           05 QTY PIC 9(3).
           05 N PIC 9.
           05 LINES OCCURS 0 TO 3 DEPENDING ON N.
              10 AMT PIC S9(3)V99 COMP-3.
";

/// Two records in code page 37: SMITH with two lines, JONES with none and three letters for QTY.
const SMITH: &[u8] = b"\xE2\xD4\xC9\xE3\xC8\x40\xF0\xF1\xF2\xF2\x01\x23\x4C\x05\x00\x0D";
const JONES: &[u8] = b"\xD1\xD6\xD5\xC5\xE2\x40\xC1\xC2\xD2\xF0";

/// Decodes with the options, and encodes what came out: JSON, standard error.
fn there_and_back(dir: &Path, data: &[u8], options: &[&str]) -> (String, String) {
    fs::write(dir.join("book.cpy"), BOOK).unwrap();
    fs::write(dir.join("data.bin"), data).unwrap();
    let decode = [&["copybook", "decode", "book.cpy", "data.bin"], options].concat();
    let (done, json, told) = transom(&decode, dir);
    assert!(done, "{told}");
    fs::write(dir.join("data.json"), &json).unwrap();
    let encode = [
        "copybook",
        "encode",
        "book.cpy",
        "data.json",
        "-o",
        "again.bin",
    ];
    let (done, _, why) = transom(&[&encode, options].concat(), dir);
    assert!(done, "{why}");
    assert_eq!(fs::read(dir.join("again.bin")).unwrap(), data, "{json}");
    (json, told)
}

#[test]
fn records_one_behind_the_other_and_values_that_are_none() {
    let dir = tempfile::tempdir().unwrap();
    let data = [SMITH, JONES].concat();
    let (json, told) = there_and_back(dir.path(), &data, &["--format", "odo"]);
    assert_eq!(
        json,
        r#"{"ORDERS":{"CUSTOMER":"SMITH","QTY":12,"N":2,"LINES":[{"AMT":12.34},{"AMT":-50.00}]}}
{"ORDERS":{"CUSTOMER":"JONES","QTY":null,"N":0,"LINES":[]},"$bytes":{"/ORDERS/QTY":"C1C2D2"}}
"#
    );
    assert_eq!(
        told,
        "data.bin: record 2 at byte 16: TXMCB0603E /ORDERS/QTY (field QTY) at byte 6: the bytes \
         X'C1C2D2' are not a number of its picture.\n\
         TXMCB0606W data.bin: 1 values in 1 records are no values of their items\n"
    );
    let strict = [
        "copybook", "decode", "book.cpy", "data.bin", "--format", "odo", "--strict",
    ];
    let (done, json, told) = transom(&strict, dir.path());
    assert!(!done && json.lines().count() == 1, "{json}");
    assert!(
        told.contains("record 2 at byte 16: TXMCB0603E /ORDERS/QTY"),
        "{told}"
    );
}

#[test]
fn variable_records_are_not_cut() {
    let dir = tempfile::tempdir().unwrap();
    let mut data = Vec::new();
    // The second record is longer than its tables say.
    for record in [SMITH.to_vec(), [JONES, &[0x40; 30]].concat()] {
        data.extend([0, record.len() as u8 + 4, 0, 0]);
        data.extend(record);
    }
    let (json, _) = there_and_back(dir.path(), &data, &["--format", "variable"]);
    assert!(
        json.contains(&format!(r#""end":"{}"}}"#, "40".repeat(30))),
        "{json}"
    );
}

#[test]
fn fixed_records_and_a_last_one_that_is_cut_off() {
    let dir = tempfile::tempdir().unwrap();
    let mut data = JONES.to_vec();
    data.resize(19, 0);
    data.extend(&SMITH[..8]);
    let (json, told) = there_and_back(dir.path(), &data, &[]);
    assert!(
        told.starts_with("TXMCB0609W data.bin: the records are taken to have 19 bytes each"),
        "{told}"
    );
    let (_, told) = there_and_back(dir.path(), &data, &["--format", "fixed"]);
    assert!(
        json.ends_with(
            "{\"ORDERS\":{\"CUSTOMER\":\"SMITH\",\"QTY\":null},\"$bytes\":{\"/ORDERS/QTY\":\"F0F1\",\"length\":\"8\"}}\n"
        ),
        "{json}"
    );
    assert!(
        told.contains("TXMCB0608W data.bin: the last record has 8 of 19 bytes"),
        "{told}"
    );
    let strict = [
        "copybook",
        "decode",
        "book.cpy",
        "data.bin",
        "--strict",
        "--records",
        "2",
    ];
    assert!(!transom(&strict, dir.path()).0);
}

/// Files of another project (Cobrix); test11 has headers of its own, which become record
/// descriptor words.
#[test]
fn cobrix_files_come_back_through_the_command() {
    let Some(from) = fixtures("copybook-json") else {
        return;
    };
    let dir = tempfile::tempdir().unwrap();
    for (copybook, data, format) in [
        ("test1_copybook.cob", "test1_data/example.bin", "fixed"),
        ("test1_copybook.cob", "test1_data/example.bin", "odo"),
        (
            "test3_copybook.cob",
            "test3_data/TRAN2.AUG31.DATA.dat",
            "fixed",
        ),
        (
            "test6_copybook.cob",
            "test6_data/INTEGR.TYPES.NOV28.DATA.dat",
            "fixed",
        ),
        (
            "test7_fillers.cob",
            "test7_data/TEST.FILLERS.DEC07.DATA.dat",
            "fixed",
        ),
        (
            "test9_copybook.cob",
            "test9_data/TRAN.APR14.NPT.DATA.dat",
            "fixed",
        ),
        (
            "test11_copybook.cob",
            "test11_data/COMP.DETAILS.MAY30.DATA.dat",
            "variable",
        ),
        (
            "test19_display_num.cob",
            "test19_display_num/data.dat",
            "fixed",
        ),
        ("test25_copybook.cob", "test25_data/data.dat", "fixed"),
    ] {
        let mut bytes = fs::read(from.join(data)).unwrap();
        if format == "variable" {
            bytes = with_descriptor_words(&bytes);
        }
        fs::write(dir.path().join("data"), &bytes).unwrap();
        let book = from.join(copybook).display().to_string();
        let decode = ["copybook", "decode", &book, "data", "--format", format];
        let (done, json, told) = transom(&decode, dir.path());
        assert!(done, "{copybook}: {told}");
        fs::write(dir.path().join("json"), &json).unwrap();
        let encode = [
            "copybook", "encode", &book, "json", "-o", "again", "--format", format,
        ];
        let (done, _, told) = transom(&encode, dir.path());
        assert!(done, "{copybook}: {told}");
        let again = fs::read(dir.path().join("again")).unwrap();
        assert!(
            again == bytes,
            "{copybook} {format}: {} bytes for {}",
            again.len(),
            bytes.len()
        );
    }
}

/// Headers of five bytes with the length, little-endian, in their last two.
fn with_descriptor_words(data: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = data;
    while let [_, _, _, low, high, behind @ ..] = rest {
        let len = usize::from(*low) + 256 * usize::from(*high);
        let (record, next) = behind.split_at(len.min(behind.len()));
        out.extend(((record.len() + 4) as u16).to_be_bytes());
        out.extend([0, 0]);
        out.extend(record);
        rest = next;
    }
    out
}
