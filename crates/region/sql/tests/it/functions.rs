//! Each function that works, on both engines, with the value it gives.

use crate::engines::{Both, one};
use transom_sql::{FunctionKind, functions};

/// Expressions with their values.
fn examples() -> Vec<(&'static str, &'static str)> {
    let lines = include_str!("functions.txt").lines();
    let examples = lines.filter(|line| !line.is_empty() && !line.starts_with('#'));
    examples
        .map(|line| line.split_once(" => ").unwrap())
        .collect()
}

#[test]
fn every_function_of_the_page_has_an_example() {
    let examples = examples();
    // Those of groups and windows are in the test below and in `engines.sql`.
    let alone = [FunctionKind::Own, FunctionKind::Engine];
    for function in functions().iter().filter(|f| alone.contains(&f.kind)) {
        let names = [&[function.name], function.aliases].concat();
        let is_called = |name: &&str| {
            let call = format!("{name}(");
            examples
                .iter()
                .any(|(expression, _)| expression.contains(&call))
        };
        assert!(
            names.iter().any(is_called),
            "{} has no example",
            function.name
        );
    }
    for function in functions()
        .iter()
        .filter(|f| f.kind == FunctionKind::Refused)
    {
        assert!(!function.note.is_empty(), "{} has no reason", function.name);
    }
}

#[test]
fn both_engines_give_what_db2_gives() {
    let Some(both) = Both::new(true) else { return };
    let mut wrong = Vec::new();
    for (expression, expected) in examples() {
        let expected = expected.trim_matches('\'');
        let text = format!("SELECT {expression} FROM SYSIBM.SYSDUMMY1;");
        for (engine, name) in both.engines.iter().zip(["SQLite", "PostgreSQL"]) {
            let given = one(&**engine, &text);
            if given != expected {
                wrong.push(format!(
                    "{name}: {expression} => {given:?}, not {expected:?}"
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn spreads_of_groups() {
    let Some(both) = Both::new(true) else { return };
    both.run("CREATE TABLE T (A INTEGER, B DECIMAL(5, 1), G CHAR(1))");
    both.run("INSERT INTO T VALUES (2, 1.5, 'A'), (4, 2.5, 'A'), (4, NULL, 'A'), (4, NULL, 'B')");
    let of = |what: &str| {
        let text = format!("SELECT DECIMAL({what}, 15, 8) FROM T;");
        let values = both.engines.iter().map(|engine| one(&**engine, &text));
        values.collect::<Vec<_>>()
    };
    assert_eq!(of("VARIANCE(A)"), ["0.75000000", "0.75000000"]);
    assert_eq!(of("STDDEV(A)"), ["0.86602540", "0.86602540"]);
    assert_eq!(of("VARIANCE_SAMP(A)"), ["1.00000000", "1.00000000"]);
    assert_eq!(of("STDDEV_SAMP(B)"), ["0.70710678", "0.70710678"]);
    let said = both.run("SELECT G, VARIANCE(A), VARIANCE_SAMP(A) FROM T GROUP BY G ORDER BY G");
    assert!(said[0].contains("Null"), "{said:?}");
}
