//! Maps of CardDemo against the symbolic copybooks IBM's assembler step made of them.
//!
//! `TRANSOM_CARDDEMO` is the path of a copy of the repository.

use std::path::PathBuf;
use transom_bms::{copybook, read};

/// Pairs of map source and copybook, or nothing with a word why.
fn pairs() -> Vec<(PathBuf, PathBuf)> {
    let Ok(root) = std::env::var("TRANSOM_CARDDEMO") else {
        println!("skipped: TRANSOM_CARDDEMO is not set");
        return Vec::new();
    };
    let app = PathBuf::from(root).join("app");
    let folders = [
        "",
        "app-authorization-ims-db2-mq",
        "app-transaction-type-db2",
    ];
    let mut found = Vec::new();
    for folder in folders {
        let Ok(maps) = std::fs::read_dir(app.join(folder).join("bms")) else {
            println!("skipped: no maps in {}", app.join(folder).display());
            continue;
        };
        for map in maps.flatten().map(|e| e.path()) {
            let name = map.file_stem().unwrap_or_default().to_string_lossy();
            for ending in ["CPY", "cpy"] {
                let book = app.join(folder).join(format!("cpy-bms/{name}.{ending}"));
                if book.exists() {
                    found.push((map.clone(), book));
                }
            }
        }
    }
    found.sort();
    found
}

/// Lines without comments, sequence numbers and superfluous blanks.
fn normal(text: &str) -> Vec<String> {
    text.lines()
        .map(|l| l.chars().take(72).skip(6).collect::<String>())
        .filter(|l| !l.starts_with('*'))
        .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
        .filter(|l| !l.is_empty())
        .collect()
}

fn latin1(path: &PathBuf) -> String {
    let bytes = std::fs::read(path).expect("readable");
    bytes.iter().map(|b| char::from(*b)).collect()
}

#[test]
fn copybooks_are_those_of_ibm() {
    for (map, book) in pairs() {
        let source = read(&map.display().to_string(), &latin1(&map));
        let errors: Vec<String> = source.problems.iter().map(ToString::to_string).collect();
        assert!(
            errors.iter().all(|e| !e[..10].ends_with('E')),
            "{errors:#?}"
        );
        for e in &errors {
            println!("{e}");
        }
        let ours = copybook(&source.mapsets[0]).expect("COBOL");
        let (ours, theirs) = (normal(&ours), normal(&latin1(&book)));
        for (n, (a, b)) in ours.iter().zip(&theirs).enumerate() {
            assert_eq!(a, b, "{}: item {n}", book.display());
        }
        assert_eq!(ours.len(), theirs.len(), "{}", book.display());
        println!("{}: {} items", book.display(), ours.len());
    }
}
