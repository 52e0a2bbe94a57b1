//! ALTER and what it does to LISTCAT and to programs that read.

use super::{count, datasets, run};
use transom_utilities::{FileOptions, Folder};

const DEFINED: &str = " DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6) SHR(2 3) FSPC(10 20)) -
   DATA(NAME(A.K.DATA) CISZ(4096)) INDEX(NAME(A.K.INDEX))
 DEF AIX(NAME(A.X) RELATE(A.K) KEYS(2 4) UNQK)
 DEF PATH(NAME(A.P) PENT(A.X))
";

/// Runs statements after the ones above; the lines that say something.
fn said(statements: &str) -> (String, u8) {
    let (text, _) = run(
        &datasets(),
        &FileOptions::default(),
        &format!("{DEFINED} SET MAXCC = 0\n{statements}"),
    );
    let (_, after) = text.split_once("SET MAXCC = 0\n").unwrap();
    let lines = after
        .lines()
        .filter(|l| l.starts_with("TXM") && !l.starts_with("TXMID0020I"));
    let code = after.rsplit_once("condition code was ").unwrap().1;
    (
        lines.collect::<Vec<_>>().join("\n"),
        code.trim().parse().unwrap(),
    )
}

#[test]
fn a_cluster_gets_another_name_and_keeps_its_records() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("A.IN.txt");
    std::fs::write(path, "0001AA\n0002BB\n").unwrap();
    let files = FileOptions {
        folders: vec![Folder::parse("--ps", folder.path().to_str().unwrap()).unwrap()],
        ..FileOptions::default()
    };
    let datasets = datasets();
    let (text, code) = run(
        &datasets,
        &files,
        &format!(
            "{DEFINED} REPRO IDS(A.IN) ODS(A.K)
 ALTER A.K NEWNAME(B.K)
 ALTER A.K.* NEWNAME(B.K.*)
 ALTER A.P NEWNAME(B.P)
 PRINT IDS(B.P) CHAR FROMKEY(BB)
 LISTCAT ENT(B.K)
 DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6))
 REPRO IDS(B.K) ODS(A.K) COUNT(1)
"
        ),
    );
    for said in [
        "TXMID0023I CLUSTER A.K is now B.K\n",
        "TXMID0023I DATA A.K.DATA is now B.K.DATA\nTXMID0023I INDEX A.K.INDEX is now B.K.INDEX\n",
        "KEY OF RECORD - BB\n0002BB\n",
        "CLUSTER -------- B.K\nDATA ----------- B.K.DATA\nINDEX ---------- B.K.INDEX\n",
    ] {
        assert!(text.contains(said), "{text}");
    }
    assert_eq!(code, 0, "{text}");
    assert_eq!((count(&datasets, "B.K"), count(&datasets, "A.K")), (2, 1));
}

#[test]
fn attributes_are_kept_and_listed() {
    let (text, code) = run(
        &datasets(),
        &FileOptions::default(),
        &format!(
            "{DEFINED} ALTER A.K.DATA FREESPACE(5) SHAREOPTIONS(3) BUFFERSPACE(8192) ERASE
 ALTER A.K REUSE OWNER(ME) TO(2030100) LOG(UNDO) RECORDSIZE(6 10)
 ALTER A.P NOUPDATE
 ALTER A.X NOUPGRADE NONUNIQUEKEY
 ALTER A.K.DATA INHIBIT
 LISTCAT ENT(A.K.DATA A.X) ALL
 LISTCAT ENT(A.P) HISTORY
 ALTER A.K NULLIFY(OWNER RETENTION)
 LISTCAT ENT(A.K) HISTORY CLUSTER
"
        ),
    );
    assert_eq!(code, 0, "{text}");
    for row in [
        "       OWNER-IDENT-----------ME     CREATION--------2026.325     EXPIRATION------2030.100\n",
        "       KEYLEN-----------------4     RKP--------------------0     AVGLRECL---------------6     MAXLRECL--------------10
       INDEXED                      REUSE                        LOG-----------------UNDO     INH-UPDATE
       BUFSPACE------------8192     CISIZE--------------4096     ERASE                        SHROPTNS(3,3)\n",
        "     STATISTICS\n       REC-TOTAL--------------0     FREESPACE-%CI----------5     FREESPACE-%CA----------0\n",
        "       KEYLEN-----------------2     AXRKP------------------4     NONUNIQKEY                   AVGLRECL------------4086\n",
        "     ATTRIBUTES\n       NOUPGRADE\n",
        "CLUSTER -------- A.K\n     HISTORY\n       CREATION--------2026.325\n",
    ] {
        assert!(text.contains(row), "{row}\n{text}");
    }
}

#[test]
fn what_the_records_do_not_allow_is_refused() {
    for (statement, expected, code) in [
        (
            " ALTER A.K RECORDSIZE(7 7) KEYS(5 0)",
            "TXMID0023I CLUSTER A.K is altered",
            0,
        ),
        (
            " ALTER A.K KEYS(4 3)",
            "TXMID0066E A.K cannot be altered: KEYS(4 3): 1 to 255 bytes inside a record of 6",
            12,
        ),
        (
            " ALTER A.K RECORDSIZE(5 5)",
            "TXMID0066E A.K cannot be altered: KEYS(2 4): 1 to 255 bytes inside a record of 5",
            12,
        ),
        (
            " ALTER A.K NEWNAME(A.X)",
            "TXMID0051E A.X exists already",
            12,
        ),
        (
            " ALTER A.NONE NEWNAME(A.Y)",
            "TXMID0050E A.NONE was not found",
            8,
        ),
        (
            " ALTER A.K UPGRADE",
            "TXMID0060E A.K is a CLUSTER; ALTER UPGRADE needs an ALTERNATEINDEX",
            12,
        ),
        (
            " ALTER A.P KEYS(1 1)",
            "TXMID0060E A.P is a PATH; ALTER KEYS needs a CLUSTER",
            12,
        ),
        (
            " ALTER A.* NEWNAME(B.LONGNAM*)",
            "TXMID0023I CLUSTER A.K is now B.LONGNAMK\nTXMID0023I PATH A.P is now B.LONGNAMP\nTXMID0023I ALTERNATEINDEX A.X is now B.LONGNAMX",
            0,
        ),
        (
            " ALTER A.* NEWNAME(B.C)",
            "TXMID0009E test:6:12: ALTER: NEWNAME(B.C): the old and the new name do not have the same number of *",
            12,
        ),
        (
            " ALTER A.K SHAREOPTIONS(5)",
            "TXMID0009E test:6:12: ALTER: SHAREOPTIONS(5): share options are 1 to 4, and 3 or 4",
            12,
        ),
        (
            " ALTER A.K FOR(30)\n DELETE A.K",
            "TXMID0023I CLUSTER A.K is altered\nTXMID0067E A.K is kept until 2026.355; DELETE PURGE deletes it before",
            8,
        ),
        (
            " ALTER A.K TO(99365)\n DELETE A.K",
            "TXMID0023I CLUSTER A.K is altered\nTXMID0067E A.K is kept until 1999.365 (for ever); DELETE PURGE deletes it before",
            8,
        ),
        (
            " ALTER A.K FOR(30)\n DELETE A.P PURGE",
            "TXMID0023I CLUSTER A.K is altered\nTXMID0023I PATH A.P is deleted",
            0,
        ),
    ] {
        let (text, last) = said(statement);
        assert!(text.contains(expected), "{statement}\n{text}");
        assert_eq!(last, code, "{statement}\n{text}");
    }
}
