//! Any text as a COBOL source: COBOL or problems.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_translator::{Options, Source, translate};

fuzz_target!(|text: &str| {
    let translated = translate(&Source { name: "FUZZ.cbl", text }, &(), &Options::default());
    let _report = (translated.listing(), translated.coverage.report());
});
