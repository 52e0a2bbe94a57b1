//! Any text as a copybook: a layout or problems.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_copybook::{Layout, ParseOptions, Profile, parse};

fuzz_target!(|text: &str| {
    let (book, _) = parse(text, &ParseOptions::default());
    for profile in [Profile::Host, Profile::Native] {
        let _layout = Layout::new(&book, profile);
    }
});
