//! A dump as a person reads it who looks for the field that failed.

use crate::harness::{copy_of, root, transom};
use crate::terminal_samples::Region;

#[test]
fn the_field_that_was_never_filled_in_is_found() {
    let dump = dump_of("scenarios/106-planted-s0c7", "BILL");
    says(
        &dump,
        &[
            "> 28 ADD ITEM-PRICE(LINE-NO) TO ORDER-TOTAL.",
            "0 2 LINE-NO 2",
            "0 5 ORDER-TOTAL 1.25",
            "0 6 ORDER-NUMBER 'A00042'",
            "10 4 ITEM-PRICE(1) 1.25",
            "14 4 ITEM-CODE(2) 'NAIL'",
            "18 4 ITEM-PRICE(2) X'20202020' is no number",
            "26 4 ITEM-PRICE(3) 2.50",
        ],
    );
    assert!(
        dump.contains("WORKING-STORAGE of BILLING, record "),
        "{dump}"
    );
    // What the translator added is nobody's.
    assert!(!dump.contains("TXM-"), "{dump}");
}

#[test]
fn a_program_that_was_called_has_its_own_storage_in_the_dump() {
    let dump = dump_of("scenarios/107-s0c7-in-a-called-program", "ADDS");
    says(
        &dump,
        &[
            "> 19 ADD AMOUNT(I) TO TOTAL",
            "01 TOTAL of ADDING, 5 bytes",
            "0 5 TOTAL 12.50",
            "0 2 I 2",
            // Its items move with the table before them: no names.
            "01 NOTES of ADDING, 10 bytes",
        ],
    );
    assert!(!dump.contains(" BEHIND "), "{dump}");
    assert!(!dump.contains("ADDER"), "{dump}");
}

/// What `transom dump` shows of the ASRA of this transaction, typed at a terminal.
fn dump_of(scenario: &str, transaction: &str) -> String {
    let (_folder, dir) = copy_of(&root().join(scenario));
    // Without local adapters: several regions of one name would want one socket.
    std::fs::write(dir.join("transom.toml"), "[region]\n").unwrap();
    let region = Region::start(&dir);
    let script = format!("transaction {transaction}\nexpect \"ASRA\"\n");
    std::fs::write(dir.join("typed.3270"), script).unwrap();
    let (good, out, said) = region.play(&dir, "typed.3270", &["--once"]);
    assert!(good, "{out}{said}");
    let (good, list, said) = transom(&["dump", ".", "--code", "ASRA"], &dir);
    assert!(good, "{said}");
    let begins = format!("{transaction}_ASRA-");
    let mut words = list.split_whitespace();
    let name = words.find(|word| word.starts_with(&begins)).unwrap();
    let (good, dump, said) = transom(&["dump", ".", name], &dir);
    assert!(good, "{said}");
    dump
}

/// Each of these lines is there, whatever the columns are.
fn says(dump: &str, wanted: &[&str]) {
    let lines: Vec<String> = dump
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>().join(" "))
        .collect();
    for wanted in wanted {
        assert!(lines.iter().any(|line| line == wanted), "{wanted}\n{dump}");
    }
}
