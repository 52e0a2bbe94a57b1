//! Records in and out of files and clusters.

use super::{count, datasets, dd, run};

#[test]
fn records_with_packed_fields_come_back_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    std::fs::write(
        at("rec.cpy"),
        "       01 REC.
          05 ID      PIC 9(4).
          05 NAME    PIC X(6).
          05 AMOUNT  PIC S9(5)V99 COMP-3.
          05 HITS    PIC S9(8) COMP.
",
    )
    .unwrap();
    let record = |id: u8, amount: [u8; 4], hits: u32| {
        let mut bytes = vec![
            0xF0,
            0xF0,
            0xF0,
            0xF0 + id,
            0xC1,
            0xC2,
            0xC3,
            0x40,
            0x40,
            0x4A,
        ];
        bytes.extend(amount);
        bytes.extend(hits.to_be_bytes());
        bytes
    };
    let outside = [
        record(1, [0, 0x12, 0x34, 0x5C], 0x4141_C1C1),
        record(2, [0x40, 0x40, 0x40, 0x4D], 64),
    ]
    .concat();
    std::fs::write(at("in.bin"), &outside).unwrap();
    let book = at("rec.cpy");
    let files = dd(format!(
        "IN={},copybook={book}:01-REC;OUT={},copybook={book}",
        at("in.bin"),
        at("out.bin")
    ));
    let datasets = datasets();
    let (text, code) = run(
        &datasets,
        &files,
        " DEFINE CLUSTER (NAME(A.KSDS) KEYS(4 0) RECORDSIZE(18 18))
 REPRO INFILE(IN) OUTDATASET(A.KSDS)
 REPRO INDATASET(A.KSDS) OUTFILE(OUT)
 PRINT IDS(A.KSDS) CHAR COUNT(1)
 PRINT IDS(A.KSDS) DUMP FROMKEY(0002)
",
    );
    assert_eq!(code, 0, "{text}");
    assert_eq!(std::fs::read(at("out.bin")).unwrap(), outside);
    assert!(text.contains("KEY OF RECORD - 0001\n0001ABC  ¢"), "{text}");
    assert!(
        text.contains("KEY OF RECORD - 0002\n000000  30303032 41424320 20A24040 404D0000 0040"),
        "{text}"
    );
}

#[test]
fn lines_go_into_every_organization() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.txt");
    std::fs::write(
        &path,
        "0002 two\r\n0001 one\n0002 again\n0003 much too long for it\n",
    )
    .unwrap();
    let files = dd(format!("IN={},format=line", path.display()));
    let datasets = datasets();
    let (text, code) = run(
        &datasets,
        &files,
        " DEF CL(NAME(A.K) KEYS(4 0) RECSZ(12 12) REUSE)
 DEF CL(NAME(A.E) NIXD RECSZ(9 30))
 DEF CL(NAME(A.R) NUMD RECSZ(30 30))
 REPRO IFILE(IN) ODS(A.K)
 REPRO IFILE(IN) ODS(A.E)
 REPRO IFILE(IN) ODS(A.R)
 PRINT IDS(A.E) SKIP(1) COUNT(1) CHAR
 PRINT IDS(A.R) FROMNUMBER(3) TONUMBER(3) CHAR
 REPRO IDS(A.E) ODS(A.K) REPLACE COUNT(3)
 PRINT IDS(A.K) CHAR FROMKEY(0002)
 REPRO IDS(A.E) ODS(A.E)
 REPRO IDS(A.R) ODS(A.K) REUSE
 REPRO IDS(A.R) ODS(A.E) REUSE
",
    );
    assert!(
        text.contains(
            "TXMID0054E record 3: the key 0002 exists already
TXMID0055E record 4 has 25 bytes; A.K takes 4 to 12
TXMID0022I 2 records processed
TXMID0020I condition code was 8"
        ),
        "{text}"
    );
    assert!(text.contains("RBA OF RECORD - 8\n0001 one\n"), "{text}");
    assert!(
        text.contains("RELATIVE RECORD NUMBER - 3\n0002 again"),
        "{text}"
    );
    assert!(
        text.contains("KEY OF RECORD - 0002\n0002 again\n"),
        "{text}"
    );
    assert!(
        text.contains("TXMID0057E A.E cannot be used again: it has no REUSE"),
        "{text}"
    );
    assert!(
        text.contains("TXMID0052E A.E cannot be written: it is read by the same command"),
        "{text}"
    );
    assert_eq!(code, 12);
    assert_eq!(
        (
            count(&datasets, "A.E"),
            count(&datasets, "A.R"),
            count(&datasets, "A.K")
        ),
        (4, 4, 0)
    );
}
