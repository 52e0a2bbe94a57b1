//! House rules and generated pages, in Rust so that they run wherever the project builds.
//!
//! `cargo xtask tidy` checks what a compiler cannot: which room may depend on which, sizes, message
//! pages, links, walks. `cargo xtask ratchet` lowers what tidy still allows to what there is.
//! `cargo xtask graph [ROOM]` prints rooms, arrows and circles. `cargo xtask docs [--check]` writes
//! or checks `docs/reference` and NOTICE. `cargo xtask deny` checks licences and versions of what
//! is linked and advisories about them, with cargo-deny where it is installed. `cargo xtask
//! advisories FOLDER` makes the list of advisories anew, from a working copy of their database.

#![forbid(unsafe_code)]

mod advisories;
mod arrows;
mod docs;
mod errors;
mod functions;
mod graph;
mod licences;
mod literals;
mod messages;
mod ratchet;
mod resp2;
mod sizes;
mod tidy;
mod tokens;
mod tree;
mod unused;
mod walks;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

const USAGE: &str =
    "usage: cargo xtask tidy | ratchet | graph [ROOM] | docs [--check] | deny | advisories FOLDER";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    let problems = match words.as_slice() {
        ["tidy"] => tidy::run(&root()),
        ["ratchet"] => tidy::lower(&root()),
        ["graph"] => graph::print(&root(), None),
        ["graph", room] => graph::print(&root(), Some(room)),
        ["docs"] => both(docs::run(&root(), false), licences::run(&root(), true)),
        ["docs", "--check"] => both(docs::run(&root(), true), licences::run(&root(), false)),
        ["deny"] => both(licences::deny(&root()), advisories::run(&root())),
        ["advisories", folder] => advisories::make(&root(), Path::new(folder)),
        _ => vec![USAGE.to_owned()],
    };
    for problem in &problems {
        eprintln!("{problem}");
    }
    if problems.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

fn both(mut problems: Vec<String>, more: Vec<String>) -> Vec<String> {
    problems.extend(more);
    problems
}

fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.ancestors().nth(3).unwrap_or(here).to_path_buf()
}
