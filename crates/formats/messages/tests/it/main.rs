//! The message pages as a reader finds them.

use std::collections::BTreeSet;
use transom_messages::{PageError, Severity, all, files, lookup, parse, reference_page};

const GOOD: &str = "# TXMPG0012E program {program} was not found\n\n## Explanation\n\n\
    Nobody installed it.\n\n## System action\n\nThe task ends.\n\n## User response\n\nInstall it.\n";

#[test]
fn every_embedded_page_parses() {
    let mut wrong = Vec::new();
    for (stem, text) in files() {
        if let Err(error) = parse(stem, text) {
            wrong.push(format!("{stem}.md: {error}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(!files().is_empty());
}

#[test]
fn ids_are_unique_and_found() {
    let mut numbers = BTreeSet::new();
    for page in all() {
        let id = page.id();
        // The severity is not part of the number: PG0012E and PG0012W must not both exist.
        assert!(numbers.insert(id[..9].to_string()), "{id}");
        assert_eq!(lookup(&id).map(|p| p.text), Some(page.text));
        assert_eq!(lookup(&id[3..].to_lowercase()), Some(page));
    }
    assert_eq!(numbers.len(), files().len());
    assert_eq!(lookup("TXMZZ9999E"), None);
    assert_eq!(lookup(""), None);
}

#[test]
fn parts_of_a_page() {
    let page = parse("PG0012E", GOOD).unwrap();
    assert_eq!(page.id(), "TXMPG0012E");
    assert_eq!(page.domain(), "PG");
    assert_eq!(page.severity(), Severity::Error);
    assert_eq!(page.text, "program {program} was not found");
    assert_eq!(page.explanation, "Nobody installed it.");
    assert_eq!(page.system_action, "The task ends.");
    assert_eq!(page.user_response, "Install it.");
}

#[test]
fn what_is_no_page() {
    assert_eq!(parse("PG12E", GOOD), Err(PageError::BadName));
    assert_eq!(parse("ZZ0012E", GOOD), Err(PageError::BadName));
    assert_eq!(parse("PG0013E", GOOD), Err(PageError::BadTitle));
    assert_eq!(parse("PG0012E", ""), Err(PageError::BadTitle));
    let cut = "# TXMPG0012E text\n\n## Explanation\n\nSo.\n\n## System action\n\nNothing.\n";
    assert_eq!(
        parse("PG0012E", cut),
        Err(PageError::Section("User response"))
    );
    let empty = "# TXMPG0012E text\n## Explanation\n## System action\nx\n## User response\ny\n";
    assert_eq!(
        parse("PG0012E", empty),
        Err(PageError::Section("Explanation"))
    );
}

#[test]
fn the_reference_page_has_every_message() {
    let text = reference_page();
    for page in all() {
        assert!(
            text.contains(&format!("\n### {}\n", page.id())),
            "{}",
            page.id()
        );
        assert!(text.contains(page.user_response));
    }
}
