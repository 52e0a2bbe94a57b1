//! Any text as a DFHCSDUP deck: definitions or problems, and what was read can be written and read
//! again.
#![no_main]

use libfuzzer_sys::fuzz_target;
use transom_csd::{Csd, write_deck};

fuzz_target!(|text: &str| {
    let mut csd = Csd::new();
    let _problems = csd.parse_deck("fuzz", text);
    let mut again = Csd::new();
    let _none = again.parse_deck("again", &write_deck(&csd));
    assert_eq!(csd.definition_count(), again.definition_count());
});
