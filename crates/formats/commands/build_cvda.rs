//! Turns `table/cvda.txt` into a Rust table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// First of our own numbers of CICS values.
const OWN_CVDA_BASE: i32 = 30_001;

/// `NAME number` or `NAME own` per line.
pub(crate) fn generate(text: &str) -> String {
    let mut values = BTreeMap::new();
    let mut own = OWN_CVDA_BASE..;
    for (number, line) in text.lines().enumerate() {
        let Some((name, value)) = line.split('#').next().unwrap_or("").trim().split_once(' ')
        else {
            continue;
        };
        let value: i32 = match value.trim() {
            "own" => own.next().expect("cvda.txt: too many names"),
            number => number.parse().expect("cvda.txt: a number"),
        };
        assert!(
            values.insert(name.to_string(), value).is_none(),
            "cvda.txt:{}: {name} twice",
            number + 1
        );
    }
    let mut out = String::from("static CVDAS: &[(&str, i32)] = &[\n");
    for (name, value) in values {
        writeln!(out, "    ({name:?}, {value}),").unwrap();
    }
    out.push_str("];\n");
    out
}
