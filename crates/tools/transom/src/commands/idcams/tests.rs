//! Statements and jobs against a store in memory.

use super::options::{DdOption, FileOptions, Folder};
use super::places::Generations;
use super::report::Report;
use super::runner::Runner;
use super::{apply, job, run_text};
use std::path::Path;
use std::sync::Arc;
use transom_copybook::CodePage;
use transom_datasets::{DatasetName, Datasets, Entry, Find, MemoryStore, Organization, Start};
use transom_recovery::{Direction, wait};

fn datasets() -> Datasets {
    wait(Datasets::open(Arc::new(MemoryStore::in_memory(1 << 28)))).unwrap()
}

/// Runs a text; answers what was printed and the condition code.
fn run(datasets: &Datasets, files: &FileOptions, text: &str) -> (String, u8) {
    let mut report = Report::keeping();
    let mut runner = Runner {
        datasets,
        files,
        report: &mut report,
        existing: None,

        generations: Generations::default(),
    };
    let code = run_text(&mut runner, "test", text, &[]);
    (report.text().to_owned(), code)
}

fn count(datasets: &Datasets, name: &str) -> u64 {
    let dataset = datasets.dataset(&DatasetName::new(name).unwrap()).unwrap();
    wait(dataset.count()).unwrap()
}

fn dd(text: String) -> FileOptions {
    FileOptions {
        dds: text
            .split(';')
            .map(|t| DdOption::parse(t).unwrap())
            .collect(),
        ..FileOptions::default()
    }
}

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
     ATTRIBUTES
       KEYLEN-----------------4     RKP--------------------0     AVGLRECL--------------10     MAXLRECL--------------20
       INDEXED                      NOREUSE                      LOG-----------------NONE
     STATISTICS
       REC-TOTAL--------------0
         THE NUMBER OF ENTRIES PROCESSED WAS:
                   AIX----------------0
                   CLUSTER------------1
                   PATH---------------0
                   TOTAL--------------1
TXMID0020I condition code was 0
");
    assert_eq!(code, 0);
}

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
 REPRO IDS(A.R) ODS(A.K) REUSE
 REPRO IDS(A.R) ODS(A.E) REUSE
",
    );
    assert!(text.contains("TXMID0054E record 3: the key 0002 exists already\nTXMID0055E record 4 has 25 bytes; A.K takes 4 to 12\nTXMID0022I 2 records processed\nTXMID0020I condition code was 8"), "{text}");
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
    assert_eq!(report.max, 0, "{}", report.text());
    assert_eq!(count(&datasets, "A.K"), 2);
    let report = apply(folder.path(), &datasets);
    assert_eq!((report.max, report.text()), (0, ""));
    assert_eq!(count(&datasets, "A.K"), 2);
    std::fs::write(
        data.join("b.idcams"),
        " DEF CL(NAME(B.K))\n REPRO IDS(B.INPUT) ODS(B.K)\n",
    )
    .unwrap();
    let report = apply(folder.path(), &datasets);
    assert_eq!(report.max, 12);
    assert!(
        report.text().ends_with("TXMID0023I B.K is deleted again\n"),
        "{}",
        report.text()
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
    assert_eq!(report.max, 0, "{}", report.text());
    assert_eq!(count(&datasets, "AWS.M2.CARDDEMO.USRSEC.VSAM.KSDS"), 10);
    assert_eq!(count(&datasets, "AWS.M2.CARDDEMO.CARDDATA.VSAM.KSDS"), 50);
    let report = apply(folder.path(), &datasets);
    assert_eq!((report.max, report.text()), (0, ""));
}

#[test]
fn a_job_backs_up_to_a_new_generation_by_a_procedure() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(
        at("REPROC.prc"),
        "//REPROC PROC
//PRC001 EXEC PGM=IDCAMS
//FILEIN  DD DISP=SHR,DSN=NULLFILE
//SYSIN   DD DISP=SHR,DSN=&CNTLLIB(REPROCT)
",
    )
    .unwrap();
    std::fs::write(
        at("REPROCT.ctl"),
        "/* copy */\n    REPRO INFILE(FILEIN) OUTFILE(FILEOUT)\n",
    )
    .unwrap();
    std::fs::write(at("A.BKUP.G0004V00"), "").unwrap();
    let files = FileOptions {
        output: Some(Folder::parse("--out", folder.path().to_str().unwrap()).unwrap()),
        libraries: vec![folder.path().to_owned()],
        ..FileOptions::default()
    };
    let datasets = datasets();
    let (text, code) = run(
        &datasets,
        &files,
        "//J JOB
//LOAD EXEC PGM=IDCAMS
//IN DD *
0001
0002
/*
//SYSIN DD *
 DEFINE CLUSTER (NAME(A.K) KEYS(4 0) RECORDSIZE(80 80))
 REPRO INFILE(IN) OUTDATASET(A.K)
/*
//SAVE EXEC PROC=REPROC,CNTLLIB=MY.CNTL
//PRC001.FILEIN DD DISP=SHR,DSN=A.K
//PRC001.FILEOUT DD DISP=(NEW,CATLG,DELETE),DSN=A.BKUP(+1),
//             DCB=(LRECL=80,RECFM=FB)
//BACK EXEC PGM=IDCAMS,COND=(0,NE)
//IN DD DISP=SHR,DSN=A.BKUP(+1)
//SYSIN DD *
 REPRO INFILE(IN) OUTDATASET(A.K) REPLACE
/*
//NEVER EXEC PGM=IDCAMS,COND=(0,EQ)
",
    );
    assert_eq!(code, 0, "{text}");
    assert_eq!(std::fs::read(at("A.BKUP.G0005V00")).unwrap().len(), 160);
    assert!(
        text.contains("TXMID0036I step NEVER is bypassed by COND"),
        "{text}"
    );
    assert_eq!(count(&datasets, "A.K"), 2);
    let ebcdic = CodePage::by_ccsid(37)
        .unwrap()
        .encode(&format!("{:80}", " REPRO IFILE(FILEIN) OFILE(TOOLONG)"))
        .0;
    std::fs::write(at("MY.SYSIN"), ebcdic).unwrap();
    let (text, code) = run(
        &datasets,
        &files,
        "//J JOB
//S EXEC PGM=IDCAMS
//FILEIN DD DISP=SHR,DSN=A.K
//TOOLONG DD DSN=A.NEW,DCB=(LRECL=40,RECFM=FB)
//SYSIN DD DISP=SHR,DSN=MY.SYSIN
",
    );
    assert_eq!(code, 12, "{text}");
    assert!(
        text.contains("TXMID0042E a record of 80 bytes does not fit the file's format"),
        "{text}"
    );
    let left = std::fs::read_dir(folder.path())
        .unwrap()
        .flatten()
        .map(|e| e.file_name());
    assert!(
        !left
            .into_iter()
            .any(|n| n.to_string_lossy().starts_with("A.NEW"))
    );
}

#[test]
fn a_store_in_use_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("transom.toml"), "").unwrap();
    let open = super::store::open_datasets(folder.path()).unwrap();
    let error = super::store::open_datasets(folder.path())
        .map(drop)
        .unwrap_err();
    assert!(error.starts_with("TXMID0058E"), "{error}");
    drop(open);
    assert!(super::store::open_datasets(folder.path()).is_ok());
}

#[test]
fn all_of_carddemo() {
    let Some(root) = std::env::var_os("TRANSOM_CARDDEMO") else {
        println!("skipped: TRANSOM_CARDDEMO does not name a copy of CardDemo");
        return;
    };
    let app = Path::new(&root).join("app");
    let out = tempfile::tempdir().unwrap();
    let files = FileOptions {
        folders: vec![Folder::parse("--ps", app.join("data/EBCDIC").to_str().unwrap()).unwrap()],
        output: Some(Folder::parse("--out", out.path().to_str().unwrap()).unwrap()),
        ..FileOptions::default()
    };
    let datasets = datasets();
    let members = "ACCTFILE CARDFILE CUSTFILE XREFFILE TRANFILE DUSRSECJ TCATBALF DISCGRP TRANCATG TRANTYPE ESDSRRDS DEFGDGB";
    for member in members.split(' ') {
        let text = std::fs::read_to_string(app.join(format!("jcl/{member}.jcl"))).unwrap();
        let mut report = Report::keeping();
        let mut runner = Runner {
            datasets: &datasets,
            files: &files,
            report: &mut report,
            existing: None,

            generations: Generations::default(),
        };
        let code = job::run(&mut runner, member, &text, &[]);
        assert_eq!(code, 0, "{}", report.text());
    }
    let base = "AWS.M2.CARDDEMO.";
    for (name, records) in [
        ("ACCTDATA.VSAM.KSDS", 50),
        ("CARDDATA.VSAM.KSDS", 50),
        ("CARDXREF.VSAM.KSDS", 50),
        ("CUSTDATA.VSAM.KSDS", 50),
        ("TRANSACT.VSAM.KSDS", 1),
        ("USRSEC.VSAM.KSDS", 10),
        ("TCATBALF.VSAM.KSDS", 50),
        ("DISCGRP.VSAM.KSDS", 51),
        ("TRANCATG.VSAM.KSDS", 18),
        ("TRANTYPE.VSAM.KSDS", 7),
        ("USRSEC.VSAM.ESDS", 10),
        ("USRSEC.VSAM.RRDS", 10),
    ] {
        assert_eq!(
            count(&datasets, &format!("{base}{name}")),
            records,
            "{name}"
        );
    }
    let open = |name: &str| {
        datasets
            .dataset(&DatasetName::new(&format!("{base}{name}")).unwrap())
            .unwrap()
    };
    let account = wait(open("ACCTDATA.VSAM.KSDS").read(None, b"00000000001", Find::Equal)).unwrap();
    assert!(
        account
            .record
            .starts_with(b"00000000001Y00000001940{00000020200{00000010200{2014-11-20")
    );
    let user = wait(open("USRSEC.VSAM.KSDS").read(None, b"ADMIN001", Find::Equal)).unwrap();
    assert_eq!(
        &user.record[..57],
        b"ADMIN001MARGARET            GOLD                PASSWORDA"
    );
    let through = open("CARDDATA.VSAM.AIX.PATH");
    let card = wait(through.read(None, b"00000000050", Find::Equal)).unwrap();
    assert_eq!(&card.record[16..27], b"00000000050");
    for path in ["CARDXREF.VSAM.AIX.PATH", "CARDDATA.VSAM.AIX.PATH"] {
        let all = wait(open(path).scan(None, Start::At(&[]), Direction::Forward, 100)).unwrap();
        assert_eq!(all.len(), 50, "{path}");
    }
    compare_with_listcat(
        &datasets,
        &std::fs::read_to_string(app.join("catlg/LISTCAT.txt")).unwrap(),
    );
    same_from_text(&datasets, &app.join("data/ASCII"));
    assert!(
        out.path().join("AWS.M2.CARDDEMO.USRSEC.PS").is_file(),
        "IEBGENER made it"
    );
}

/// Keys and lengths as z/OS listed them.
fn compare_with_listcat(datasets: &Datasets, listing: &str) {
    let value = |line: &str, word: &str| -> Option<usize> {
        let rest = line
            .split_once(&format!(" {word}--"))?
            .1
            .trim_start_matches('-');
        rest.split_whitespace().next()?.parse().ok()
    };
    let (mut name, mut key_length, mut compared) = (None, 0, 0);
    for line in listing.lines() {
        if let Some(rest) = line.strip_prefix("0DATA ---------- ") {
            let component = rest.trim_end();
            let cluster = component.rsplit_once('.').map_or("", |n| n.0);
            name = DatasetName::new(cluster)
                .ok()
                .and_then(|n| datasets.entry(&n));
        } else if line.starts_with('0') && line.contains(" ------") {
            name = None;
        }
        key_length = value(line, "KEYLEN").unwrap_or(key_length);
        let lengths = (value(line, "AVGLRECL"), value(line, "MAXLRECL"));
        match &name {
            Some(Entry::Cluster(cluster)) => {
                if let Some(average) = lengths.0 {
                    assert_eq!(cluster.average, average, "{}", cluster.name);
                }
                if let (Some(max), Some(key_offset)) = (lengths.1, value(line, "RKP")) {
                    assert_eq!(cluster.max, max, "{}", cluster.name);
                    let expected = Organization::Ksds {
                        key_offset,
                        key_length,
                    };
                    assert_eq!(cluster.organization, expected, "{}", cluster.name);
                    compared += 1;
                }
            }
            Some(Entry::AlternateIndex(index)) => {
                if let Some(offset) = value(line, "AXRKP") {
                    assert_eq!(
                        (index.key_offset, index.key_length),
                        (offset, key_length),
                        "{}",
                        index.name
                    );
                    compared += 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(compared, 13, "10 clusters and 3 alternate indexes");
}

/// The text files of CardDemo hold the same records, two apart.
fn same_from_text(datasets: &Datasets, folder: &Path) {
    for (file, name, different) in [
        ("acctdata", "ACCTDATA", 1),
        ("carddata", "CARDDATA", 0),
        ("cardxref", "CARDXREF", 0),
        ("custdata", "CUSTDATA", 0),
        ("tcatbal", "TCATBALF", 0),
        ("discgrp", "DISCGRP", 1),
    ] {
        let before = records(datasets, name);
        let files = dd(format!(
            "IN={},format=line",
            folder.join(format!("{file}.txt")).display()
        ));
        let load = format!(" REPRO IFILE(IN) ODS(AWS.M2.CARDDEMO.{name}.VSAM.KSDS) REPLACE\n");
        let (text, code) = run(datasets, &files, &load);
        assert_eq!(code, 0, "{text}");
        let after = records(datasets, name);
        let changed = before.iter().zip(&after).filter(|(a, b)| a != b).count();
        assert_eq!((before.len(), changed), (after.len(), different), "{name}");
    }
}

fn records(datasets: &Datasets, name: &str) -> Vec<Vec<u8>> {
    let name = DatasetName::new(&format!("AWS.M2.CARDDEMO.{name}.VSAM.KSDS")).unwrap();
    let dataset = datasets.dataset(&name).unwrap();
    let all = wait(dataset.scan(None, Start::At(&[]), Direction::Forward, 1000)).unwrap();
    all.into_iter().map(|f| f.record).collect()
}
