//! Data of a system directory, and the store on disk.

use super::{apply, count, datasets};
use std::path::Path;
use transom_datasets::{Access, Cluster, DatasetName, LoadRecord};
use transom_recovery::{UowId, wait};
use transom_types::Applid;

#[test]
fn a_system_directory_gets_what_it_lacks_once() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::write(data.join("A.INPUT.txt"), "0001AA\n0002BB\n").unwrap();
    std::fs::write(
        data.join("a.idcams"),
        " DELETE A.K
 SET MAXCC=0
 DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6))
 REPRO IDS(A.INPUT) ODS(A.K)
 DEF AIX(NAME(A.X) RELATE(A.K) KEYS(2 4))
 BIX IDS(A.K) ODS(A.X)
",
    )
    .unwrap();
    let datasets = datasets();
    let report = apply(folder.path(), &datasets);
    assert_eq!(report.code, 0, "{}", report.listing);
    assert_eq!(count(&datasets, "A.K"), 2);
    let report = apply(folder.path(), &datasets);
    assert_eq!((report.code, report.listing.as_str()), (0, ""));
    assert_eq!(count(&datasets, "A.K"), 2);
    std::fs::write(
        data.join("b.idcams"),
        " DEF CL(NAME(B.K))\n REPRO IDS(B.INPUT) ODS(B.K)\n",
    )
    .unwrap();
    let report = apply(folder.path(), &datasets);
    assert_eq!(report.code, 12);
    assert!(
        report
            .listing
            .ends_with("TXMID0023I B.K is deleted again\n"),
        "{}",
        report.listing
    );
}

#[test]
fn jobs_of_a_system_directory_run_as_they_are() {
    let Some(root) = std::env::var_os("TRANSOM_CARDDEMO") else {
        println!("skipped: TRANSOM_CARDDEMO does not name a copy of CardDemo");
        return;
    };
    let app = Path::new(&root).join("app");
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    for member in ["DUSRSECJ", "ACCTFILE", "CARDFILE"] {
        let name = format!("{member}.jcl");
        std::fs::copy(app.join("jcl").join(&name), data.join(name)).unwrap();
    }
    for file in ["ACCTDATA", "CARDDATA"] {
        let name = format!("AWS.M2.CARDDEMO.{file}.PS");
        std::fs::copy(app.join("data/EBCDIC").join(&name), data.join(name)).unwrap();
    }
    let datasets = datasets();
    let report = apply(folder.path(), &datasets);
    assert_eq!(report.code, 0, "{}", report.listing);
    assert_eq!(count(&datasets, "AWS.M2.CARDDEMO.USRSEC.VSAM.KSDS"), 10);
    assert_eq!(count(&datasets, "AWS.M2.CARDDEMO.CARDDATA.VSAM.KSDS"), 50);
    let report = apply(folder.path(), &datasets);
    assert_eq!((report.code, report.listing.as_str()), (0, ""));
}

#[test]
fn a_load_that_was_cut_off_is_done_again() {
    let folder = tempfile::tempdir().unwrap();
    let data = folder.path().join("data");
    std::fs::create_dir(&data).unwrap();
    std::fs::write(data.join("A.IN.txt"), "0001AA\n0002BB\n").unwrap();
    let statements = " DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6))\n REPRO IDS(A.IN) ODS(A.K)\n";
    std::fs::write(data.join("a.idcams"), statements).unwrap();
    let datasets = datasets();
    // The power fails after the first record.
    let mut half = Cluster::ksds(DatasetName::new("A.K").unwrap(), 0, 4, 6);
    half.extra.loading = true;
    wait(datasets.define_cluster(half)).unwrap();
    let record = LoadRecord {
        slot: None,
        record: b"0001AA".to_vec(),
    };
    let access = Access::patient(UowId::new(Applid::from_field(b"TEST"), 1), false);
    let name = DatasetName::new("A.K").unwrap();
    wait(
        datasets
            .dataset(&name)
            .unwrap()
            .load(access, &[record], false),
    )
    .unwrap();
    let report = apply(folder.path(), &datasets);
    let first = report.listing.lines().next().unwrap();
    assert_eq!(
        first,
        "TXMID0073I A.K was left half loaded by a run that did not end; it is made again"
    );
    assert_eq!(
        (report.code, count(&datasets, "A.K")),
        (0, 2),
        "{}",
        report.listing
    );
    assert!(!datasets.entry(&name).unwrap().extra().loading);
    assert_eq!(apply(folder.path(), &datasets).listing, "");
}
