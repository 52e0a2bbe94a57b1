//! Embeds every page of `pages/`. A page with a mistake does not stop the build: the crate's test
//! names it.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::{env, fs};

fn main() {
    let dir = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("pages");
    println!("cargo::rerun-if-changed=pages");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files: Vec<PathBuf> = fs::read_dir(&dir)
        .map(|entries| {
            entries
                .filter_map(|entry| Some(entry.ok()?.path()))
                .collect()
        })
        .unwrap_or_default();
    files.retain(|path| path.extension().is_some_and(|e| e == "md"));
    files.sort();
    let mut out = String::from("static FILES: &[(&str, &str)] = &[\n");
    for path in files {
        let stem = path
            .file_stem()
            .and_then(|s| s.to_str())
            .unwrap_or_default();
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(
            out,
            "    ({stem:?}, include_str!({:?})),",
            path.display().to_string()
        )
        .expect("writing to a String");
    }
    out.push_str("];\n");
    let to = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("pages.rs");
    fs::write(to, out).expect("OUT_DIR is writable");
}
