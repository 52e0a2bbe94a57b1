//! The definitions and data of CardDemo.

use super::*;

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
        let (text, code) = run(&datasets, &files, &text);
        assert_eq!(code, 0, "{text}");
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
