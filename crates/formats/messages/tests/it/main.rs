//! Messages as a room makes them, pages as a reader finds them, mistakes in a chapter.

#[path = "../../build_chapters.rs"]
mod build_chapters;

use std::sync::{Arc, Mutex};
use transom_messages::{
    Line, Operator, Severity, Source, all, lookup, pg, reference_page, rm, texts,
};

#[test]
fn a_message_says_what_its_page_says() {
    let message = pg::not_defined("PAY");
    assert_eq!(
        message.to_string(),
        "TXMPG0001E program PAY is not defined and has no module"
    );
    assert_eq!(message.id(), "TXMPG0001E");
    assert_eq!(message.severity(), Severity::Error);
    assert_eq!(
        message.words(),
        "program PAY is not defined and has no module"
    );
    assert_eq!(message.inserts().collect::<Vec<_>>(), [("name", "PAY")]);
    assert_eq!(message.text().name, "not_defined");
}

#[test]
fn inserts_may_hold_braces_and_texts_may_too() {
    let message = pg::not_defined("{name}");
    assert_eq!(
        message.words(),
        "program {name} is not defined and has no module"
    );
    let message = transom_messages::ad::variable_without_value("home");
    assert_eq!(message.words(), "the variable ${home} has no value here");
}

#[test]
fn an_insert_may_stand_twice() {
    let message = transom_messages::jc::cut(12, "DFHJ01");
    assert_eq!(
        message.words(),
        "12 bytes at the end of journal DFHJ01 were no whole records and are in DFHJ01.jnl.cut now"
    );
    let inserts: Vec<_> = message.inserts().collect();
    assert_eq!(inserts, [("bytes", "12"), ("file", "DFHJ01")]);
}

#[test]
fn the_operator_hears_level_source_and_fields() {
    let heard = Arc::new(Mutex::new(Vec::new()));
    let (to, operator) = (heard.clone(), Operator::new(drop));
    operator.tell(rm::store_back("DB2A"));
    let operator = Operator::new(move |line| to.lock().unwrap().push(line));
    operator.tell(rm::store_back("DB2A"));
    let door = operator.of(Source::Door);
    let failed = Line::from(pg::not_defined("PAY")).at(Severity::Warning);
    door.tell(failed.with("url", "/pay"));
    let heard = heard.lock().unwrap();
    assert_eq!(heard[0].to_string(), "TXMRM0007I store DB2A is back");
    assert_eq!(
        (heard[0].level, heard[0].source),
        (Severity::Information, Source::Region)
    );
    assert_eq!(
        (heard[1].level, heard[1].source),
        (Severity::Warning, Source::Door)
    );
    assert_eq!(heard[1].id(), Some("TXMPG0001E"));
    let fields: Vec<_> = heard[1].all_fields().collect();
    assert_eq!(fields, [("name", "PAY"), ("url", "/pay")]);
}

#[test]
fn ids_are_found() {
    for page in all() {
        assert_eq!(lookup(page.id()), Some(*page));
        assert_eq!(lookup(&page.id()[3..].to_lowercase()), Some(*page));
        assert!(texts().iter().any(|text| text.id == page.id()));
    }
    assert_eq!(lookup("TXMZZ9999E"), None);
    assert_eq!(lookup(""), None);
}

#[test]
fn parts_of_a_page() {
    let page = lookup("PG0002E").unwrap();
    assert_eq!(page.domain(), "PG");
    assert_eq!(page.text, "program {name} is disabled");
    assert_eq!(page.system_action, "PGMIDERR, RESP2 2.");
    // A place is on the page and no insert.
    assert_eq!(
        lookup("AD0005E").unwrap().text,
        "{file}:{line}:{column}: {reason}"
    );
    assert_eq!(
        lookup("BM0013E").unwrap().text,
        "LENGTH is missing, or: POS is missing"
    );
}

const GOOD: &str = "# PG: program control\n\n## TXMPG0012E\n\n- `not_found`: program {program} was \
    not found\n\nNobody installed it.\n\n*System action.* The task ends.\n\n*User response.* \
    Install it.\n";

#[test]
fn parts_of_a_chapter() {
    let chapter = build_chapters::read(GOOD).unwrap();
    assert_eq!(
        (chapter.letters.as_str(), chapter.title.as_str()),
        ("PG", "program control")
    );
    let message = &chapter.messages[0];
    assert_eq!(message.id, "TXMPG0012E");
    assert_eq!(message.texts[0].name, "not_found");
    assert_eq!(message.texts[0].inserts, ["program"]);
    assert_eq!(message.texts[0].place, "");
    assert_eq!(message.explanation, "Nobody installed it.");
    assert_eq!(message.system_action, "The task ends.");
    assert_eq!(message.user_response, "Install it.");
    assert!(
        build_chapters::rust(&[chapter])
            .contains("pub fn not_found(program: impl std::fmt::Display)")
    );
}

#[test]
fn mistakes_in_a_chapter() {
    let wrong = |from: &str, to: &str| {
        let text = GOOD.replacen(from, to, 1);
        assert_ne!(text, GOOD, "{from}");
        build_chapters::read(&text).err().unwrap_or_default()
    };
    assert!(wrong("# PG: ", "# ").starts_with("1: "));
    assert!(wrong("TXMPG0012E", "TXMPG12E").starts_with("3: "));
    assert!(wrong("TXMPG0012E", "TXMFC0012E").starts_with("3: "));
    assert!(wrong("`not_found`", "`Not Found`").contains("no name"));
    assert!(wrong("{program}", "{a program}").contains("{a program} is no insert"));
    assert!(wrong("*User response.* Install it.", "").contains("*User response.*"));
    assert!(wrong("Nobody installed it.", "").contains("empty"));
    let twice = format!("{GOOD}\n{}", GOOD.split_once("\n\n").unwrap().1);
    assert!(
        build_chapters::read(&twice)
            .err()
            .unwrap()
            .contains("ids rise")
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
