//! Turns `table/cvda.txt`, and the CICS values that come with resource kinds, into a Rust table.

use std::collections::BTreeMap;
use std::fmt::Write as _;

/// First of our own numbers of CICS values.
const OWN_CVDA_BASE: i32 = 30_001;

/// `NAME number` or `NAME own` per line; a number of our own is that of one name alone.
pub(crate) fn generate<'a>(
    text: &str,
    of_kinds: impl Iterator<Item = (&'a str, i32, &'a str)>,
) -> String {
    let mut own = OWN_CVDA_BASE..;
    let listed = text.lines().enumerate().filter_map(|(number, line)| {
        let line = line.split('#').next().unwrap_or("").trim();
        let (name, value) = line.split_once(' ')?;
        let value = match value.trim() {
            "own" => own.next().expect("cvda.txt: too many names"),
            number => number.parse().expect("cvda.txt: a number"),
        };
        Some((name, value, format!("cvda.txt:{}", number + 1)))
    });
    let of_kinds = of_kinds.map(|(name, value, at)| (name, value, at.to_string()));
    let all: Vec<_> = listed.chain(of_kinds).collect();
    let last = all.iter().map(|(_, value, _)| *value).max();
    let mut values = BTreeMap::new();
    let mut taken = BTreeMap::new();
    for (name, value, at) in all {
        let before = values.insert(name, value);
        assert!(before.is_none(), "{at}: {name} has the number {before:?}");
        let other = taken.insert(value, name).filter(|_| value >= OWN_CVDA_BASE);
        assert!(
            other.is_none(),
            "{at}: {value} is the number of {other:?}; {last:?} is the last one taken"
        );
    }
    let mut out = String::from("static CVDAS: &[(&str, i32)] = &[\n");
    for (name, value) in values {
        writeln!(out, "    ({name:?}, {value}),").unwrap();
    }
    out.push_str("];\n");
    out
}
