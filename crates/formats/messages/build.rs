//! Makes texts, pages and constructors from `chapters/`. A mistake in a chapter stops the build
//! with file and line.

mod build_chapters;

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo::rerun-if-changed=chapters");
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=build_chapters.rs");
    let dir =
        PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("cargo sets it")).join("chapters");
    let mut files: Vec<PathBuf> = fs::read_dir(&dir)
        .expect("the folder of the chapters")
        .map(|entry| entry.expect("a file of the folder").path())
        .filter(|path| path.extension().is_some_and(|e| e == "md"))
        .collect();
    files.sort();
    let mut chapters = Vec::new();
    for file in &files {
        let text = fs::read_to_string(file).expect("a chapter is UTF-8 text");
        match build_chapters::read(&text) {
            Ok(chapter) => chapters.push(chapter),
            Err(error) => println!("cargo::error={}:{error}", file.display()),
        }
    }
    let to = PathBuf::from(env::var("OUT_DIR").expect("cargo sets it")).join("chapters.rs");
    fs::write(to, build_chapters::rust(&chapters)).expect("OUT_DIR is writable");
}
