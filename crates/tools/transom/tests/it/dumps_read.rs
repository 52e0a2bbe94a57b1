//! A dump as a person reads it who looks for the field that failed.

use crate::harness::{copy_of, root, transom};
use crate::terminal_samples::Region;

#[test]
fn the_field_that_was_never_filled_in_is_found() {
    let (_folder, dir) = copy_of(&root().join("scenarios/106-planted-s0c7"));
    let region = Region::start(&dir);
    std::fs::write(dir.join("bill.3270"), "transaction BILL\nexpect \"ASRA\"\n").unwrap();
    let (good, out, said) = region.play(&dir, "bill.3270", &["--once"]);
    assert!(good, "{out}{said}");
    let (good, list, said) = transom(&["dump", ".", "--code", "ASRA"], &dir);
    assert!(good, "{said}");
    let mut words = list.split_whitespace();
    let name = words.find(|word| word.starts_with("BILL_ASRA-")).unwrap();
    let (good, dump, said) = transom(&["dump", ".", name], &dir);
    assert!(good, "{said}");
    let lines: Vec<String> = dump
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for wanted in [
        "> 28 ADD ITEM-PRICE(LINE-NO) TO ORDER-TOTAL.",
        "0 2 LINE-NO 2",
        "0 5 ORDER-TOTAL 1.25",
        "0 6 ORDER-NUMBER 'A00042'",
        "10 4 ITEM-PRICE(1) 1.25",
        "14 4 ITEM-CODE(2) 'NAIL'",
        "18 4 ITEM-PRICE(2) X'20202020' is no number",
        "26 4 ITEM-PRICE(3) 2.50",
    ] {
        assert!(lines.iter().any(|line| line == wanted), "{wanted}\n{dump}");
    }
    assert!(
        dump.contains("WORKING-STORAGE of BILLING, record "),
        "{dump}"
    );
    // What the translator added is nobody's.
    assert!(!dump.contains("TXM-"), "{dump}");
}
