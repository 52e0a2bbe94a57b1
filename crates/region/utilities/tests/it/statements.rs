//! Statements in, listings out.

use super::{FileOptions, datasets, dd, run};

#[test]
fn a_report_looks_like_this() {
    let (text, code) = run(
        &datasets(),
        &FileOptions::default(),
        " DELETE A.KSDS CLUSTER
 IF LASTCC LE 8 THEN -
   DEFINE CLUSTER (NAME(A.KSDS) KEYS(4 0) RECORDSIZE(10 20))
 DEFINE CLUSTER (NAME(A.KSDS) KEYS(4 0) RECORDSIZE(10 20))
 SET MAXCC = 0
 LISTCAT LEVEL(A) ALL
",
    );
    assert_eq!(text, "
 DELETE A.KSDS CLUSTER
TXMID0050E A.KSDS was not found
TXMID0020I condition code was 8

 IF LASTCC LE 8 THEN -

   DEFINE CLUSTER (NAME(A.KSDS) KEYS(4 0) RECORDSIZE(10 20))
TXMID0023I CLUSTER A.KSDS is defined
TXMID0020I condition code was 0

 DEFINE CLUSTER (NAME(A.KSDS) KEYS(4 0) RECORDSIZE(10 20))
TXMID0051E A.KSDS exists already
TXMID0020I condition code was 12

 SET MAXCC = 0

 LISTCAT LEVEL(A) ALL
CLUSTER -------- A.KSDS
     HISTORY
       CREATION--------2026.325
     ASSOCIATIONS
       DATA-----A.KSDS.DATA         INDEX----A.KSDS.INDEX
DATA ----------- A.KSDS.DATA
     HISTORY
       CREATION--------2026.325
     ASSOCIATIONS
       CLUSTER--A.KSDS
     ATTRIBUTES
       KEYLEN-----------------4     RKP--------------------0     AVGLRECL--------------10     MAXLRECL--------------20
       INDEXED                      NOREUSE                      LOG---------------(NULL)
     STATISTICS
       REC-TOTAL--------------0
INDEX ---------- A.KSDS.INDEX
     HISTORY
       CREATION--------2026.325
     ASSOCIATIONS
       CLUSTER--A.KSDS
         THE NUMBER OF ENTRIES PROCESSED WAS:
                   AIX----------------0
                   CLUSTER------------1
                   DATA---------------1
                   INDEX--------------1
                   PATH---------------0
                   TOTAL--------------3
TXMID0020I condition code was 0
");
    assert_eq!(code, 0);
}

#[test]
fn an_alternate_index_is_built_and_used_through_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("in.txt");
    std::fs::write(&path, "0001BB\n0002AA\n0003BB\n").unwrap();
    let files = dd(format!("IN={},format=line", path.display()));
    let datasets = datasets();
    let (text, code) = run(
        &datasets,
        &files,
        " DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6))
 REPRO IFILE(IN) ODS(A.K)
 DEF AIX(NAME(A.X) RELATE(A.K) KEYS(2 4) NUNQK)
 DEF PATH(NAME(A.P) PENT(A.X))
 BIX IDS(A.K) ODS(A.X)
 PRINT IDS(A.P) CHAR
 DEF AIX(NAME(A.U) RELATE(A.K) KEYS(2 4) UNQK NOUPGRADE)
 BIX IDS(A.K) ODS(A.U)
 LISTCAT ALL
 VERIFY DATASET(A.K)
 DELETE A.*
 DEF AIX(NAME(A.X) RELATE(A.K) KEYS(2 4))
",
    );
    let keys: Vec<&str> = text
        .lines()
        .filter_map(|l| l.strip_prefix("KEY OF RECORD - "))
        .collect();
    assert_eq!(keys, ["AA", "BB", "BB"]);
    assert!(
        text.contains("TXMID0054E record 0003: its alternate key exists already"),
        "{text}"
    );
    assert!(text.contains("AIX------A.U"), "{text}");
    assert!(text.contains("TXMID0023I PATH A.P is deleted"), "{text}");
    assert!(text.contains("TXMID0050E A.K was not found"), "{text}");
    assert_eq!(code, 12);
}
