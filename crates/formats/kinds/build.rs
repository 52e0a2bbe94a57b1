//! Takes the files of `table/` into the room: `FILES`, name and text of each, by name.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=table");
    println!("cargo::rerun-if-changed=build.rs");
    let dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("table");
    let mut files: Vec<PathBuf> = fs::read_dir(&dir)
        .expect("the table directory exists")
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|e| e == "txt"))
        .collect();
    files.sort();
    let mut out = String::from("static FILES: &[(&str, &str)] = &[\n");
    for path in files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        writeln!(out, "    ({name:?}, include_str!({path:?})),").expect("a String takes all");
    }
    out.push_str("];\n");
    let folder = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it"));
    fs::write(folder.join("files.rs"), out).expect("OUT_DIR is writable");
}
