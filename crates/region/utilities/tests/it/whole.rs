//! EXAMINE, EXPORT, IMPORT, masks.

use super::{count, datasets, run};
use std::path::Path;
use transom_utilities::{FileOptions, Folder};

fn output(folder: &Path) -> FileOptions {
    let folder = Folder::parse("--out", folder.to_str().unwrap()).unwrap();
    FileOptions {
        output: Some(folder.clone()),
        folders: vec![folder],
        ..FileOptions::default()
    }
}

const LOADED: &str = " DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6) SHR(2 3))
 DEF AIX(NAME(A.X) RELATE(A.K) KEYS(2 4) NUNQK)
 DEF PATH(NAME(A.P) PENT(A.X))
 REPRO IDS(A.IN) ODS(A.K)
";

#[test]
fn a_cluster_moves_to_another_store_with_all_over_it() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("A.IN.txt"), "0001BB\n0002AA\n0003BB\n").unwrap();
    let files = output(folder.path());
    let first = datasets();
    let (text, code) = run(
        &first,
        &files,
        &format!(
            "{LOADED} EXPORT A.K OUTDATASET(A.PORT) TEMPORARY INHIBITTARGET\n LISTCAT\n EXPORT A.K ODS(A.GONE)\n LISTCAT\n"
        ),
    );
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains(
            "TXMID0022I 3 records processed\nTXMID0023I CLUSTER A.K is exported\nTXMID0020I"
        ),
        "{text}"
    );
    assert!(text.contains("TOTAL--------------0"), "{text}");
    let second = datasets();
    assert!(text.contains("CLUSTER -------- A.K\n"), "{text}");
    let (text, code) = run(
        &second,
        &files,
        " IMPORT INDATASET(A.PORT) OBJECTS((A.K NEWNAME(B.K)) (A.P NEWNAME(B.P)))
 PRINT IDS(B.P) CHAR
 LISTCAT ENT(B.K.DATA)
 EXAMINE NAME(B.K) INDEXTEST DATATEST
 IMPORT IDS(A.PORT) OBJECTS((A.K NEWNAME(B.K)))
 REPRO IDS(A.IN) ODS(B.K) REPLACE
 IMPORT IDS(A.IN)
",
    );
    for said in [
        "TXMID0023I CLUSTER B.K is imported\n",
        "KEY OF RECORD - AA\n0002AA\n",
        "DATA ----------- B.K.DATA\n",
        "TXMID0070I B.K: DATATEST found nothing wrong\nTXMID0070I A.X: INDEXTEST found nothing wrong\n",
        "TXMID0051E B.K exists already\n",
        "TXMID0059E the store answered: the dataset can only be read (INHIBIT)\n",
        "A.IN.txt is no whole file of EXPORT: its first line is another one\n",
    ] {
        assert!(text.contains(said), "{said}\n{text}");
    }
    assert_eq!((code, count(&second, "B.K")), (12, 3));
    let mut bytes = std::fs::read(folder.path().join("A.PORT")).unwrap();
    let cut = bytes.len() - 30;
    bytes[cut] ^= 1;
    std::fs::write(folder.path().join("A.PORT"), &bytes).unwrap();
    for end in [bytes.len(), cut, 40, 0] {
        std::fs::write(folder.path().join("A.PORT"), &bytes[..end]).unwrap();
        let third = datasets();
        let (text, code) = run(&third, &files, " IMPORT IDS(A.PORT)\n");
        assert!(text.contains("TXMID0072E"), "{text}");
        assert_eq!((code, third.entries().len()), (12, 0));
    }
}

#[test]
fn an_index_that_does_not_fit_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("A.IN.txt"), "0001BB\n0002AA\n").unwrap();
    let (text, code) = run(
        &datasets(),
        &output(folder.path()),
        " DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6))
 REPRO IDS(A.IN) ODS(A.K)
 DEF AIX(NAME(A.X) RELATE(A.K) KEYS(2 4))
 EXAMINE NAME(A.K)
 BIX IDS(A.K) ODS(A.X)
 EXAMINE NAME(A.X) DATATEST
 EXAMINE NAME(A.NONE)
",
    );
    assert!(
        text.contains(
            "TXMID0071E A.X: 2 records of the base have no entry\nTXMID0020I condition code was 8"
        ),
        "{text}"
    );
    assert!(
        text.contains(
            "TXMID0070I A.X: INDEXTEST found nothing wrong\nTXMID0020I condition code was 0"
        ),
        "{text}"
    );
    assert_eq!(code, 8);
}

#[test]
fn a_listing_goes_to_a_file() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("A.IN.txt"), "0001BB\n0002\u{e4}A\n").unwrap();
    let files = output(folder.path());
    let (text, code) = run(
        &datasets(),
        &files,
        " PRINT INDATASET(A.IN) OUTDATASET(A.LIST) CHARACTER\n",
    );
    assert_eq!(
        text,
        "
 PRINT INDATASET(A.IN) OUTDATASET(A.LIST) CHARACTER
TXMID0022I 2 records processed
TXMID0020I condition code was 0
"
    );
    let listing = std::fs::read(folder.path().join("A.LIST")).unwrap();
    let listing: String = listing.iter().map(|b| char::from(*b)).collect();
    assert_eq!(
        (code, listing.as_str()),
        (
            0,
            "LISTING OF DATA SET -A.IN
RECORD SEQUENCE NUMBER - 1
0001BB
RECORD SEQUENCE NUMBER - 2
0002\u{c3}\u{a4}A
"
        )
    );
}

#[test]
fn a_mask_deletes_what_it_fits() {
    let (text, code) = run(
        &datasets(),
        &FileOptions::default(),
        " DEF CL(NAME(A.B.C1) RECSZ(80 80))
 DEF CL(NAME(A.B.X.C2) RECSZ(80 80))
 DEF CL(NAME(A.Z) RECSZ(80 80))
 DELETE A.**.C% MASK
 LISTCAT CLUSTER
",
    );
    assert_eq!(code, 0, "{text}");
    assert!(
        text.contains("A.B.C1 is deleted\nTXMID0023I CLUSTER A.B.X.C2 is deleted\n"),
        "{text}"
    );
    assert!(text.contains("CLUSTER------------1"), "{text}");
}
