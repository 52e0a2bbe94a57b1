//! The page of differences says what the tables say, and what its rows name is there.

use std::path::Path;
use transom_differences::{areas, reference_page};

fn part<'a>(page: &'a str, heading: &str) -> &'a str {
    let behind = page.split(&format!("\n### {heading}\n")).nth(1);
    behind
        .unwrap_or_default()
        .split("\n### ")
        .next()
        .unwrap_or_default()
}

#[test]
fn what_rows_name_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../..");
    for row in areas().iter().flat_map(|area| area.rows) {
        for id in row.told {
            assert!(
                transom_messages::lookup(id).is_some(),
                "{}: {id}",
                row.subject
            );
        }
        for page in row.see {
            let file = page.split('#').next().unwrap_or_default();
            assert!(root.join(file).exists(), "{}: {page}", row.subject);
        }
        let texts = [row.subject, row.there, row.here];
        assert!(
            texts.iter().all(|text| !text.contains('|')),
            "{}",
            row.subject
        );
    }
}

#[test]
fn every_row_is_on_the_page_under_its_product() {
    let page = reference_page();
    for area in areas().iter().filter(|area| !area.rows.is_empty()) {
        let of_product = page.split(&format!("\n## {}\n", area.product)).nth(1);
        let of_product = of_product.unwrap_or_default().split("\n## ").next();
        let text = part(of_product.unwrap_or_default(), area.title);
        for row in area.rows {
            assert!(
                text.contains(&format!("| {} | ", row.subject)),
                "{}",
                row.subject
            );
        }
    }
}

#[test]
fn commands_parameters_and_kinds_come_from_their_tables() {
    let page = reference_page();
    let commands = part(&page, "Commands and options");
    assert!(commands.contains("- Spool: `SPOOLCLOSE`") || commands.contains("`SPOOLCLOSE`"));
    assert!(commands.contains("- SET SYSTEM: `AKP`"), "{commands}");
    assert!(!commands.contains("- ASKTIME"), "it works");
    let parameters = part(&page, "System initialization parameters");
    assert!(parameters.contains("AKPFREQ") && !parameters.contains(" MXT,"));
    let kinds = part(&page, "Resource definitions");
    assert!(kinds.contains("`MQCONN`"), "{kinds}");
    let program = kinds.lines().find(|line| line.starts_with("| `PROGRAM`"));
    assert!(
        program.is_some_and(|line| line.contains("`RELOAD`")),
        "{kinds}"
    );
}
