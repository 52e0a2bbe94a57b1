//! Dependencies that a room declares and no source of it names.
//!
//! Why: they are built, they may bring an advisory, and the table of arrows says that a room sees
//! what it does not see. Not here: which dependencies a room may have (`arrows`), whether only its
//! tests need one.

use crate::tokens::{Kind, tokens};
use crate::tree::sources;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Packages whose crate has another name.
const CRATES: &[(&str, &str)] = &[("rustls-webpki", "webpki")];

/// Dependencies of the room that no source of it names.
pub(crate) fn check(root: &Path, room: &str, problems: &mut Vec<String>) {
    let manifest = fs::read_to_string(root.join(room).join("Cargo.toml")).unwrap_or_default();
    let files = sources(root, room, &["rs"]);
    let texts: Vec<&str> = files.iter().map(|file| file.text.as_str()).collect();
    for package in unused(&manifest, &texts) {
        problems.push(format!(
            "{room}: depends on {package}, which it does not use"
        ));
    }
}

fn unused<'a>(manifest: &'a str, texts: &[&str]) -> Vec<&'a str> {
    let mut left: BTreeSet<&str> = declared(manifest).collect();
    for text in texts {
        // A name in a comment or a text uses nothing.
        let tokens = tokens(text);
        let words: BTreeSet<&str> = tokens
            .iter()
            .filter(|token| token.kind == Kind::Word)
            .map(|token| token.text)
            .collect();
        left.retain(|package| !words.contains(crate_of(package).as_str()));
    }
    left.into_iter().collect()
}

/// Packages named in any table of dependencies.
fn declared(manifest: &str) -> impl Iterator<Item = &str> {
    let mut inside = false;
    manifest.lines().filter_map(move |line| {
        if line.starts_with('[') {
            inside = line.trim_end().ends_with("dependencies]");
            return None;
        }
        let name = line.split(['.', ' ', '=']).next()?;
        (inside && name.starts_with(|c: char| c.is_ascii_alphabetic())).then_some(name)
    })
}

fn crate_of(package: &str) -> String {
    let other = CRATES.iter().find(|(name, _)| *name == package);
    other.map_or(package, |(_, name)| name).replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_source_names_is_not_used() {
        let manifest = "[package]\nname = \"a\"\n[dependencies]\nserde.workspace = true\n\
            rustls-webpki = \"1\"\ntransom-types.workspace = true\n\n[dev-dependencies]\n\
            tempfile.workspace = true\n[lints]\nworkspace = true\n";
        let source = "// serde is not used\nuse webpki::Cert; fn f(t: transom_types::Name) {}";
        assert_eq!(unused(manifest, &[source]), ["serde", "tempfile"]);
        let tests = "#[cfg(test)] mod tests { use tempfile::tempdir; } use serde::Serialize;";
        assert_eq!(unused(manifest, &[source, tests]), [""; 0]);
    }
}
