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

#[test]
fn linkage_and_local_storage_have_names() {
    let scenario = "scenarios/108-dump-of-linkage";
    let asked = dump_with("LOOK", scenario, "LOOK");
    says(
        &asked,
        &[
            "01 TIMES-ASKED of OUTER, 2 bytes",
            "0 2 TIMES-ASKED 4",
            "01 ASKED-BY of OUTER, 9 bytes",
            "0 4 BRANCH 'ROME'",
            "4 5 CLERK 42",
            "01 RATE-BLOCK of OUTER, 15 bytes",
            "0 8 BLOCK-NAME 'RATES '",
            "8 3 BLOCK-RATE 12.50",
            "11 2 BLOCK-LINES(1) 7",
            "13 2 BLOCK-LINES(2) -1",
        ],
    );
    assert!(!asked.contains(" of INNER"), "{asked}");
    // It has no address.
    assert!(!asked.contains("01 NOWHERE"), "{asked}");
    let failed = dump_with("ASRA", scenario, "LOOK");
    says(
        &failed,
        &[
            "01 TOTAL of INNER, 5 bytes",
            "0 5 TOTAL 12.50",
            "0 2 I 2",
            "0 4 SUM-OF(1) 12.50",
            "4 4 SUM-OF(2) X'20202020' is no number",
        ],
    );
    // The copy that was passed BY CONTENT is gone.
    assert!(!failed.contains("01 CODE-OF-IT"), "{failed}");
}

/// What `transom dump` shows of the ASRA of this transaction, typed at a terminal.
fn dump_of(scenario: &str, transaction: &str) -> String {
    dump_with("ASRA", scenario, transaction)
}

/// The same of another dump of a transaction that ends with ASRA.
fn dump_with(code: &str, scenario: &str, transaction: &str) -> String {
    let (_folder, dir) = copy_of(&root().join(scenario));
    // Without local adapters: several regions of one name would want one socket.
    std::fs::write(dir.join("transom.toml"), "[region]\n").unwrap();
    let region = Region::start(&dir);
    let script = format!("transaction {transaction}\nexpect \"ASRA\"\n");
    std::fs::write(dir.join("typed.3270"), script).unwrap();
    let (good, out, said) = region.play(&dir, "typed.3270", &["--once"]);
    assert!(good, "{out}{said}");
    let (good, list, said) = transom(&["dump", ".", "--code", code], &dir);
    assert!(good, "{said}");
    let begins = format!("{transaction}_{code}-");
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
