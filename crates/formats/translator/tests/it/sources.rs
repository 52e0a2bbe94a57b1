//! Helpers: programs from their interesting lines, and output without layout.

use std::collections::HashMap;
use transom_translator::{CopyLibrary, Options, Source, Translated, translate};

/// Copybooks by name.
#[derive(Default)]
pub(crate) struct Books(HashMap<String, String>);

impl Books {
    pub(crate) fn of(members: &[(&str, &str)]) -> Self {
        Self(
            members
                .iter()
                .map(|(n, t)| ((*n).to_owned(), (*t).to_owned()))
                .collect(),
        )
    }
}

impl CopyLibrary for Books {
    fn find(&self, name: &str, library: Option<&str>) -> Option<(String, String)> {
        let name = name.to_ascii_uppercase();
        let path = match library {
            Some(library) => format!("{library}/{name}"),
            None => name,
        };
        let text = self.0.get(&path)?;
        Some((format!("copy/{path}.cpy"), text.clone()))
    }
}

/// Translates a whole source called `PROG.cbl`.
pub(crate) fn run(text: &str) -> Translated {
    run_with(text, &[])
}

/// The same with copybooks.
pub(crate) fn run_with(text: &str, books: &[(&str, &str)]) -> Translated {
    let source = Source {
        name: "PROG.cbl",
        text,
    };
    translate(&source, &Books::of(books), &Options::default())
}

/// A fixed format program around data and procedure lines (given from column 8).
pub(crate) fn program(data: &str, procedure: &str) -> String {
    let mut out = String::new();
    for line in [
        "IDENTIFICATION DIVISION.",
        "PROGRAM-ID. PROG.",
        "DATA DIVISION.",
    ]
    .into_iter()
    .chain(["WORKING-STORAGE SECTION."])
    .chain(data.lines())
    .chain(["PROCEDURE DIVISION."])
    .chain(procedure.lines())
    {
        let mut rest = line;
        // Column 72 ends a line; longer ones go on in area B.
        while rest.len() > 65 {
            let cut = rest[..65].rfind(' ').expect("a blank to break the line at");
            out.push_str(&format!("       {}\n", &rest[..cut]));
            rest = &rest[cut..];
        }
        out.push_str(&format!("       {rest}\n"));
    }
    out
}

/// Generated lines without `#line`, blank lines and repeated blanks.
pub(crate) fn lines(translated: &Translated) -> Vec<String> {
    let words = |l: &str| l.split_whitespace().collect::<Vec<_>>().join(" ");
    let kept = translated
        .cobol
        .lines()
        .filter(|l| !l.starts_with("#line"))
        .map(words);
    kept.filter(|l| !l.is_empty()).collect()
}

/// The statements after the entry CALL as one text.
pub(crate) fn body(translated: &Translated) -> String {
    let all = lines(translated).join(" ");
    let after = all
        .split_once("PROCEDURE DIVISION")
        .map_or("", |(_, rest)| rest);
    match after.split_once("CALL 'TXMENTRY' USING TXM-NAME RETURNING TXM-BRANCH END-CALL") {
        Some((_, rest)) => rest.trim_start_matches([' ', '.']).to_owned(),
        None => after.trim_start_matches([' ', '.']).to_owned(),
    }
}

/// All messages as the user sees them.
pub(crate) fn messages(translated: &Translated) -> Vec<String> {
    translated
        .problems
        .iter()
        .map(|p| p.place_first().to_string())
        .collect()
}
