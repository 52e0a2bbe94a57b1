//! Loads of clusters that exist, texts and files from elsewhere.

use super::{apply, count, datasets, dd, run};
use std::path::Path;
use transom_copybook::CodePage;
use transom_datasets::{Access, Cluster, DatasetName, Datasets, Load, LoadRecord};
use transom_recovery::{UowId, wait};
use transom_types::Applid;
use transom_utilities::FileOptions;

const DEFINE: &str = " DEF CL(NAME(A.K) KEYS(4 0) RECSZ(6 6))\n";
const REPRO: &str = " REPRO IDS(A.IN) ODS(A.K)\n";

/// A directory with files below `data`.
fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("data")).unwrap();
    files
        .iter()
        .for_each(|(name, bytes)| put(folder.path(), name, bytes));
    folder
}

fn put(folder: &Path, name: &str, bytes: &[u8]) {
    let path = folder.join("data").join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}

fn name() -> DatasetName {
    DatasetName::new("A.K").unwrap()
}

fn state(datasets: &Datasets) -> Load {
    datasets.entry(&name()).unwrap().extra().load
}

fn write(datasets: &Datasets, record: &[u8]) {
    let access = Access::patient(UowId::new(Applid::from_field(b"TEST"), 1), false);
    let record = LoadRecord {
        slot: None,
        record: record.to_vec(),
    };
    let dataset = datasets.dataset(&name()).unwrap();
    wait(dataset.load(access, &[record], false)).unwrap();
}

#[test]
fn a_cluster_that_exists_and_never_was_loaded_is_loaded_once() {
    let folder = folder(&[("a.idcams", DEFINE.as_bytes())]);
    let datasets = datasets();
    assert_eq!(apply(folder.path(), &datasets).code, 0);
    assert_eq!(state(&datasets), Load::Never);
    // The load comes later, in a file of its own.
    put(folder.path(), "A.IN.txt", b"0001AA\n0002BB\n");
    put(folder.path(), "b.idcams", REPRO.as_bytes());
    let report = apply(folder.path(), &datasets);
    assert_eq!(
        (report.code, count(&datasets, "A.K")),
        (0, 2),
        "{}",
        report.listing
    );
    assert_eq!(state(&datasets), Load::Done);
    assert_eq!(apply(folder.path(), &datasets).listing, "");
    // What programs have deleted stays deleted.
    wait(datasets.dataset(&name()).unwrap().empty()).unwrap();
    assert_eq!(apply(folder.path(), &datasets).listing, "");
    assert_eq!(count(&datasets, "A.K"), 0);
}

#[test]
fn a_cluster_with_records_of_programs_is_left_alone() {
    let folder = folder(&[("A.IN.txt", b"0001AA\n"), ("b.idcams", REPRO.as_bytes())]);
    let datasets = datasets();
    wait(datasets.define_cluster(Cluster::ksds(name(), 0, 4, 6))).unwrap();
    write(&datasets, b"0009ZZ");
    assert_eq!(apply(folder.path(), &datasets).listing, "");
    assert_eq!(
        (count(&datasets, "A.K"), state(&datasets)),
        (1, Load::Never)
    );
}

#[test]
fn a_load_into_an_empty_cluster_that_was_cut_off_is_done_again() {
    let folder = folder(&[
        ("A.IN.txt", b"0001AA\n0002BB\n"),
        ("b.idcams", REPRO.as_bytes()),
    ]);
    let datasets = datasets();
    wait(datasets.define_cluster(Cluster::ksds(name(), 0, 4, 6))).unwrap();
    // The power fails after a record that is not in the file any more.
    wait(datasets.set_load(&name(), Load::Filling)).unwrap();
    write(&datasets, b"0000??");
    let report = apply(folder.path(), &datasets);
    assert_eq!(
        report.listing.lines().next().unwrap(),
        "TXMID0074I A.K was left half loaded by a run that did not end; it is emptied and loaded again"
    );
    assert_eq!(
        (report.code, count(&datasets, "A.K")),
        (0, 2),
        "{}",
        report.listing
    );
    assert_eq!(state(&datasets), Load::Done);
}

#[test]
fn a_load_that_fails_leaves_the_cluster_empty_for_the_next_start() {
    let folder = folder(&[
        ("A.IN.txt", b"0001AA\n0001BB\n"),
        ("b.idcams", REPRO.as_bytes()),
    ]);
    let datasets = datasets();
    wait(datasets.define_cluster(Cluster::ksds(name(), 0, 4, 6))).unwrap();
    let report = apply(folder.path(), &datasets);
    assert_eq!(report.code, 8);
    assert!(
        report.listing.contains("TXMID0023I A.K is emptied again"),
        "{}",
        report.listing
    );
    assert_eq!(
        (count(&datasets, "A.K"), state(&datasets)),
        (0, Load::Never)
    );
    put(folder.path(), "A.IN.txt", b"0001AA\n");
    assert_eq!(apply(folder.path(), &datasets).code, 0);
    assert_eq!((count(&datasets, "A.K"), state(&datasets)), (1, Load::Done));
}

#[test]
fn a_cluster_of_an_earlier_release_stays_empty_and_that_is_told_once() {
    let folder = folder(&[("A.IN.txt", b"0001AA\n"), ("b.idcams", REPRO.as_bytes())]);
    let datasets = datasets();
    wait(datasets.define_cluster(Cluster::ksds(name(), 0, 4, 6))).unwrap();
    wait(datasets.set_load(&name(), Load::Unknown)).unwrap();
    let report = apply(folder.path(), &datasets);
    assert!(
        report
            .listing
            .contains("TXMID0075W A.K is empty and is not loaded"),
        "{}",
        report.listing
    );
    assert_eq!((report.code, count(&datasets, "A.K")), (0, 0));
    assert_eq!(apply(folder.path(), &datasets).listing, "");
    // By hand it is loaded.
    let files = dd(format!(
        "IN={},format=line",
        folder.path().join("data/A.IN.txt").display()
    ));
    assert_eq!(run(&datasets, &files, " REPRO INFILE(IN) ODS(A.K)\n").1, 0);
    assert_eq!(count(&datasets, "A.K"), 1);
}

#[test]
fn texts_run_in_the_order_of_their_paths() {
    // Names are compared, not numbers: 10 comes before 9.
    let folder = folder(&[
        ("9-load.idcams", REPRO.as_bytes()),
        ("10-define.idcams", DEFINE.as_bytes()),
        ("A.IN.txt", b"0001AA\n"),
    ]);
    let datasets = datasets();
    let report = apply(folder.path(), &datasets);
    assert_eq!(
        (report.code, count(&datasets, "A.K")),
        (0, 1),
        "{}",
        report.listing
    );
}

#[test]
fn lines_that_are_named_as_a_data_set_say_so() {
    // Two lines of six characters and their ends are as long as two records and a third.
    for lines in [
        &b"0001AA\n0002BB\n"[..],
        b"0001AA\n0002BB\n0003CC\n0004DD\n0005EE\n0006FF\n",
    ] {
        let folder = folder(&[
            ("A.IN", lines),
            ("a.idcams", format!("{DEFINE}{REPRO}").as_bytes()),
        ]);
        let report = apply(folder.path(), &datasets());
        assert_eq!(report.code, 12);
        let said = "TXMID0077E ";
        let text = report
            .listing
            .lines()
            .find(|l| l.starts_with(said))
            .unwrap();
        assert!(
            text.ends_with(
                "/data/A.IN looks like lines of text, not like records of 6 bytes: name it A.IN.txt, or \
                 say format=line"
            ),
            "{text}"
        );
        std::fs::rename(
            folder.path().join("data/A.IN"),
            folder.path().join("data/A.IN.txt"),
        )
        .unwrap();
        assert_eq!(apply(folder.path(), &datasets()).code, 0);
    }
}

#[test]
fn statements_and_jobs_in_ebcdic_are_read() {
    let page = CodePage::by_ccsid(37).unwrap();
    let encode = |text: &str, ends: bool| -> Vec<u8> {
        let line = |line: &str| {
            let mut bytes: Vec<u8> = line.chars().map(|c| page.from_char(c).unwrap()).collect();
            match ends {
                true => bytes.push(0x15),
                false => bytes.resize(80, page.space),
            }
            bytes
        };
        text.lines().flat_map(line).collect()
    };
    let job = "//LOAD JOB\n//S EXEC PGM=IDCAMS\n//SYSIN DD *\n  REPRO IDS(A.IN) ODS(A.K)\n/*\n";
    let folder = folder(&[
        ("a.idcams", &encode(DEFINE, true)),
        ("b.jcl", &encode(job, false)),
        ("A.IN.txt", b"0001AA\n0002BB\n"),
    ]);
    let datasets = datasets();
    let report = apply(folder.path(), &datasets);
    let told = "TXMSI0046I data/a.idcams is EBCDIC and was read as code page IBM-037";
    assert!(report.listing.contains(told), "{}", report.listing);
    assert_eq!(
        (report.code, count(&datasets, "A.K")),
        (0, 2),
        "{}",
        report.listing
    );
    assert_eq!(apply(folder.path(), &datasets).listing, "");
}

#[test]
fn an_indexed_file_of_micro_focus_is_loaded_when_its_characters_are_said() {
    let mut bytes = vec![0; 128];
    bytes[..2].copy_from_slice(&[0x30, 0x7E]);
    (bytes[37], bytes[39], bytes[43], bytes[57], bytes[61]) = (62, 2, 3, 6, 6);
    for (kind, record) in [(0x40, b"0002BB"), (0x20, b"0007XX"), (0x40, b"0001AA")] {
        bytes.extend([kind, 6]);
        bytes.extend(record);
    }
    let folder = folder(&[("A.DAT", &bytes)]);
    let path = folder.path().join("data/A.DAT");
    let datasets = datasets();
    wait(datasets.define_cluster(Cluster::ksds(name(), 0, 4, 6))).unwrap();
    let load = |attributes: &str| {
        let files: FileOptions = dd(format!("IN={}{attributes}", path.display()));
        run(&datasets, &files, " REPRO INFILE(IN) ODS(A.K)\n")
    };
    let (said, code) = load("");
    assert!(
        code == 12 && said.contains("is a file of Micro Focus COBOL: say format=mf"),
        "{said}"
    );
    let (said, code) = load(",format=mf");
    assert!(
        code == 12 && said.contains("format=mf needs a ccsid"),
        "{said}"
    );
    let (said, code) = load(",format=mf,ccsid=819");
    assert_eq!((code, count(&datasets, "A.K")), (0, 2), "{said}");
    std::fs::write(&path, &bytes[..150]).unwrap();
    let (said, code) = load(",format=mf,ccsid=819");
    assert!(
        code == 12 && said.contains("it ends inside a record"),
        "{said}"
    );
}
