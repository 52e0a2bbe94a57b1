//! Turns `table/*.txt` into rows. `table/README.md` has the format; a mistake stops the build with
//! its file and line.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// The products an area can belong to, in the order of the page.
const PRODUCTS: [&str; 3] = ["CICS TS", "Enterprise COBOL", "z/OS utilities"];

/// One file.
struct Area {
    title: String,
    product: usize,
    rows: Vec<Row>,
}

/// One difference while it is read.
#[derive(Default)]
struct Row {
    subject: String,
    there: String,
    here: String,
    told: Vec<String>,
    see: Vec<String>,
    at: String,
}

fn main() {
    let dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("table");
    println!("cargo::rerun-if-changed=table");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files: Vec<PathBuf> = fs::read_dir(&dir)
        .expect("the table directory exists")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    let mut areas: Vec<Area> = files.iter().map(|path| read(path)).collect();
    areas.sort_by_key(|area| area.product);
    let out = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(out.join("areas.rs"), generate(&areas)).expect("OUT_DIR is writable");
}

fn read(path: &Path) -> Area {
    let text = fs::read_to_string(path).expect("a table file is readable");
    let (mut title, mut product) = (String::new(), None);
    let mut rows: Vec<Row> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let at = format!("{}:{}", path.display(), number + 1);
        if line.trim().is_empty() || line.starts_with('#') {
            continue;
        }
        let (word, rest) = line.trim().split_once(' ').unwrap_or((line.trim(), ""));
        let rest = rest.trim();
        assert!(!rest.is_empty(), "{at}: nothing behind {word}");
        match (word, rows.last_mut()) {
            ("area", None) => title = rest.to_owned(),
            ("product", None) => product = PRODUCTS.iter().position(|p| *p == rest),
            ("row", _) => rows.push(Row {
                subject: rest.to_owned(),
                at,
                ..Row::default()
            }),
            ("there", Some(row)) => add(&mut row.there, rest),
            ("here", Some(row)) => add(&mut row.here, rest),
            ("told", Some(row)) => row.told.extend(rest.split_whitespace().map(str::to_owned)),
            ("see", Some(row)) => row.see.extend(rest.split_whitespace().map(str::to_owned)),
            _ => panic!("{at}: {word:?} has no place here"),
        }
    }
    let at = path.display();
    assert!(!title.is_empty(), "{at}: no area");
    let product = product.unwrap_or_else(|| panic!("{at}: product is one of {PRODUCTS:?}"));
    for row in &rows {
        assert!(!row.there.is_empty(), "{}: no line `there`", row.at);
        assert!(!row.here.is_empty(), "{}: no line `here`", row.at);
    }
    Area {
        title,
        product,
        rows,
    }
}

/// A text goes on in a second line of its word.
fn add(text: &mut String, more: &str) {
    if !text.is_empty() {
        text.push(' ');
    }
    text.push_str(more);
}

fn generate(areas: &[Area]) -> String {
    let mut out = String::from("static AREAS: &[Area] = &[\n");
    for area in areas {
        let product = PRODUCTS[area.product];
        let _ = writeln!(
            out,
            "Area {{ title: {:?}, product: {product:?}, rows: &[",
            area.title
        );
        for row in &area.rows {
            let _ = writeln!(
                out,
                "Row {{ subject: {:?}, there: {:?}, here: {:?}, told: &{:?}, see: &{:?} }},",
                row.subject, row.there, row.here, row.told, row.see
            );
        }
        out.push_str("] },\n");
    }
    out.push_str("];\n");
    out
}
